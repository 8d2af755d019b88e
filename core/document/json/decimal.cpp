// Eight digits at a time, and one multiplication.
#include "document/json/decimal.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace attn {
namespace {

static_assert(std::endian::native == std::endian::little, "the first digit is the lowest byte");

constexpr int kLowestPower = -60;
constexpr int kHighestPower = 38;
constexpr double kPowersOfTen[] = {
    1e-60, 1e-59, 1e-58, 1e-57, 1e-56, 1e-55, 1e-54, 1e-53, 1e-52, 1e-51, 1e-50, 1e-49, 1e-48,
    1e-47, 1e-46, 1e-45, 1e-44, 1e-43, 1e-42, 1e-41, 1e-40, 1e-39, 1e-38, 1e-37, 1e-36, 1e-35,
    1e-34, 1e-33, 1e-32, 1e-31, 1e-30, 1e-29, 1e-28, 1e-27, 1e-26, 1e-25, 1e-24, 1e-23, 1e-22,
    1e-21, 1e-20, 1e-19, 1e-18, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9,
    1e-8,  1e-7,  1e-6,  1e-5,  1e-4,  1e-3,  1e-2,  1e-1,  1e0,   1e1,   1e2,   1e3,   1e4,
    1e5,   1e6,   1e7,   1e8,   1e9,   1e10,  1e11,  1e12,  1e13,  1e14,  1e15,  1e16,  1e17,
    1e18,  1e19,  1e20,  1e21,  1e22,  1e23,  1e24,  1e25,  1e26,  1e27,  1e28,  1e29,  1e30,
    1e31,  1e32,  1e33,  1e34,  1e35,  1e36,  1e37,  1e38};
static_assert(std::size(kPowersOfTen) == kHighestPower - kLowestPower + 1);

// digits · 10^exponent
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
  bool negative = false;
};

// So many digits are below 2^63 whatever they are.
constexpr std::ptrdiff_t kMostDigits = 18;

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

// The digits among the first eight bytes, up to the first that is none.
struct EightBytes {
  std::uint64_t value = 0;
  unsigned count = 0;
};

// Each byte in turn is a digit, then pairs of them are numbers below 100, then fours, then all.
std::uint64_t number_of(std::uint64_t digits) {
  constexpr std::uint64_t kPairs = 0x000000FF000000FFU;
  digits = digits * 10 + (digits >> 8U);
  return ((digits & kPairs) * 0x000F424000000064U +
          (digits >> 16U & kPairs) * 0x0000271000000001U) >>
         32U;
}

EightBytes digits_at(const char* at) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  bytes ^= 0x3030303030303030U;  // digits are 0 to 9 now, and all else is above
  const std::uint64_t others =
      (((bytes & 0x7F7F7F7F7F7F7F7FU) + 0x7676767676767676U) | bytes) & 0x8080808080808080U;
  const auto count = static_cast<unsigned>(std::countr_zero(others)) / 8;
  if (count == 0) return {};
  return {number_of(bytes << (64 - 8 * count)), count};
}

const char* add_digits(const char* at, std::uint64_t& digits) {
  constexpr std::uint64_t kPowers[] = {1,       10,        100,        1'000,      10'000,
                                       100'000, 1'000'000, 10'000'000, 100'000'000};
  while (true) {
    const EightBytes next = digits_at(at);
    digits = digits * kPowers[next.count] + next.value;
    at += next.count;
    if (next.count < 8) return at;
  }
}

// Null: no exponent, or an extreme one.
const char* scan_exponent(const char* at, int& exponent) {
  const bool negative = *at == '-';
  if (negative || *at == '+') ++at;
  const char* const start = at;
  int value = 0;
  for (; is_decimal_digit(*at) && at - start < 5; ++at) value = value * 10 + (*at - '0');
  if (at == start || at - start == 5) return nullptr;
  exponent += negative ? -value : value;
  return at;
}

const char* scan(const char* at, Decimal& decimal) {
  decimal.negative = *at == '-';
  if (decimal.negative) ++at;
  const char* const start = at;
  for (; is_decimal_digit(*at); ++at) {
    decimal.digits = decimal.digits * 10 + static_cast<std::uint64_t>(*at - '0');
  }
  const bool zero = *start == '0';
  std::ptrdiff_t count = at - start;
  if (count == 0 || (zero && count > 1)) return nullptr;
  if (*at == '.') {
    const char* const point = ++at;
    at = add_digits(at, decimal.digits);
    if (at == point) return nullptr;
    decimal.exponent = static_cast<int>(point - at);
    count += at - point;
  }
  if (count - (zero ? 1 : 0) > kMostDigits) return nullptr;
  return *at == 'e' || *at == 'E' ? scan_exponent(at + 1, decimal.exponent) : at;
}

// Whether the double is within a few of the middle between two floats. Doubles are 2^29 times as
// dense as floats.
bool is_near_middle(double value) {
  constexpr std::uint64_t kMiddle = std::uint64_t{1} << 28U, kNear = 8;
  const std::uint64_t below_float = std::bit_cast<std::uint64_t>(value) & (2 * kMiddle - 1);
  return below_float - (kMiddle - kNear) <= 2 * kNear;
}

// The digits as a double, the power and the product are each rounded once, which makes three units
// in the last place at most. Unless the middle between two floats is that near, all that the double
// may stand for rounds to the same float. Floats that are not normal have other middles.
bool round_to_float(const Decimal& decimal, float& value) {
  constexpr double kLeast = 1.2e-38, kMost = 3.4e38;
  if (decimal.digits == 0) {
    value = decimal.negative ? -0.0F : 0.0F;
    return true;
  }
  if (decimal.exponent < kLowestPower || decimal.exponent > kHighestPower) return false;
  const auto power = static_cast<std::size_t>(decimal.exponent - kLowestPower);
  const double wide =
      static_cast<double>(static_cast<std::int64_t>(decimal.digits)) * kPowersOfTen[power];
  if (wide < kLeast || wide > kMost || is_near_middle(wide)) return false;
  value = static_cast<float>(decimal.negative ? -wide : wide);
  return true;
}

}  // namespace

const char* read_plain_float(const char* at, float& value) {
  Decimal decimal;
  const char* const end = scan(at, decimal);
  return end != nullptr && round_to_float(decimal, value) ? end : nullptr;
}

}  // namespace attn
