// Reading of values that several parts of a tokenizer have, and refusals.
#include "tokenizer/members.h"

#include <limits>

namespace attn::tokenizing {

std::optional<JsonValue> member(JsonValue object, std::string_view key) {
  if (object.kind() != JsonValue::Kind::Object) return std::nullopt;
  for (JsonItems items(object); !items.is_at_end(); items.step()) {
    if (items.value().key() != key) continue;
    const bool is_null = items.value().kind() == JsonValue::Kind::Null;
    return is_null ? std::nullopt : std::optional(items.value());
  }
  return std::nullopt;
}

bool read_value(JsonValue json, std::uint32_t& id) {
  std::uint64_t wide = 0;
  if (!read_index(json, wide)) return false;
  if (wide > std::numeric_limits<std::uint32_t>::max()) {
    return json.refuse("the id is too large", std::to_string(wide), "at most 4294967295");
  }
  id = static_cast<std::uint32_t>(wide);
  return true;
}

bool read_value(JsonValue json, Pattern& pattern) {
  const std::optional<JsonValue> text = member(json, "String"), expression = member(json, "Regex");
  if (!text && !expression) {
    return json.refuse("this is no pattern", json.describe(), "{\"String\": …} or {\"Regex\": …}");
  }
  const JsonValue place = text ? *text : *expression;
  std::string source;
  if (!place.read_text(source)) return false;
  Result<Pattern> made = text ? Pattern::of_text(source) : Pattern::of_expression(source);
  if (!made) {
    const Error& error = made.error();
    return place.refuse(error.message, error.found, error.expected, kGiveIds);
  }
  pattern = *std::move(made);
  return true;
}

bool refuse_type(JsonValue json, const std::string& noun, std::span<const std::string_view> names) {
  const JsonValue place = member(json, "type").value_or(json);
  return place.refuse("this " + noun + " is not known", place.describe(), "one of " + joined(names),
                      kGiveIds);
}

}  // namespace attn::tokenizing
