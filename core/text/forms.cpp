// Reads numbers, flags and texts, within the memory that is left for them.
#include "text/forms.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "base/utf8.h"

namespace attn {
namespace {

using Kind = JsonValue::Kind;

constexpr double kExact = 9007199254740992.0;  // 2^53: doubles hold every whole number up to it

// Reads a whole number; as a double if it is not written in digits only.
template <class Integer>
bool whole_number(std::string_view text, Integer& value) {
  const char* end = text.data() + text.size();
  const auto digits = std::from_chars(text.data(), end, value);
  if (digits.ptr == end) return digits.ec == std::errc{};
  double wide = 0.0;
  const auto parsed = std::from_chars(text.data(), end, wide);
  if (parsed.ec != std::errc{} || std::abs(wide) > kExact || wide != std::floor(wide)) return false;
  if (wide < 0 && !std::is_signed_v<Integer>) return false;
  value = static_cast<Integer>(wide);
  return true;
}

}  // namespace

bool read_flag(JsonValue json, bool& value) {
  if (json.kind() != Kind::Number) return json.read_bool(value);
  std::string_view text;
  if (!json.read_number(text)) return false;
  std::uint64_t number = 0;
  if (!whole_number(text, number) || number > 1) {
    return json.refuse("this is not true or false", "the number " + shortened(text, 40),
                       "true or false");
  }
  value = number == 1;
  return true;
}

bool read_count(JsonValue json, std::uint64_t minimum, std::uint64_t& value) {
  std::string_view text;
  if (!json.read_number(text)) return false;
  if (whole_number(text, value) && value >= minimum) return true;
  double wide = 0.0;
  const bool parsed =
      std::from_chars(text.data(), text.data() + text.size(), wide).ec == std::errc{};
  const bool too_large = parsed ? wide > kExact : text.find("e-") == text.npos;
  const bool powers = too_large && text.find_first_of("eE") != text.npos;
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  return json.refuse("this is not a whole number in range", shortened(text, 40),
                     "a whole number from " + std::to_string(minimum) +
                         (too_large ? " to " + std::to_string(kLargest) : " on"),
                     powers ? "write large numbers with all their digits" : "");
}

bool read_integer(JsonValue json, std::int64_t& value) {
  std::string_view text;
  if (!json.read_number(text)) return false;
  if (whole_number(text, value)) return true;
  return json.refuse("this is not a whole number", shortened(text, 40), "a whole number");
}

bool read_texts(JsonValue json, std::vector<std::string>& texts) {
  const auto read_one = [](JsonValue item, std::string& text) {
    return item.read_text(text) && item.charge(text.size());
  };
  return json.each_item(
      [&](JsonValue item) { return read_item(item, texts, 2 * sizeof(std::string), read_one); });
}

bool read_text_or_texts(JsonValue json, std::vector<std::string>& texts) {
  if (json.kind() != Kind::Text) return read_texts(json, texts);
  return json.read_text(texts.emplace_back());
}

bool read_finite(JsonValue json, float& value) {
  std::string_view text;
  return json.kind() != Kind::Number ? json.read_number(text) : json.read_float(value);
}

bool read_positive(JsonValue json, float& value) {
  const std::string found = json.describe();
  if (!read_finite(json, value)) return false;
  return value > 0.0F ||
         json.refuse("the " + json.key() + " is not above zero", found, "a number above 0");
}

bool read_count_of_form(JsonValue json, const Form& form, std::uint64_t& value) {
  return read_count(json, form.low, value);
}

void write_bool(const TextWriter& to, bool value) { to.out += value ? "true" : "false"; }

void write_texts(const TextWriter& to, const std::vector<std::string>& texts) {
  append_row(to.out, texts);
}

bool read_name(JsonValue json, const Form& form, std::size_t& index) {
  std::string name;
  if (!json.read_text(name)) return false;
  const std::vector<std::string_view> names = form.names();
  index = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  return index < names.size() || refuse_unknown_name(json, form.noun, name, names);
}

}  // namespace attn
