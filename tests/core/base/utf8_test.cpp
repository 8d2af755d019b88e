// UTF-8 at the edges of its lengths, and tokens made visible.
#include "base/utf8.h"

#include <gtest/gtest.h>

namespace attn {
namespace {

TEST(Utf8, AcceptsEveryLength) {
  EXPECT_FALSE(first_invalid_utf8("a é 我 😀").has_value());
  EXPECT_FALSE(first_invalid_utf8("").has_value());
}

TEST(Utf8, FindsTheFirstBadByte) {
  EXPECT_EQ(first_invalid_utf8("ab\xFFz"), 2U);
  EXPECT_EQ(first_invalid_utf8("\xC0\x80"), 0U);          // overlong
  EXPECT_EQ(first_invalid_utf8("x\xED\xA0\x80"), 1U);     // surrogate
  EXPECT_EQ(first_invalid_utf8("\xF4\x90\x80\x80"), 0U);  // above U+10FFFF
  EXPECT_EQ(first_invalid_utf8("\xE6\x88"), 0U);          // cut off
}

TEST(Utf8, ReadsCodePointsAndLeavesOutBrokenBytes) {
  EXPECT_EQ(code_points("aé爱😀"), (std::vector<char32_t>{'a', 0xE9, 0x7231, 0x1F600}));
  EXPECT_EQ(code_points("a\xE6\x88z"), (std::vector<char32_t>{'a', 'z'}));
  EXPECT_EQ(code_points("\xEF\xBF\xBD"), (std::vector<char32_t>{0xFFFD}));
  EXPECT_EQ(code_points(""), std::vector<char32_t>());
}

TEST(Utf8, StepsOverAWholeCodePointOrOneBrokenByte) {
  EXPECT_EQ(code_point_at("é爱", 2).value, U'爱');
  EXPECT_EQ(code_point_at("é爱", 2).length, 3U);
  EXPECT_EQ(code_point_at("a\xFFz", 1).value, 0xFFFDU);
  EXPECT_EQ(code_point_at("a\xFFz", 1).length, 1U);
}

TEST(Utf8, WritesWhatItReadsAtTheEdgeOfEveryLength) {
  for (const char32_t code_point :
       {0x0U, 0x7FU, 0x80U, 0x7FFU, 0x800U, 0xD7FFU, 0xE000U, 0xFFFFU, 0x10000U, 0x10FFFFU}) {
    std::string text;
    append_utf8(text, code_point);
    EXPECT_FALSE(first_invalid_utf8(text).has_value()) << text;
    EXPECT_EQ(code_points(text), std::vector<char32_t>{code_point});
  }
}

TEST(Utf8, KnowsLettersFromRightToLeft) {
  for (const char* text : {"שלום", "مرحبا", "a ܐ", "ﷺ", "\U00010800", "\U0001E900"}) {
    EXPECT_TRUE(has_right_to_left(text)) << text;
  }
  for (const char* text : {"", "cat", "我", "naïve", "हिन्दी", "🙂", "Ω…", "\U00011000"}) {
    EXPECT_FALSE(has_right_to_left(text)) << text;
  }
}

TEST(Utf8, CountsAndShortensByCodePoint) {
  EXPECT_EQ(code_point_count("我爱Python"), 8U);
  EXPECT_EQ(shortened("我爱Python", 4), "我爱P…");
  EXPECT_EQ(shortened("我爱", 2), "我爱");
  EXPECT_EQ(shortened("abc", 0), "");
}

TEST(VisibleToken, ShowsWhatCannotBeSeen) {
  EXPECT_EQ(visible_token(" visualization"), "␣visualization");
  EXPECT_EQ(visible_token("New York"), "New York");
  EXPECT_EQ(visible_token("a  b "), "a␣␣b␣");
  EXPECT_EQ(visible_token("\n"), "↵");
  EXPECT_EQ(visible_token("\t"), "⇥");
  EXPECT_EQ(visible_token("  "), "␣␣");
  EXPECT_EQ(visible_token(""), "∅");
  EXPECT_EQ(visible_token(std::string_view("\0", 1)), "␀");
  EXPECT_EQ(visible_token("\x7F"), "␡");
  EXPECT_EQ(visible_token("我"), "我");
}

}  // namespace
}  // namespace attn
