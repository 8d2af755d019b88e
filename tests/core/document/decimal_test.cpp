// The fast way from text to float gives what std::from_chars gives, or leaves it to it.
#include "document/json/decimal.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "base/number_text.h"
#include "base/random.h"

namespace attn {
namespace {

// Reads `text` both ways, which must agree to the bit; true when the fast one took it.
bool is_taken(const std::string& text) {
  float expected = 0.0F;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), expected);
  const std::string padded = text + std::string(kDecimalPadding, '\0');
  float value = 0.0F;
  const char* const end = read_plain_float(padded.data(), value);
  if (end == nullptr) return false;
  EXPECT_EQ(end, padded.data() + text.size()) << text;
  EXPECT_EQ(parsed.ec, std::errc()) << text;
  EXPECT_EQ(std::bit_cast<std::uint32_t>(value), std::bit_cast<std::uint32_t>(expected)) << text;
  return true;
}

template <class Number>
std::string text_of(Number value, std::chars_format format, int precision) {
  std::array<char, 400> text{};
  const auto [end, code] =
      std::to_chars(text.data(), text.data() + text.size(), value, format, precision);
  return {text.data(), end};
}

float random_float(Random& random) {
  float value = 0.0F;
  do {
    value = std::bit_cast<float>(static_cast<std::uint32_t>(random.next()));
  } while (!std::isfinite(value));
  return value;
}

TEST(PlainFloat, TakesWhatProgramsWrite) {
  for (const char* text :
       {"0.123456", "-1.2345678e-05", "1", "-12", "0.5", "3.39e38", "1e-30", "0.12345678901234567",
        "16777216", "1E+5", "0", "-0", "0.000", "0e999"}) {
    EXPECT_TRUE(is_taken(text)) << text;
  }
}

TEST(PlainFloat, LeavesAloneWhatIsNoNumberOfJson) {
  for (const char* text :
       {"", "-", "+1", ".5", "1.", "01", "-01", "1e", "1e+", "nan", "inf", ",", "a"}) {
    EXPECT_FALSE(is_taken(text)) << text;
  }
}

TEST(PlainFloat, LeavesExtremesAndMiddlesToThoseWhoCountAllDigits) {
  for (const char* text :
       {"3.4028234e38", "1e-45", "1.4e-45", "7e-46", "1.1754943e-38", "1e39", "3.4028236e38",
        "-1e99999", "1e123456", "16777217", "16777219", "33554434.0000000001",
        "1.00000005960464477539", "0.1234567890123456789012345"}) {
    EXPECT_FALSE(is_taken(text)) << text;
  }
}

TEST(PlainFloat, EndsWhereTheNumberDoes) {
  float value = 0.0F;
  const std::string text = "0.25,0.5]" + std::string(kDecimalPadding, '\0');
  EXPECT_EQ(read_plain_float(text.data(), value), text.data() + 4);
  EXPECT_EQ(value, 0.25F);
  EXPECT_EQ(read_plain_float(text.data() + 5, value), text.data() + 8);
  EXPECT_EQ(value, 0.5F);
}

TEST(PlainFloat, AgreesOnFloatsInAnyNotation) {
  Random random(1);
  std::size_t taken = 0;
  for (int i = 0; i < 50'000; ++i) {
    const float value = random_float(random);
    is_taken(shortest_text(value));
    const int digits = static_cast<int>(random.next() % 17);
    taken += is_taken(text_of(value, std::chars_format::scientific, digits)) ? 1 : 0;
    const float small =
        std::ldexp(value, -std::ilogb(value) + static_cast<int>(random.next() % 9) - 6);
    taken += is_taken(text_of(small, std::chars_format::fixed, digits)) ? 1 : 0;
  }
  EXPECT_GT(taken, 85'000U) << "nearly all of them are read the fast way";
}

// Exactly between two floats, and one digit above and below, at every length that texts have.
TEST(PlainFloat, AgreesInTheMiddleBetweenFloatsAndNearIt) {
  Random random(2);
  for (int i = 0; i < 20'000; ++i) {
    const float low = std::abs(random_float(random));
    const float high = std::nextafter(low, std::numeric_limits<float>::infinity());
    if (!std::isfinite(high)) continue;
    const double middle = (static_cast<double>(low) + static_cast<double>(high)) / 2;
    for (const double value :
         {middle, std::nextafter(middle, 0.0), std::nextafter(middle, 1e300)}) {
      for (const int digits : {7, 8, 9, 15, 16, 17, 40}) {
        is_taken(text_of(value, std::chars_format::scientific, digits));
      }
    }
  }
}

TEST(PlainFloat, AgreesOnDigitsThrownTogether) {
  Random random(3);
  for (int i = 0; i < 100'000; ++i) {
    std::string text = random.next() % 2 == 0 ? "-" : "";
    const auto digits = [&](std::uint64_t most) {
      for (std::uint64_t n = random.next() % most; n > 0; --n) {
        text += static_cast<char>('0' + random.next() % 10);
      }
    };
    text += static_cast<char>('0' + random.next() % 10);
    if (text.back() != '0') digits(12);
    text += '.';
    text += static_cast<char>('0' + random.next() % 10);
    digits(20);
    if (random.next() % 2 == 0)
      text += "e" + std::to_string(static_cast<int>(random.next() % 110) - 60);
    is_taken(text);
  }
}

}  // namespace
}  // namespace attn
