// Numbers read from text, and why a text is none.
#include "base/parsed_number.h"

#include <charconv>
#include <cmath>
#include <string>
#include <system_error>
#include <utility>

#include "base/number_text.h"
#include "base/utf8.h"

namespace attn {
namespace {

Error not_a_number(std::string_view text, std::string message, std::string hint) {
  return Error{.kind = ErrorKind::BadInput,
               .message = std::move(message),
               .found = "“" + shortened(printable_line(text), 40) + "”",
               .expected = "a number such as 0.25, -3 or 1e-4",
               .hint = std::move(hint)};
}

bool is_non_finite_word(std::string_view text) {
  const std::string word =
      in_small_letters(text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0));
  return word == "nan" || word == "inf" || word == "infinity";
}

// Reason why `text` is no number.
Error refusal(std::string_view text) {
  if (text.empty()) return not_a_number(text, "there is no number", "type one");
  if (is_non_finite_word(text)) {
    return not_a_number(text, "the number is not finite", "enter a finite number");
  }
  if (text.find(',') != std::string_view::npos) {
    return not_a_number(text, "the number has a comma", "use a point: 1.5");
  }
  return not_a_number(text, "this is not a number", "");
}

// from_chars accepts no leading plus.
std::string_view without_plus(std::string_view text) {
  const bool signed_digits = text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
  return signed_digits ? text.substr(1) : text;
}

}  // namespace

Result<float> parse_number(std::string_view text) {
  const std::string_view number = without_blanks(text);
  const std::string_view digits = without_plus(number);
  float value = 0.0F;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = end == digits.data() + digits.size() && !digits.empty();
  if (whole && code == std::errc::result_out_of_range) {
    // Underflow is refused, so that 1e-50 does not silently become 0.
    double wide = 0.0;
    std::from_chars(digits.data(), digits.data() + digits.size(), wide);
    const bool large = std::abs(wide) > 1.0 || wide == 0.0;
    return not_a_number(
        number,
        large ? "the number is too large for 32 bits" : "the number is too small for 32 bits",
        large ? "the largest is 3.4028235e38" : "the smallest is 1e-45; or enter 0");
  }
  if (!whole || code != std::errc{} || !std::isfinite(value)) return refusal(number);
  return value;
}

Result<std::int64_t> parse_integer(std::string_view text) {
  const std::string_view number = without_blanks(text);
  const std::string_view digits = without_plus(number);
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end == digits.data() + digits.size() && code == std::errc{}) return value;
  Error error = refusal(number);
  error.expected = "a whole number such as 3 or -1";
  if (code == std::errc::result_out_of_range) error.message = "the number is too large";
  return error;
}

}  // namespace attn
