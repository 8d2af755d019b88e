// The four charts of the √d_k plot, compared with their numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "plot/charts/charts.h"
#include "plot/kit/chart.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/fake_result.h"
#include "tests/support/figure_items.h"

namespace attn {
namespace {

using test::FakeResult;
using test::FixedMetrics;

// The second head has q = ±2 around 1, and k = ±0.5 around 0.
FakeResult result_with(std::size_t d_k) {
  AttentionProblem problem = test::problem_of(4, 6, 2);
  problem.shape.d_k = d_k;
  return FakeResult(problem)
      .with(Stage::Query,
            [](const HeadAddress& at, std::size_t, std::size_t col) {
              return (at.head == 0 ? 5.0F : 1.0F) + (col % 2 == 0 ? 2.0F : -2.0F);
            })
      .with(Stage::Key, [](auto&, auto row, auto) { return row % 2 == 0 ? 0.5F : -0.5F; });
}

TEST(SharpnessInput, MeasuresTheHeadsOwnQueriesAndKeys) {
  const FakeResult result = result_with(8);
  Document document;
  document.seed = 42;
  const SharpnessNumbers in = sharpness_numbers({document, result}, {0, 0, 1});
  EXPECT_TRUE(in.measured);
  EXPECT_DOUBLE_EQ(in.setup.q_mean, 1.0);
  EXPECT_DOUBLE_EQ(in.setup.q_deviation, 2.0);
  EXPECT_DOUBLE_EQ(in.setup.k_mean, 0.0);
  EXPECT_DOUBLE_EQ(in.setup.k_deviation, 0.5);
  EXPECT_EQ(in.setup.keys, 6U);
  EXPECT_EQ(in.setup.seed, 42U);
  EXPECT_EQ(in.d_k, 8U);
}

TEST(SharpnessInput, FallsBackToStandardNormals) {
  const Document document;
  const FakeResult none(test::problem_of(2, 2));
  EXPECT_FALSE(sharpness_numbers({document, none}, {}).measured);
  FakeResult broken(test::problem_of(2, 2));
  broken.with(Stage::Query, [](auto&, auto, auto) { return NAN; });
  broken.with(Stage::Key, [](auto&, auto, auto) { return 1.0F; });
  const SharpnessNumbers in = sharpness_numbers({document, broken}, {});
  EXPECT_FALSE(in.measured);
  EXPECT_EQ(in.setup.q_deviation, 1.0);
  EXPECT_EQ(in.setup.k_mean, 0.0);
}

TEST(SharpnessWidths, AscendAndHoldTheDocuments) {
  EXPECT_EQ(sharpness_widths(0).size(), 10U);
  EXPECT_EQ(sharpness_widths(8), sharpness_widths(0));
  for (const std::size_t d_k : {3U, 513U, 1024U}) {
    const std::vector<std::size_t> widths = sharpness_widths(d_k);
    EXPECT_TRUE(std::ranges::is_sorted(widths));
    EXPECT_EQ(std::ranges::count(widths, d_k), 1);
    EXPECT_EQ(widths.size(), 11U);
  }
  EXPECT_EQ(sharpness_widths(100'000), sharpness_widths(0));
}

// The dots of one colour in drawing order: by chart, then by width.
std::vector<Point> dots_of(const Figure& figure, Color color) {
  std::vector<Point> middles;
  for (const RectItem& item : test::items_of<RectItem>(figure)) {
    if (item.fill == color && item.radius > 0.0) middles.push_back(test::centre(item.rect));
  }
  return middles;
}

TEST(SharpnessPlot, DrawsEveryNumberAtItsHeight) {
  const FakeResult result = result_with(8);
  const Document document;
  const Figure figure = test::draw("sharpness", {document, result}, {}, FixedMetrics()).value();
  const SharpnessNumbers in = sharpness_numbers({document, result}, {});
  const std::vector<std::size_t> widths = sharpness_widths(8);
  const auto points = sharpness_by_width(in.setup, widths);
  const FigureTheme& theme = figure_theme(ThemeKind::Paper);
  const auto scaled = dots_of(figure, theme.query);
  const auto unscaled = dots_of(figure, theme.key);
  ASSERT_EQ(scaled.size(), 4 * widths.size());
  ASSERT_EQ(unscaled.size(), 4 * widths.size());
  const auto check = [&](std::size_t chart, double Sharpness::*value, bool logarithm) {
    const auto height = [&](double v) { return logarithm ? std::log(v) : v; };
    // Two dots of a chart determine its axis; all others must lie on it.
    const std::size_t first = chart * widths.size();
    const double a = height(points.front().unscaled.*value);
    const double b = height(points.back().unscaled.*value);
    const double ya = unscaled[first].y;
    const double per = (unscaled[first + widths.size() - 1].y - ya) / (b - a);
    for (std::size_t i = 0; i < widths.size(); ++i) {
      EXPECT_NEAR(unscaled[first + i].y, ya + per * (height(points[i].unscaled.*value) - a), 1e-6);
      EXPECT_NEAR(scaled[first + i].y, ya + per * (height(points[i].scaled.*value) - a), 1e-6);
      EXPECT_NEAR(scaled[first + i].x, unscaled[first + i].x, 1e-9);
    }
    EXPECT_LT(per, 0.0) << "larger is higher";
  };
  check(0, &Sharpness::variance, true);
  check(1, &Sharpness::largest, false);
}

TEST(SharpnessPlot, SaysThatItIsNotOfTheDocumentsNumbers) {
  const Document document;
  PlotOptions options;
  options.width = 1000.0;
  const FakeResult result = result_with(12);
  const Figure figure =
      test::draw("sharpness", {document, result}, options, FixedMetrics()).value();
  EXPECT_TRUE(test::says(figure, "drawn from seed " + std::to_string(document.seed) +
                                     ", not of this document's numbers"));
}

TEST(SharpnessPlot, HasATitleOfItsOwnUnlessOneIsGiven) {
  Document document;
  document.title = "Cats";
  const FakeResult result = result_with(12);
  PlotOptions options;
  const auto texts = [&] {
    return test::texts_of(
        test::draw("sharpness", {document, result}, options, FixedMetrics()).value());
  };
  EXPECT_EQ(texts().front(), "Why scores are divided by √d_k");
  options.title = "Mine";
  EXPECT_EQ(texts().front(), "Mine");
  options.title = kNoTitle;
  EXPECT_TRUE(texts().front().starts_with("Softmax of random"));
}

TEST(SharpnessPlot, FitsAPageOfPaper) {
  const FakeResult result = result_with(12);
  for (const double width : {241.0, 482.0}) {
    PlotOptions options;
    options.width = width;
    const Figure figure = test::draw("sharpness", {{}, result}, options, pango_metrics()).value();
    EXPECT_LE(figure.height, 9.5 * 72.0) << width;
  }
}

TEST(SharpnessPlot, TextsKeepTheirDistance) {
  const Document document;
  for (const double width : {200.0, 576.0, 1000.0}) {
    PlotOptions options;
    options.width = width;
    const FakeResult result = result_with(12);
    const Figure figure =
        test::draw("sharpness", {document, result}, options, FixedMetrics()).value();
    EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "") << width;
  }
}

}  // namespace
}  // namespace attn
