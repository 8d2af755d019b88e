// Members of objects of tokenizer.json. Keys that are not read change no ids. What is refused adds
// an error to the reader and counts as absent.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/joined.h"
#include "text/forms.h"
#include "text/scalar.h"

namespace attn::tokenizing {

using TokenIds = std::vector<std::uint32_t>;

// Pieces are refused that have more bytes, so that each place of a text is compared with few.
inline constexpr std::size_t kLongestPiece = 4096;

// The hint of what cannot be read.
inline constexpr const char* kGiveIds = "give the ids of the tokens in place of a text";

// The member of an object; nothing if it is absent or null.
inline std::optional<JsonValue> member(JsonValue object, std::string_view key) {
  if (object.kind() != JsonValue::Kind::Object) return std::nullopt;
  for (JsonItems items(object); !items.is_at_end(); items.step()) {
    if (items.value().key() != key) continue;
    const bool is_null = items.value().kind() == JsonValue::Kind::Null;
    return is_null ? std::nullopt : std::optional(items.value());
  }
  return std::nullopt;
}

inline bool read_value(JsonValue json, bool& value) { return json.read_bool(value); }
inline bool read_value(JsonValue json, std::string& value) { return json.read_text(value); }
// An id: a whole number below 2^32.
inline bool read_value(JsonValue json, std::uint32_t& id) {
  std::uint64_t wide = 0;
  if (!read_index(json, wide)) return false;
  id = static_cast<std::uint32_t>(wide);
  return id == wide ||
         json.refuse("the id is too large", std::to_string(wide), "at most 4294967295");
}
inline bool read_value(JsonValue json, TokenIds& ids) {
  return json.each_item([&](JsonValue item) {
    return item.charge(sizeof(std::uint32_t)) && read_value(item, ids.emplace_back());
  });
}

// False with an error for texts that are too long for a piece.
inline bool is_short(JsonValue place, const std::string& text) {
  return text.size() <= kLongestPiece || place.refuse("the text is too long to be searched for",
                                                      std::to_string(text.size()) + " bytes",
                                                      "at most " + std::to_string(kLongestPiece));
}

// The value of a member; nothing if it is absent, null or refused.
template <class T>
std::optional<T> find(JsonValue object, std::string_view key) {
  const std::optional<JsonValue> found = member(object, key);
  T value{};
  return found && read_value(*found, value) ? std::optional(std::move(value)) : std::nullopt;
}

template <class T>
T get(JsonValue object, std::string_view key, T usual = {}) {
  return find<T>(object, key).value_or(std::move(usual));
}

// How objects of a type are read.
template <class T>
using ReaderOf = Choice<T (*)(JsonValue)>;

// The two items of a list; nothing with an error for other values.
inline std::optional<std::pair<JsonValue, JsonValue>> pair_of(JsonValue json, const char* message,
                                                              const std::string& expected) {
  std::vector<JsonValue> items;
  for (JsonItems all(json); !all.is_at_end() && items.size() < 3; all.step()) {
    items.push_back(all.value());
  }
  const bool is_pair = json.kind() == JsonValue::Kind::List && items.size() == 2;
  if (!is_pair) json.refuse(message, json.describe(), expected);
  return is_pair ? std::optional(std::pair(items[0], items[1])) : std::nullopt;
}

// Reads an object by its "type", or as `usual` if it has none. Types that are not known are
// refused.
template <class T>
T read_by_type(JsonValue json, const std::string& noun, std::span<const ReaderOf<T>> types,
               const char* usual = "") {
  const std::string type = get<std::string>(json, "type", usual);
  const auto found = std::ranges::find(types, type, &ReaderOf<T>::name);
  if (found != types.end()) return found->value(json);
  const JsonValue place = member(json, "type").value_or(json);
  place.refuse("this " + noun + " is not known", place.describe(),
               "one of " + joined(types, ", ", &ReaderOf<T>::name), kGiveIds);
  return {};
}

}  // namespace attn::tokenizing
