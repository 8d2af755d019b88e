// Carets, clicks and selections in lines of both directions.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "figure/letters.h"
#include "figure/text.h"

namespace attn {
namespace {

constexpr FontStyle kLineFont{13.2, false, false};
constexpr const char* kTexts[] = {
    "",         "cat",        "שלום עולם", "مرحبا abc عالم",
    "abc שלום", "א1 b2",      "123 שלום",  "🇩🇪🇫🇷a👨‍👩‍👧",
    "ที่นี่ไทย",    "नमस्ते दुनिया", "fi office", "বাংলা"};

// The carets visited by one arrow key from one end of the line until nothing moves.
std::vector<std::size_t> walk(const TextLine& line, std::size_t at,
                              std::size_t (TextLine::*step)(std::size_t) const) {
  std::vector<std::size_t> met{at};
  while (met.size() < 100) {
    const std::size_t next = (line.*step)(met.back());
    if (next == met.back()) break;
    met.push_back(next);
  }
  return met;
}

TEST(TextLine, IsAsWideAsItIsMeasured) {
  for (const char* text : kTexts) {
    EXPECT_DOUBLE_EQ(TextLine(text, kLineFont).width(),
                     pango_metrics().measure(text, kLineFont).width)
        << text;
  }
}

TEST(TextLine, RunsWhereItsFirstLetterRuns) {
  EXPECT_FALSE(TextLine("", kLineFont).right_to_left());
  EXPECT_FALSE(TextLine("abc שלום", kLineFont).right_to_left());
  EXPECT_TRUE(TextLine("שלום abc", kLineFont).right_to_left());
  EXPECT_TRUE(TextLine("123 مرحبا", kLineFont).right_to_left());
}

TEST(TextLine, CaretsStandBetweenTheLettersAsDrawn) {
  const TextLine latin("abc", kLineFont);
  EXPECT_DOUBLE_EQ(latin.caret_x(0), 0.0);
  EXPECT_DOUBLE_EQ(latin.caret_x(1), pango_metrics().measure("a", kLineFont).width);
  EXPECT_DOUBLE_EQ(latin.caret_x(3), latin.width());
  const TextLine hebrew("שלום", kLineFont);
  EXPECT_DOUBLE_EQ(hebrew.caret_x(0), hebrew.width());
  EXPECT_DOUBLE_EQ(hebrew.caret_x(2),
                   hebrew.width() - pango_metrics().measure("ש", kLineFont).width);
  EXPECT_DOUBLE_EQ(hebrew.caret_x(8), 0.0);
}

TEST(TextLine, ArrowsGoThroughEveryCaretOnceAndBack) {
  for (const char* text : kTexts) {
    const TextLine line(text, kLineFont);
    const std::vector<std::size_t> right = walk(line, line.caret_near(-1), &TextLine::caret_right);
    std::vector<std::size_t> left = walk(line, line.caret_near(1e6), &TextLine::caret_left);
    EXPECT_EQ(right.back(), left.front()) << text;
    EXPECT_EQ(left.back(), right.front()) << text;
    std::sort(left.begin(), left.end());
    EXPECT_EQ(std::adjacent_find(left.begin(), left.end()), left.end()) << text;
  }
}

TEST(TextLine, ArrowsMoveTowardsWhatTheySayWhereNoDirectionsMix) {
  for (const char* text :
       {"cat", "שלום עולם", "🇩🇪🇫🇷a👨‍👩‍👧", "ที่นี่ไทย", "नमस्ते दुनिया"}) {
    const TextLine line(text, kLineFont);
    std::vector<std::size_t> carets = walk(line, line.caret_near(-1), &TextLine::caret_right);
    for (std::size_t i = 1; i < carets.size(); ++i) {
      EXPECT_LT(line.caret_x(carets[i - 1]), line.caret_x(carets[i])) << text << i;
    }
    std::sort(carets.begin(), carets.end());
    EXPECT_EQ(carets, letter_borders(text)) << text;
  }
}

TEST(TextLine, AClickOnACaretPlacesItThere) {
  for (const char* text : kTexts) {
    const TextLine line(text, kLineFont);
    for (const std::size_t at : letter_borders(text)) {
      const double x = line.caret_x(at);
      EXPECT_NEAR(line.caret_x(line.caret_near(x)), x, 0.01) << text << at;
    }
  }
}

TEST(TextLine, ASelectionCoversItsLettersOnly) {
  const TextLine latin("abcd", kLineFont);
  ASSERT_EQ(latin.ranges(1, 3).size(), 1U);
  EXPECT_DOUBLE_EQ(latin.ranges(1, 3)[0].left, latin.caret_x(1));
  EXPECT_DOUBLE_EQ(latin.ranges(1, 3)[0].right, latin.caret_x(3));
  const TextLine hebrew("שלום", kLineFont);
  ASSERT_EQ(hebrew.ranges(2, 6).size(), 1U);
  EXPECT_DOUBLE_EQ(hebrew.ranges(2, 6)[0].left, hebrew.caret_x(6));
  EXPECT_DOUBLE_EQ(hebrew.ranges(2, 6)[0].right, hebrew.caret_x(2));
  EXPECT_TRUE(latin.ranges(2, 2).empty());
}

TEST(TextLine, ASelectionAcrossDirectionsHasPartsThatMakeUpItsWidth) {
  const TextLine line("abc שלום", kLineFont);
  const std::vector<XRange> parts = line.ranges(2, 6);  // "c ", and the first Hebrew letter
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_LT(parts[0].right, parts[1].left);
  const double covered = parts[0].right - parts[0].left + parts[1].right - parts[1].left;
  EXPECT_NEAR(covered,
              pango_metrics().measure("c ", kLineFont).width +
                  pango_metrics().measure("ש", kLineFont).width,
              0.01);
}

TEST(TextLine, SelectsAllOfAnyLine) {
  for (const char* text : kTexts) {
    const TextLine line(text, kLineFont);
    double covered = 0.0;
    for (const XRange& range : line.ranges(0, std::string_view(text).size())) {
      covered += range.right - range.left;
    }
    EXPECT_NEAR(covered, line.width(), 0.01) << text;
  }
}

TEST(TextLine, HasACaretBesideABrokenByte) {
  const TextLine line("a\xFFz", kLineFont);
  EXPECT_LT(line.caret_x(1), line.caret_x(2));
  EXPECT_LT(line.caret_x(2), line.caret_x(3));
}

}  // namespace
}  // namespace attn
