// Numbers written and read back to equal bits.
#include "base/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/parsed_number.h"
#include "base/random.h"

namespace attn {
namespace {

TEST(ParseNumber, ReadsWhatPeopleType) {
  EXPECT_EQ(parse_number("0.25").value(), 0.25F);
  EXPECT_EQ(parse_number("  -3 ").value(), -3.0F);
  EXPECT_EQ(parse_number("+4").value(), 4.0F);
  EXPECT_EQ(parse_number("1e-4").value(), 1e-4F);
  EXPECT_EQ(parse_number(".5").value(), 0.5F);
  EXPECT_TRUE(std::signbit(parse_number("-0").value()));
}

struct Refused {
  const char* text;
  const char* message;
};

class ParseNumberRefuses : public testing::TestWithParam<Refused> {};

TEST_P(ParseNumberRefuses, WithItsOwnReason) {
  const Result<float> result = parse_number(GetParam().text);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::BadInput);
  EXPECT_EQ(result.error().message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(Texts, ParseNumberRefuses,
                         testing::Values(Refused{"", "there is no number"},
                                         Refused{"   ", "there is no number"},
                                         Refused{"1,5", "the number has a comma"},
                                         Refused{"1e99", "the number is too large for 32 bits"},
                                         Refused{"1e999", "the number is too large for 32 bits"},
                                         Refused{"1e-60", "the number is too small for 32 bits"},
                                         Refused{"nan", "the number is not finite"},
                                         Refused{"-Infinity", "the number is not finite"},
                                         Refused{"0x10", "this is not a number"},
                                         Refused{"1.5x", "this is not a number"},
                                         Refused{"--1", "this is not a number"},
                                         Refused{"+-1", "this is not a number"},
                                         Refused{"cats", "this is not a number"}));

TEST(ParseNumber, ShowsWhatIsThereAsOnePrintableLineCutBetweenLetters) {
  EXPECT_EQ(parse_number("1\x1b[0m\n2").error().found, "“1␛[0m↵2”");
  const std::string found = parse_number(std::string(39, 'a') + "éé").error().found;
  EXPECT_EQ(found, "“" + std::string(39, 'a') + "…”");
}

TEST(ParseInteger, ReadsAndRefuses) {
  EXPECT_EQ(parse_integer(" -12 ").value(), -12);
  EXPECT_FALSE(parse_integer("1.5"));
  EXPECT_EQ(parse_integer("99999999999999999999").error().message, "the number is too large");
}

TEST(ShortestText, ReadsBackToTheSameBits) {
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random.next()));
    if (!std::isfinite(value)) continue;
    const Result<float> back = parse_number(shortest_text(value));
    ASSERT_TRUE(back) << shortest_text(value);
    ASSERT_EQ(std::bit_cast<std::uint32_t>(back.value()), std::bit_cast<std::uint32_t>(value));
  }
}

TEST(ShortestText, NamesWhatIsNotFinite) {
  EXPECT_EQ(shortest_text(std::numeric_limits<float>::quiet_NaN()), "nan");
  EXPECT_EQ(shortest_text(-std::numeric_limits<float>::infinity()), "-inf");
}

TEST(FixedText, RoundsAndNeverShowsMinusZero) {
  EXPECT_EQ(fixed_text(0.4555, 2), "0.46");
  EXPECT_EQ(fixed_text(-0.001, 2), "0.00");
  EXPECT_EQ(fixed_text(-0.01, 2), "-0.01");
  EXPECT_EQ(fixed_text(1e300, 0).size(), 301U);
}

TEST(ShortText, KeepsAFewDigits) {
  EXPECT_EQ(short_text(0.012345, 3), "0.0123");
  EXPECT_EQ(short_text(0.0, 3), "0");
  EXPECT_EQ(short_text(1.2e8, 2), "1.2e+08");
}

TEST(PlainText, NeverWritesPowersOfTen) {
  EXPECT_EQ(plain_text(1e6), "1000000");
  EXPECT_EQ(plain_text(-3.0), "-3");
  EXPECT_EQ(plain_text(0.25), "0.25");
}

TEST(GroupedText, PutsACommaBeforeEveryThreeDigits) {
  EXPECT_EQ(grouped_text(0), "0");
  EXPECT_EQ(grouped_text(999), "999");
  EXPECT_EQ(grouped_text(1000), "1,000");
  EXPECT_EQ(grouped_text(1234567), "1,234,567");
  EXPECT_EQ(grouped_text(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(BytesText, PicksTheUnit) {
  EXPECT_EQ(bytes_text(1), "1 byte");
  EXPECT_EQ(bytes_text(1023), "1,023 bytes");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(std::uint64_t{20} << 30U), "20 GiB");
}

}  // namespace
}  // namespace attn
