// What a number is, and which float is nearest to it.
#include "text/number.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <system_error>

namespace attn {
namespace {

// Leaves `at` behind the digits; false when there are none.
bool step_over_digits(std::string_view text, std::size_t& at) {
  const std::size_t start = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  return at > start;
}

bool step_over(std::string_view text, std::string_view characters, std::size_t& at) {
  const bool there = at < text.size() && characters.find(text[at]) != characters.npos;
  if (there) ++at;
  return there;
}

// Power of ten of the first digit that is not zero. Only its sign matters to the caller, so huge
// exponents are cut off.
long long decimal_magnitude(std::string_view number) {
  const std::size_t exponent_at = std::min(number.find_first_of("eE"), number.size());
  const std::string_view digits = number.substr(0, exponent_at);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.find_first_of("123456789");
  const long long magnitude = static_cast<long long>(point) - static_cast<long long>(first);
  if (exponent_at == number.size()) return magnitude;
  std::string_view exponent = number.substr(exponent_at + 1);
  const bool negative = exponent.starts_with('-');
  if (negative || exponent.starts_with('+')) exponent.remove_prefix(1);
  long long value = 1'000'000'000'000;
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
  return magnitude + (negative ? -value : value);
}

// digits / 10^places, each rounded once and then their quotient: three units in the last place of a
// double at most. Doubles are 2^29 times as dense as floats; unless the middle between two floats
// is that near, all that the double may stand for rounds to the same one.
bool float_of_quotient(std::uint64_t digits, std::ptrdiff_t places, float& value) {
  constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                     1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};
  constexpr std::uint64_t kMiddle = std::uint64_t{1} << 28U, kNear = 8;
  const double quotient = static_cast<double>(digits) / kPowersOfTen[places];
  value = static_cast<float>(quotient);
  const std::uint64_t below_float = std::bit_cast<std::uint64_t>(quotient) & (2 * kMiddle - 1);
  return below_float - (kMiddle - kNear) > 2 * kNear;
}

}  // namespace

bool is_json_number(std::string_view text) {
  std::size_t at = 0;
  step_over(text, "-", at);
  const std::size_t whole = at;
  if (!step_over_digits(text, at) || (text[whole] == '0' && at > whole + 1)) return false;
  if (step_over(text, ".", at) && !step_over_digits(text, at)) return false;
  if (step_over(text, "eE", at)) {
    step_over(text, "+-", at);
    if (!step_over_digits(text, at)) return false;
  }
  return at == text.size();
}

bool finite_float(std::string_view text, float& value) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc::result_out_of_range) return true;
  if (decimal_magnitude(text) > 0) return false;
  // Programs print tails of a softmax such as 1e-60 from doubles; zero is the nearest float.
  value = text.starts_with('-') ? -0.0F : 0.0F;
  return true;
}

const char* read_plain_float(const char* at, const char* end, float& value) {
  const char* const whole = at + (*at == '-' ? 1 : 0);
  const char* stop = whole;
  std::uint64_t digits = 0;
  const auto take_digits = [&] {
    for (; stop < end && is_digit(*stop); ++stop) {
      digits = digits * 10 + static_cast<std::uint64_t>(*stop - '0');
    }
  };
  take_digits();
  const char* const point = stop;
  if (stop == whole || (*whole == '0' && stop > whole + 1)) return nullptr;
  if (stop < end && *stop == '.') {
    ++stop;
    take_digits();
    if (stop == point + 1) return nullptr;
  }
  // 19 digits are below 2^64.
  const bool few =
      stop - whole <= (stop > point ? 20 : 19) && stop < end && *stop != 'e' && *stop != 'E';
  if (few && float_of_quotient(digits, std::max<std::ptrdiff_t>(stop - point, 1) - 1, value)) {
    if (whole != at) value = -value;
    return stop;
  }
  const auto [ended, code] = std::from_chars(at, end, value);
  return code == std::errc{} ? ended : nullptr;
}

}  // namespace attn
