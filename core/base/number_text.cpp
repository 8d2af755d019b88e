// Conversion of numbers to and from text, independent of the locale.
#include "base/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/special_numbers.h"
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

std::string non_finite_text(double value) {
  if (std::isnan(value)) return is_concealed(value) ? "?" : "nan";
  return value > 0 ? "inf" : "-inf";
}

}  // namespace

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

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

std::string shortest_text(float value) {
  if (!std::isfinite(value)) return non_finite_text(value);
  std::array<char, 32> buffer{};
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

std::string fixed_text(double value, int decimals) {
  if (!std::isfinite(value)) return non_finite_text(value);
  std::array<char, 400> buffer{};
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                         std::chars_format::fixed, std::clamp(decimals, 0, 20));
  std::string text(buffer.data(), end);
  if (text[0] == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string short_text(double value, int digits) {
  if (!std::isfinite(value)) return non_finite_text(value);
  if (value == 0.0) return "0";
  std::array<char, 64> buffer{};
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                         std::chars_format::general, std::clamp(digits, 1, 17));
  return {buffer.data(), end};
}

std::string plain_text(double value) {
  if (value == std::floor(value)) return fixed_text(value, 0);
  std::string text = fixed_text(value, 6);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

std::string grouped_text(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t place = text.size(); place > 3; place -= 3) text.insert(place - 3, ",");
  return text;
}

std::string counted(std::uint64_t count, const std::string& one, const std::string& many) {
  return grouped_text(count) + " " + (count == 1 ? one : many.empty() ? one + "s" : many);
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024) return counted(bytes, "byte");
  double amount = static_cast<double>(bytes) / 1024.0;
  std::size_t unit = 0;
  while (amount >= 1024.0 && unit + 1 < kUnits.size()) {
    amount /= 1024.0;
    ++unit;
  }
  return fixed_text(amount, amount < 10.0 ? 1 : 0) + " " + kUnits[unit];
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60.0, kHour = 3600.0, kDay = 86400.0;
  if (seconds < 1.5 * kMinute) return fixed_text(std::ceil(seconds), 0) + " s";
  if (seconds < 1.5 * kHour) return fixed_text(seconds / kMinute, 0) + " min";
  if (seconds < 2.0 * kDay) return short_text(seconds / kHour, 2) + " h";
  return plain_text(std::round(seconds / kDay)) + " days";
}

}  // namespace attn
