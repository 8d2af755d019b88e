// Font sizes match the options, and numbers have minus signs.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/utf8.h"
#include "figure/text.h"
#include "plot/kit/cells.h"
#include "plot/maps/heatmap.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/support/drawing.h"
#include "tests/support/fake_result.h"

namespace attn {
namespace {

using test::computed_example;
using test::ComputedCase;
using test::FakeResult;
using test::FixedMetrics;
using test::has_text;
using test::items_of;

Figure drawn(const char* plot, const char* example, const PlotOptions& options) {
  const ComputedCase computed = computed_example(example);
  const Result<Figure> figure = test::draw(plot, computed.input(), options, pango_metrics());
  EXPECT_TRUE(figure.ok()) << plot << " of " << example;
  return figure.ok() ? *figure : Figure();
}

bool is_number(const std::string& text) {
  return text.find_first_not_of("0123456789.−") == std::string::npos;
}

TEST(Lettering, NoWordIsMuchSmallerThanAskedFor) {
  const std::pair<const char*, const char*> cases[] = {
      {"heatmap", "i-love-cats"},       {"derived", "four-heads"}, {"difference", "four-heads"},
      {"alignment", "encoder-decoder"}, {"compare", "four-heads"}, {"positions", "rope"},
      {"sharpness", "i-love-cats"},     {"cost", "i-love-cats"}};
  for (const double font : {8.0, 10.0, 14.0}) {
    PlotOptions options;
    options.font_size = font;
    options.width = 72.0 * font;
    for (const auto& [plot, example] : cases) {
      for (const TextItem& text : items_of<TextItem>(drawn(plot, example, options))) {
        if (is_number(text.text)) continue;
        EXPECT_GE(text.font.size, font - 1.5 - 1e-9) << plot << ": " << text.text;
      }
    }
  }
}

bool has_east_asian(const std::string& text) {
  return std::ranges::any_of(code_points(text), is_east_asian);
}

TEST(Lettering, ChineseLettersStandUpright) {
  const ComputedCase computed = test::computed_json(
      R"({"tokens": ["我", "喜欢", "可爱", "的", "猫", "因为它们非常非常温柔", "而且", "安静", "GPT",
                     "。"], "d_model": 8, "heads": 2})");
  for (const char* plot : {"heatmap", "links", "token", "difference", "derived", "compare"}) {
    for (const double width : {180.0, 241.0, 482.0, 900.0}) {
      PlotOptions options;
      options.width = width;
      options.font_size = 8.0;
      std::string letters;
      const Result<Figure> figure = test::draw(plot, computed.input(), options, pango_metrics());
      ASSERT_TRUE(figure.ok()) << plot;
      for (const TextItem& text : items_of<TextItem>(*figure)) {
        if (!has_east_asian(text.text)) continue;
        EXPECT_EQ(text.degrees, 0.0) << plot << ": " << text.text;
        letters += text.text;
      }
      EXPECT_NE(letters.find("猫"), std::string::npos) << plot << ", " << width;
    }
  }
}

// Draws in the window's usual size, in whole and in split panes.
TEST(Lettering, SentencesOnScreenAreLegibleAndWhole) {
  const std::pair<const char*, const char*> cases[] = {
      {"heatmap", "four-heads"},  {"heads", "four-heads"},         {"links", "four-heads"},
      {"measures", "four-heads"}, {"derived", "four-heads"},       {"compare", "four-heads"},
      {"cost", "i-love-cats"},    {"alignment", "encoder-decoder"}};
  PlotOptions options;
  options.on_screen = true;
  options.font_size = 12.5;
  for (const double width : {400.0, 800.0}) {
    options.width = width;
    for (const auto& [plot, example] : cases) {
      for (const TextItem& text : items_of<TextItem>(drawn(plot, example, options))) {
        constexpr std::size_t kSentence = 30;
        if (text.text.size() < kSentence) continue;
        EXPECT_GE(text.font.size, 11.0) << plot << ": " << text.text;
        EXPECT_EQ(text.text.find("…"), std::string::npos) << plot << ": " << text.text;
      }
    }
  }
}

TEST(Lettering, TokensAndTicksHaveTheSizeAskedFor) {
  const Figure figure = drawn("heatmap", "i-love-cats", {});
  std::size_t labels = 0;
  for (const TextItem& text : items_of<TextItem>(figure)) {
    const bool is_token = std::holds_alternative<TokenHit>(text.hit);
    if (is_token || text.text == "0.0" || text.text == "0.2") {
      EXPECT_EQ(text.font.size, 10.0) << text.text;
      ++labels;
    }
  }
  EXPECT_GE(labels, 7U);
}

Figure square(std::size_t side, const PlotOptions& options) {
  const FakeResult result =
      FakeResult(test::problem_of(side, side)).with(Stage::Scores, [](auto&, auto row, auto col) {
        return row == col ? -3.14159F : 0.25F;
      });
  PlotOptions of_scores = options;
  of_scores.stage = Stage::Scores;
  return test::heatmap({{test::cross_document(side, side), result}, of_scores, FixedMetrics()});
}

TEST(Lettering, NumbersInCellsAreNeitherLargerThanLabelsNorTooSmallToRead) {
  for (const double font : {5.0, 7.0, 10.0, 16.0}) {
    for (std::size_t side = 2; side < 30; ++side) {
      PlotOptions options;
      options.font_size = font;
      const Figure figure = square(side, options);
      for (const TextItem& text : items_of<TextItem>(figure)) {
        if (text.text != "−3.14" && text.text != "0.25") continue;
        EXPECT_LE(text.font.size, font + 1e-9);
        EXPECT_GE(text.font.size, kSmallestNumber);
      }
      const bool is_said = !why_no_numbers(figure, options, FixedMetrics()).empty();
      EXPECT_NE(has_text(figure, "0.25"), is_said) << side << " at " << font;
    }
  }
}

TEST(Lettering, ManyDecimalsSayWhyThereAreNoNumbers) {
  PlotOptions options;
  options.decimals = 9;
  EXPECT_EQ(why_no_numbers(square(3, options), options, FixedMetrics()), "");
  const std::string why = why_no_numbers(square(12, options), options, FixedMetrics());
  EXPECT_TRUE(why.starts_with("the cells have no numbers: in letters of 6 points")) << why;
  options.values = false;
  EXPECT_EQ(why_no_numbers(square(12, options), options, FixedMetrics()), "");
}

TEST(Lettering, NumbersHaveMinusSigns) {
  const Figure figure = square(3, {});
  EXPECT_TRUE(has_text(figure, "−3.14"));
  EXPECT_TRUE(has_text(figure, "−2"));
  for (const std::string& text : test::texts_of(figure))
    EXPECT_FALSE(text.starts_with("-")) << text;
  EXPECT_EQ(with_minus("-1.2e-08"), "−1.2·10⁻⁸");
  EXPECT_EQ(with_minus("3.487e+05"), "3.487·10⁵");
  EXPECT_EQ(with_minus("nan"), "nan");
}

TEST(Lettering, LabelsTakeTheTurnThatShowsTheMost) {
  PlotOptions options;
  options.width = 238.0;
  options.font_size = 8.0;
  Document document = test::cross_document(15, 15);
  const FakeResult result =
      FakeResult(test::problem_of(15, 15)).with(Stage::Weights, test::cell_value);
  const Figure figure = test::heatmap({{document, result}, options, pango_metrics()});
  for (std::size_t i = 0; i < 15; ++i) {
    EXPECT_TRUE(has_text(figure, "k" + std::to_string(i))) << i;
    EXPECT_TRUE(has_text(figure, "q" + std::to_string(i))) << i;
  }
}

TEST(Lettering, DivergingColoursOfWeightsSayTheRangeThatTheBarShows) {
  const FakeResult result =
      FakeResult(test::problem_of(4, 4)).with(Stage::Weights, test::cell_value);
  PlotOptions options;
  options.colormap = "redblue";
  options.range = ColorSpan::Unit;
  const Figure figure =
      test::heatmap({{test::cross_document(4, 4), result}, options, FixedMetrics()});
  EXPECT_TRUE(has_text(figure, "−1.0"));
  EXPECT_TRUE(has_text(figure, "−1 to 1, even"));
}

}  // namespace
}  // namespace attn
