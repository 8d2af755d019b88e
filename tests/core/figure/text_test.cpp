// Measuring, drawing, wrapping and shortening of text.
#include "figure/text.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/fake_result.h"

namespace attn {
namespace {

const FontStyle kFont{10.0, false, false};
constexpr Color kBlack{0, 0, 0, 255};

struct Ink {
  int left = 1 << 30, top = 1 << 30, right = -1, bottom = -1;
  bool any() const { return right >= 0; }
};

Ink ink_of(const TextPicture& picture) {
  Ink ink;
  for (int y = 0; y < picture.height_px; ++y) {
    for (int x = 0; x < picture.width_px; ++x) {
      if (picture.rgba[static_cast<std::size_t>(4 * (y * picture.width_px + x) + 3)] == 0) continue;
      ink.left = std::min(ink.left, x);
      ink.right = std::max(ink.right, x);
      ink.top = std::min(ink.top, y);
      ink.bottom = std::max(ink.bottom, y);
    }
  }
  return ink;
}

TEST(PangoMetrics, WidthGrowsWithTheTextAndTheSize) {
  const TextMetrics& metrics = pango_metrics();
  EXPECT_EQ(metrics.measure("", kFont).width, 0.0);
  EXPECT_GT(metrics.measure("", kFont).ascent, 0.0);
  const double one = metrics.measure("m", kFont).width;
  EXPECT_GT(one, 0.0);
  EXPECT_NEAR(metrics.measure("mmmm", kFont).width, 4 * one, 0.05);
  EXPECT_NEAR(metrics.measure("attention", {40.0, false, false}).width,
              4 * metrics.measure("attention", kFont).width, 0.1);
}

TEST(PangoMetrics, BoldAndMonospaceAreOtherFonts) {
  const TextMetrics& metrics = pango_metrics();
  EXPECT_NE(metrics.measure("illicit", {10.0, true, false}).width,
            metrics.measure("illicit", kFont).width);
  EXPECT_NEAR(metrics.measure("iiii", {10.0, false, true}).width,
              metrics.measure("mmmm", {10.0, false, true}).width, 1e-6);
}

TEST(PangoMetrics, LineBreaksAndBadBytesStayOneLine) {
  const TextMetrics& metrics = pango_metrics();
  const TextExtent two = metrics.measure("a\nb", kFont);
  EXPECT_LT(two.ascent + two.descent, 20.0);
  EXPECT_GT(metrics.measure("a\xff\xfe", kFont).width, metrics.measure("a", kFont).width);
}

TEST(DrawText, PictureHoldsAllInkWithAMargin) {
  for (const char* text : {"fjord", "Ágyj", "sat", "我爱", "مرحبا", "日本", "😀", "f", "Å"}) {
    for (const double scale : {1.0, 1.5, 3.0}) {
      const TextPicture picture = draw_text(text, {14.0, false, false}, kBlack, scale);
      const Ink ink = ink_of(picture);
      ASSERT_TRUE(ink.any()) << text;
      EXPECT_GT(ink.left, 0) << text;
      EXPECT_GT(ink.top, 0) << text;
      EXPECT_LT(ink.right, picture.width_px - 1) << text;
      EXPECT_LT(ink.bottom, picture.height_px - 1) << text;
    }
  }
}

TEST(DrawText, PictureIsAsWideAsTheMeasuredTextAtEveryScale) {
  const double width = pango_metrics().measure("attention", kFont).width;
  for (const double scale : {1.0, 2.0, 4.0}) {
    const TextPicture picture = draw_text("attention", kFont, kBlack, scale);
    EXPECT_NEAR(picture.width_px - 2 * picture.pen_px, width * scale, 2.0);
  }
}

TEST(DrawText, ColoursAreNotPremultiplied) {
  const TextPicture picture = draw_text("mm", {20.0, true, false}, {200, 100, 50, 255}, 1.0);
  for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
    if (picture.rgba[i + 3] < 128) continue;
    EXPECT_NEAR(picture.rgba[i], 200, 3);
    EXPECT_NEAR(picture.rgba[i + 1], 100, 3);
    EXPECT_NEAR(picture.rgba[i + 2], 50, 3);
  }
}

TEST(DrawText, NothingHasTheColourOfTheInk) {
  const TextPicture picture = draw_text("mm", {20.0, true, false}, {200, 100, 50, 255}, 1.0);
  std::size_t clear = 0;
  for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
    if (picture.rgba[i + 3] != 0) continue;
    ++clear;
    EXPECT_EQ(picture.rgba[i], 200);
    EXPECT_EQ(picture.rgba[i + 1], 100);
    EXPECT_EQ(picture.rgba[i + 2], 50);
  }
  EXPECT_GT(clear, 0U);
}

TEST(DrawText, EmptyTextIsASmallClearPicture) {
  const TextPicture picture = draw_text("", kFont, kBlack, 1.0);
  EXPECT_GT(picture.width_px, 0);
  EXPECT_FALSE(ink_of(picture).any());
}

TEST(Fitted, KeepsWhatFitsAndCutsTheRest) {
  const TextMetrics& metrics = pango_metrics();
  EXPECT_EQ(fitted(metrics, "cats", kFont, 200.0), "cats");
  const std::string cut = fitted(metrics, "internationalisation", kFont, 50.0);
  EXPECT_LE(metrics.measure(cut, kFont).width, 50.0);
  EXPECT_TRUE(cut.ends_with("…"));
  EXPECT_TRUE(cut.starts_with("intern"));
  EXPECT_EQ(fitted(metrics, "internationalisation", kFont, 1.0), "");
  const std::string numbered = fitted(metrics, "internationalisation (12)", kFont, 90.0);
  EXPECT_TRUE(numbered.starts_with("i") && numbered.ends_with("… (12)")) << numbered;
}

TEST(Fitted, DoesNotCutInsideALetter) {
  const TextMetrics& metrics = pango_metrics();
  const std::string family = "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧";
  const double one = metrics.measure("👨‍👩‍👧", kFont).width;
  const std::string cut = fitted(metrics, family, kFont, one * 1.5 + 10.0);
  EXPECT_EQ(cut, "👨‍👩‍👧…");
  const std::string accents = "e\u0301e\u0301e\u0301e\u0301";
  const std::string shorter = fitted(metrics, accents, kFont, 18.0);
  EXPECT_EQ((shorter.size() - std::string("…").size()) % 3, 0U) << shorter;
}

TEST(PenOffset, AlignsAboutTheAnchor) {
  TextItem item;
  item.font.size = 10.0;
  const TextExtent extent{30.0, 8.0, 3.0};
  EXPECT_EQ(pen_offset(item, extent), (Point{0, 0}));
  item.halign = HAlign::Center;
  item.valign = VAlign::Top;
  EXPECT_EQ(pen_offset(item, extent), (Point{-15, 8}));
  item.halign = HAlign::Right;
  item.valign = VAlign::Middle;
  EXPECT_EQ(pen_offset(item, extent), (Point{-30, 0.36 * 10.0}));
}

TEST(Wrapped, KeepsAPercentSignWithItsNumber) {
  const test::FixedMetrics metrics(1.0);
  EXPECT_EQ(wrapped(metrics, "takes 41 % of it", FontStyle{1.0}, 9.0, 3),
            (std::vector<std::string>{"takes", "41 % of", "it"}));
}

TEST(Wrapped, BreaksAtBlanksAndCutsTheLastLine) {
  const test::FixedMetrics metrics(1.0);
  const FontStyle font{1.0, false, false};
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrapped(metrics, "", font, 10.0, 2), Lines{});
  EXPECT_EQ(wrapped(metrics, "one line", font, 10.0, 2), Lines{"one line"});
  EXPECT_EQ(wrapped(metrics, "the cat sat down", font, 9.0, 2), (Lines{"the cat", "sat down"}));
  EXPECT_EQ(wrapped(metrics, "the cat sat down there", font, 9.0, 2),
            (Lines{"the cat", "sat down…"}));
  EXPECT_EQ(wrapped(metrics, "我爱人工智能和猫", font, 5.0, 2), (Lines{"我爱人工智", "能和猫"}));
  EXPECT_EQ(wrapped(metrics, "我爱猫和狗、鸟。", font, 5.0, 2), (Lines{"我爱猫和", "狗、鸟。"}));
  EXPECT_EQ(wrapped(metrics, "看 cat，它在睡。", font, 5.0, 3), (Lines{"看", "cat，它", "在睡。"}));
  EXPECT_EQ(wrapped(metrics, "to neighbours", font, 10.0, 2), (Lines{"to", "neighbours"}));
  EXPECT_EQ(wrapped(metrics, "to neighbours", font, 9.0, 2), (Lines{"to neighb", "ours"}));
  EXPECT_EQ(wrapped(metrics, "the cat", font, 3.0, 1), Lines{"th…"});
}

}  // namespace
}  // namespace attn
