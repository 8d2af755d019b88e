// Members of objects of tokenizer.json. Keys that are not read change no ids.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/joined.h"
#include "text/forms.h"
#include "text/scalar.h"
#include "tokenizer/pattern.h"

namespace attn::tokenizing {

// The hint of what cannot be read.
inline constexpr const char* kGiveIds = "give the ids of the tokens in place of a text";

// The member of an object; nothing if it is absent or null.
std::optional<JsonValue> member(JsonValue object, std::string_view key);

inline bool read_value(JsonValue json, bool& value) { return json.read_bool(value); }
inline bool read_value(JsonValue json, std::string& value) { return json.read_text(value); }
// An id: a whole number below 2^32.
bool read_value(JsonValue json, std::uint32_t& id);
// {"String": "…"} or {"Regex": "…"}.
bool read_value(JsonValue json, Pattern& pattern);
template <class T>
bool read_value(JsonValue json, std::optional<T>& value) {
  return read_value(json, value.emplace());
}
template <class T>
bool read_value(JsonValue json, std::vector<T>& values) {
  return json.each_item([&](JsonValue item) {
    return item.charge(sizeof(T)) && read_value(item, values.emplace_back());
  });
}

// An absent or null member leaves the value as it is.
template <class T>
bool read_member(JsonValue object, std::string_view key, T& value) {
  const std::optional<JsonValue> found = member(object, key);
  return !found || read_value(*found, value);
}

// Adds an error that the "type" of an object is none of the names. Returns false.
bool refuse_type(JsonValue json, const std::string& noun, std::span<const std::string_view> names);

// The row of the "type" of an object, or of `type` if it has none; null with an error for others.
template <class Types>
auto* type_of(JsonValue json, const std::string& noun, const Types& types, std::string type = {}) {
  const bool is_read = read_member(json, "type", type);
  const auto found = std::ranges::find_if(types, [&](const auto& row) { return row.name == type; });
  const bool is_known = is_read && found != std::end(types);
  if (is_read && !is_known)
    refuse_type(json, noun, names_of(types, &std::decay_t<decltype(*found)>::name));
  return is_known ? &*found : nullptr;
}

}  // namespace attn::tokenizing
