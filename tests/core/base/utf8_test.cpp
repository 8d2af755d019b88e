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
