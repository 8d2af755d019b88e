// Labels of very long axes: few more than those drawn are made and measured.
#include <gtest/gtest.h>

#include "plot/kit/cells.h"
#include "plot/maps/heatmap.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/support/drawing.h"
#include "tests/support/fake_result.h"

namespace attn {
namespace {

using namespace test;

constexpr std::size_t kLongAxis = 131072;

class CountingMetrics final : public TextMetrics {
 public:
  TextExtent measure(std::string_view text, const FontStyle& font) const override {
    ++measured;
    return FixedMetrics().measure(text, font);
  }
  mutable std::size_t measured = 0;
};

Document counted_keys(TokenList keys) {
  Document document;
  document.cross = true;
  document.query_tokens = {{"a", "b"}};
  document.key_tokens = {std::move(keys)};
  return document;
}

MatrixAxis key_axis(std::size_t count) { return {"", count, true, Side::Key}; }

double widest_of(const TokenList& keys, const CountingMetrics& metrics, std::size_t stride = 1) {
  return widest_label(counted_keys(keys), key_axis(keys.size()), stride, {10.0, false, false},
                      metrics, 1e9);
}

TEST(LongLabels, OfNumbersAreMeasuredOnce) {
  const CountingMetrics metrics;
  const double widest = widest_of(TokenList::counted(kLongAxis), metrics);
  EXPECT_EQ(metrics.measured, 1U);
  EXPECT_EQ(widest, FixedMetrics().measure("131071", {10.0, false, false}).width);
}

TEST(LongLabels, OfNamesAreMeasuredBySamples) {
  const CountingMetrics metrics;
  widest_of(TokenList(kLongAxis, "word"), metrics);
  EXPECT_LE(metrics.measured, 600U);
  const CountingMetrics few;
  EXPECT_EQ(widest_of(TokenList::counted(9, {{3, "elephant"}}), few),
            FixedMetrics().measure("elephant", {10.0, false, false}).width);
}

TEST(LongLabels, OfAStrideAreThoseThatAreWritten) {
  const CountingMetrics metrics;
  const auto width = [](const char* text) {
    return FixedMetrics().measure(text, {10.0, false, false}).width;
  };
  for (const std::size_t written : {0U, 2U, 4U}) {
    EXPECT_EQ(widest_of(TokenList::counted(6, {{written, "elephant"}}), metrics, 2),
              width("elephant"));
  }
  for (const std::size_t left_out : {1U, 3U, 5U}) {
    EXPECT_EQ(widest_of(TokenList::counted(6, {{left_out, "elephant"}}), metrics, 2), width("4"));
  }
}

// Zoomed into the middle, to thirty columns.
TEST(LongLabels, CostAHeatmapAsMuchAsShortOnes) {
  const auto measured = [](std::size_t keys, double first) {
    const FakeResult result =
        FakeResult(problem_of(2, keys)).with(Stage::Weights, [](auto&, auto, auto key) {
          return static_cast<float>(key % 7) / 7.0F;
        });
    PlotOptions options;
    options.window = {0, first, 2, 30};
    const CountingMetrics metrics;
    const Document document = counted_keys(TokenList::counted(keys));
    EXPECT_TRUE(has_text(heatmap({{document, result}, options, metrics}),
                         std::to_string(static_cast<std::size_t>(first) + 1)));
    return metrics.measured;
  };
  const std::size_t few = measured(40, 10), many = measured(kLongAxis, 70000);
  EXPECT_LE(many, few + 100);
}

TEST(LongLabels, AreThoseOfEveryStrideInView) {
  Figure figure;
  const Document document = counted_keys(TokenList::counted(kLongAxis));
  const FakeResult result(problem_of(2, kLongAxis));
  const FixedMetrics metrics;
  CellPanel panel{{{document, result}, {}, metrics}};
  panel.rows = key_axis(kLongAxis);
  panel.clip = {100, 0, 50, 400};
  panel.window = {65000.25, 0.0, 1000.0, 1.0};
  panel.row_labels = 80.0;
  add_row_labels(figure, panel, {});
  std::vector<std::string> texts;
  for (const TextItem& text : items_of<TextItem>(figure)) texts.push_back(text.text);
  ASSERT_EQ(texts.size(), 20U);
  EXPECT_EQ(texts.front(), "65001") << "tokens without names count from 1";
  EXPECT_EQ(texts.back(), "65951");
}

}  // namespace
}  // namespace attn
