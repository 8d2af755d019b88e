// Charts of distributions and distances, and ends of their axes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "base/parsed_number.h"
#include "engine/measures.h"
#include "engine/statistics.h"
#include "lesson/concealed.h"
#include "plot/colors/color_range.h"
#include "plot/kit/chart.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/drawing.h"
#include "tests/support/fake_result.h"
#include "tests/support/figure_items.h"

namespace attn {
namespace {

using test::ComputedCase;
using test::FixedMetrics;
using test::items_of;

const FigureTheme& paper() { return figure_theme(ThemeKind::Paper); }

ComputedCase causal_case() {
  return test::computed_case(
      read_document(R"({"tokens": ["a", "b", "c", "d", "e"], "d_model": 8, "heads": 2,
                        "mask": {"causal": true}})",
                    "curves")
          .value()
          .document);
}

// Bars of the distribution, from the left.
std::vector<Rect> bars_in(const Figure& figure) {
  std::vector<Rect> bars;
  for (const RectItem& item : items_of<RectItem>(figure)) {
    if (item.fill == paper().query && item.radius == 0.0) bars.push_back(item.rect);
  }
  return bars;
}

// Readings of the figure without duplicates, in drawing order.
std::vector<ReadingHit> readings_in(const Figure& figure) {
  std::vector<ReadingHit> readings;
  for (const RectItem& item : items_of<RectItem>(figure)) {
    const auto* reading = std::get_if<ReadingHit>(&item.hit);
    if (reading && (readings.empty() || readings.back() != *reading)) readings.push_back(*reading);
  }
  return readings;
}

Figure curve(const char* plot, const ComputedCase& of, const PlotOptions& options) {
  return test::draw(plot, of.input(), options, FixedMetrics()).value();
}

// Counts have ticks at whole numbers only.
TEST(DistributionPlot, CountsWholeCells) {
  const ComputedCase of = causal_case();
  PlotOptions options;
  options.stage = Stage::Weights;
  const Figure figure = curve("distribution", of, options);
  const double left = bars_in(figure).front().x;
  std::size_t ticks = 0;
  for (const TextItem& item : items_of<TextItem>(figure)) {
    const Result<float> number = parse_number(item.text);
    if (!number || item.anchor.x >= left) continue;
    EXPECT_EQ(*number, std::round(*number)) << item.text;
    ++ticks;
  }
  EXPECT_GT(ticks, 1U);
}

TEST(DistributionPlot, BarsAreAsHighAsTheirCounts) {
  const ComputedCase of = causal_case();
  PlotOptions options;
  options.bins = 6;
  const MatrixPtr matrix = stage_matrix(of.result, {Stage::Weights, {}});
  const Distribution numbers = distribution_of(*matrix, {6});
  const std::vector<Rect> bars = bars_in(curve("distribution", of, options));
  std::vector<std::uint64_t> counts;
  for (const std::uint64_t cells : numbers.cells) {
    if (cells > 0) counts.push_back(cells);
  }
  ASSERT_EQ(bars.size(), counts.size());
  for (std::size_t i = 0; i < bars.size(); ++i) {
    EXPECT_NEAR(bars[i].height / bars[0].height,
                static_cast<double>(counts[i]) / static_cast<double>(counts[0]), 1e-9);
    EXPECT_NEAR(bars[i].y + bars[i].height, bars[0].y + bars[0].height, 1e-9);
  }
}

TEST(DistributionPlot, SaysOfEveryBarHowManyItCounts) {
  const ComputedCase of = causal_case();
  PlotOptions options;
  options.bins = 6;
  const MatrixPtr matrix = stage_matrix(of.result, {Stage::Weights, {}});
  const Distribution numbers = distribution_of(*matrix, {6});
  const double width = (numbers.high - numbers.low) / 6.0;
  const std::vector<ReadingHit> readings = readings_in(curve("distribution", of, options));
  std::size_t at = 0;
  for (std::size_t bin = 0; bin < 6; ++bin) {
    if (numbers.cells[bin] == 0) continue;
    ASSERT_LT(at, readings.size());
    const double from = numbers.low + width * static_cast<double>(bin);
    EXPECT_EQ(readings[at].what, short_text(from) + " to " + short_text(from + width));
    EXPECT_EQ(readings[at++].number, std::to_string(numbers.cells[bin]));
  }
  EXPECT_EQ(at, readings.size());
}

TEST(DistributionPlot, OfScoresSaysHowManyAreHidden) {
  const ComputedCase of = test::computed_case(
      read_document(R"({"tokens": ["a", "b", "c"], "q": [[1, 0], [0, 1], [1, -1]],
                        "k": [[1, 0.5], [0, 1], [9, 9]], "v": [[1, 2], [3, 4], [5, 6]],
                        "mask": {"causal": true}, "scoring": {"scale": 1}})",
                    "scores")
          .value()
          .document);
  PlotOptions options;
  options.stage = Stage::Scores;
  const Figure figure = curve("distribution", of, options);
  EXPECT_NE(figure.alt_text.find("6 cells in"), std::string::npos) << figure.alt_text;
  EXPECT_NE(figure.alt_text.find("3 hidden and not counted"), std::string::npos);
  EXPECT_NE(figure.alt_text.find("Mean 0.3333"), std::string::npos);
}

TEST(CurvePlots, CountNoConcealedCellAsNoNumber) {
  ComputedCase of = causal_case();
  of.result = concealed(of.result, {{Stage::Weights, {}, {1, 0, 1, 2}}});
  for (const char* plot : {"distribution", "distances", "links"}) {
    const Figure figure = curve(plot, of, {});
    EXPECT_TRUE(test::says(figure, "concealed")) << plot;
    for (const char* words : {"finite", "not a number"}) {
      EXPECT_FALSE(test::says(figure, words)) << plot;
    }
  }
  const HeadMeasures measures = measure_head(*of.result, {});
  EXPECT_EQ(left_out_words(measures.left_out), "left out: 1 row that the lesson asks about");
  of.result = concealed(of.result, {{Stage::Weights, {}, {0, 0, 5, 5}}});
  EXPECT_FALSE(test::says(curve("heatmap", of, {}), "range"));
}

TEST(ChartBars, SayCountsAsWholeNumbers) {
  Chart chart;
  chart.x = {0.0, 1.0, 0.0, ""};
  chart.y = {0.0, 3e8, 0.0, ""};
  chart.bars = {{0.0, 1.0, 199'999'000.0, {}}};
  const auto readings = readings_in(draw_chart(test::empty_drawing(), chart, 400.0, 200.0));
  ASSERT_EQ(readings.size(), 1U);
  EXPECT_EQ(readings[0].number, "199,999,000");
}

TEST(DistributionPlot, GoesByTheLogarithmWhereItIsAskedTo) {
  const ComputedCase of = causal_case();
  PlotOptions options;
  options.bins = 3;
  options.axis_log = true;
  const MatrixPtr matrix = stage_matrix(of.result, {Stage::Weights, {}});
  const Distribution numbers = distribution_of(*matrix, {3});
  const std::vector<Rect> bars = bars_in(curve("distribution", of, options));
  std::vector<double> logs;
  for (const std::uint64_t cells : numbers.cells) {
    if (cells > 0) logs.push_back(std::log(static_cast<double>(cells) / 0.5));
  }
  ASSERT_EQ(bars.size(), logs.size());
  for (std::size_t i = 0; i < bars.size(); ++i) {
    EXPECT_NEAR(bars[i].height / bars[0].height, logs[i] / logs[0], 1e-9);
  }
}

TEST(DistributionPlot, CountsBetweenTheEndsThatItIsGivenAndSaysWhatLiesBeyond) {
  const ComputedCase of = causal_case();
  PlotOptions options;
  options.axis_from = 0.5;
  const Figure figure = curve("distribution", of, options);
  EXPECT_NE(figure.alt_text.find("below the axis"), std::string::npos) << figure.alt_text;
  EXPECT_NE(figure.alt_text.find("10 hidden"), std::string::npos) << figure.alt_text;
  options.axis_to = 0.5;
  EXPECT_FALSE(check_axis(options).ok());
}

// Dots of the head's curve, from the left.
std::vector<Point> dots_in(const Figure& figure) {
  std::vector<Point> dots;
  for (const RectItem& item : items_of<RectItem>(figure)) {
    if (item.fill == paper().query && item.radius > 0.0) dots.push_back(test::centre(item.rect));
  }
  return dots;
}

TEST(DistancesPlot, DotsAreTheMeansOfTheDiagonals) {
  const ComputedCase of = causal_case();
  const DistanceProfile profile = distance_profile(*of.result, {});
  const std::vector<Point> dots = dots_in(curve("distances", of, {}));
  ASSERT_EQ(dots.size(), 5U) << "later tokens are hidden";
  const auto mean = [&](std::size_t distance) {
    return profile.weight[4 + distance] / static_cast<double>(profile.cells[4 + distance]);
  };
  const double per = (dots[1].y - dots[0].y) / (mean(1) - mean(0));
  EXPECT_LT(per, 0.0) << "larger is higher";
  for (std::size_t i = 0; i < dots.size(); ++i) {
    EXPECT_NEAR(dots[i].y, dots[0].y + per * (mean(i) - mean(0)), 1e-6);
    EXPECT_NEAR(dots[i].x, dots[0].x + static_cast<double>(i) * (dots[1].x - dots[0].x), 1e-6);
  }
}

TEST(DistancesPlot, SaysOfEveryPointItsMeans) {
  const ComputedCase of = causal_case();
  const DistanceProfile profile = distance_profile(*of.result, {});
  const std::vector<ReadingHit> readings = readings_in(curve("distances", of, {}));
  ASSERT_EQ(readings.size(), 10U) << "of both lines";
  for (std::size_t i = 0; i < 5; ++i) {
    const auto cells = static_cast<double>(profile.cells[4 + i]);
    const std::string place = " at " + std::to_string(i);
    EXPECT_EQ(readings[i].what, "Equal weights over the visible keys" + place);
    EXPECT_EQ(readings[i].number, short_text(profile.equal[4 + i] / cells));
    EXPECT_EQ(readings[5 + i].what, "This head" + place);
    EXPECT_EQ(readings[5 + i].number, short_text(profile.weight[4 + i] / cells));
  }
}

TEST(DistancesPlot, AWideAxisLeavesEachDistanceItsPoint) {
  PlotOptions options;
  options.axis_from = -1e6;
  options.axis_to = 1e6;
  EXPECT_EQ(readings_in(curve("distances", causal_case(), options)).size(), 10U);
}

TEST(DistancesPlot, ShowsNegativeMeans) {
  const ComputedCase of = test::computed_case(
      read_document(R"({"tokens": ["a", "b"], "attention": [[-1, 2], [0.5, 0.5]]})", "curves")
          .value()
          .document);
  const std::vector<ReadingHit> readings = readings_in(curve("distances", of, {}));
  const auto negative = std::ranges::find(readings, "This head at 0", &ReadingHit::what);
  ASSERT_NE(negative, readings.end());
  EXPECT_EQ(negative->number, "−0.25");
}

TEST(DistancesPlot, HasTicksAtWholeDistances) {
  const Figure figure = curve("distances", causal_case(), {});
  EXPECT_TRUE(test::has_text(figure, "3"));
  EXPECT_FALSE(test::has_text(figure, "3.5"));
  EXPECT_FALSE(test::has_text(figure, "3.0"));
}

TEST(DistancesPlot, KeepsBetweenTheEndsThatItIsGiven) {
  PlotOptions options;
  options.axis_from = 1.0;
  options.axis_to = 3.0;
  const ComputedCase of = causal_case();
  const std::vector<Point> dots = dots_in(curve("distances", of, options));
  EXPECT_EQ(dots.size(), 3U);
  options.axis_to = std::nullopt;
  EXPECT_EQ(dots_in(curve("distances", of, options)).size(), 4U);
}

TEST(DistancesPlot, RefusesDifferentSequencesWithTheReason) {
  const ComputedCase of = test::computed_example("translation-alignment");
  const Result<Figure> refused = test::draw("distances", of.input(), {}, FixedMetrics());
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("different sequences"), std::string::npos);
  EXPECT_NE(why_nothing(*plot_named("distances"), *of.result), "");
}

TEST(DistancesPlot, OfManyTokensHasAPointForSeveralDistances) {
  const ComputedCase of = test::computed_case(
      read_document(R"({"tokens": 3000, "d_model": 4})", "curves").value().document);
  const Figure figure = curve("distances", of, {});
  EXPECT_LT(figure.items.size(), 2600U);
  std::string words;
  for (const std::string& text : test::texts_of(figure)) words += text + " ";
  EXPECT_NE(words.find("mean of 6 distances"), std::string::npos) << words;
}

TEST(CurvePlots, TextsKeepTheirDistance) {
  const ComputedCase of = causal_case();
  for (const char* plot : {"distribution", "distances"}) {
    for (const double width : {200.0, 576.0, 1000.0}) {
      for (const bool log : {false, true}) {
        PlotOptions options;
        options.width = width;
        options.axis_log = log;
        EXPECT_EQ(test::text_problems(curve(plot, of, options), FixedMetrics()), "")
            << plot << " " << width;
      }
    }
  }
}

TEST(Chart, LinesEndAtTheEndsOfTheLevelAxis) {
  Chart chart;
  chart.x = {0.0, 10.0, 0.0, ""};
  chart.y = {0.0, 10.0, 0.0, ""};
  chart.series = {{"one", {1, 2, 3}, {{-10.0, 0.0}, {10.0, 10.0}, {30.0, 30.0}}, {}, true}};
  const Figure figure = draw_chart(test::empty_drawing(), chart, 400.0, 300.0);
  std::vector<LineItem> lines;
  double left = 1e300, right = -1e300;
  for (const LineItem& line : items_of<LineItem>(figure)) {
    if (line.color == Color{1, 2, 3}) lines.push_back(line);
    if (line.color == paper().grid) {
      left = line.from.x;
      right = line.to.x;
    }
  }
  ASSERT_EQ(lines.size(), 1U) << "the other one lies beyond";
  EXPECT_NEAR(lines[0].from.x, left, 1e-5);
  EXPECT_NEAR(lines[0].to.x, right, 1e-5);
}

TEST(Chart, TakesOnlyEndsThatLeaveSomething) {
  PlotOptions options;
  options.axis_from = 20.0;
  EXPECT_EQ(with_ends({0.0, 10.0, 0.0, ""}, options).low, 0.0);
  options.axis_from = -5.0;
  EXPECT_EQ(with_ends({0.0, 10.0, 0.0, ""}, options).low, -5.0);
  EXPECT_EQ(with_ends({1.0, 10.0, 10.0, ""}, options).low, 1.0) << "it has no logarithm";
}

}  // namespace
}  // namespace attn
