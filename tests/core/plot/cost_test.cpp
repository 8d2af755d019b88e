// Table, curves and sentences of the cost plot, compared with the arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "plot/charts/charts.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/drawing.h"
#include "tests/support/fake_result.h"
#include "tests/support/figure_items.h"

namespace attn {
namespace {

using test::FakeResult;
using test::FixedMetrics;
using test::texts_of;

AttentionProblem layer(std::size_t n) {
  AttentionProblem problem = test::problem_of(n, n, 2);
  problem.shape.d_k = problem.shape.d_v = 8;
  problem.shape.d_model = 16;
  return problem;
}

TEST(CostChart, LinesDifferWithoutTheirColours) {
  const Chart chart = cost_chart(*cost_basis(layer(30), 3), figure_theme(ThemeKind::Paper));
  std::set<std::vector<double>> dashes;
  for (const ChartSeries& series : chart.series) dashes.insert(series.dash);
  EXPECT_EQ(dashes.size(), chart.series.size());
}

TEST(CostChart, LinesAreTheOperationsOfEveryKind) {
  const LayerSize basis = *cost_basis(layer(30), 3);
  const Chart chart = cost_chart(basis, figure_theme(ThemeKind::Paper));
  ASSERT_EQ(chart.series.size(), all_layer_kinds().size());
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    EXPECT_EQ(chart.series[i].name, all_layer_kinds()[i].label);
    for (const Point& point : chart.series[i].points) {
      LayerSize size = basis;
      size.n = point.x;
      EXPECT_DOUBLE_EQ(point.y, all_layer_kinds()[i].cost(size).operations);
      EXPECT_GE(share_of(chart.x, point.x), -1e-9);
      EXPECT_LE(share_of(chart.x, point.x), 1.0 + 1e-9);
      EXPECT_GE(share_of(chart.y, point.y), -1e-9);
      EXPECT_LE(share_of(chart.y, point.y), 1.0 + 1e-9);
    }
  }
  EXPECT_EQ(chart.mark, 30.0);
  ASSERT_EQ(chart.crossings.size(), 2U);
  EXPECT_EQ(chart.crossings[0], (Point{8.0, 8.0 * 16.0 * 16.0}));
  EXPECT_EQ(chart.crossings[1], (Point{24.0, 3.0 * 24.0 * 16.0 * 16.0}));
}

TEST(CostPlot, ShowsEveryNumberOfTheTable) {
  const FakeResult result(layer(30));
  const Document document;
  PlotOptions options;
  options.kernel = 5;
  const Figure figure = cost_plot({{document, result}, options, FixedMetrics(0.3)}).value();
  const std::vector<std::string> texts = texts_of(figure);
  const LayerSize basis = *cost_basis(result.problem(), 5);
  for (const LayerKindInfo& info : all_layer_kinds()) {
    const LayerCost cost = info.cost(basis);
    for (const double number : {cost.operations, cost.steps, cost.path, cost.memory}) {
      EXPECT_TRUE(std::ranges::count(texts, count_text(number)) > 0) << number;
    }
  }
  EXPECT_TRUE(std::ranges::count(texts, "38,400") > 0) << "k · n · d² by hand";
}

TEST(CostPlot, SentencesTellTheNumbers) {
  const LayerSize basis = *cost_basis(layer(30), 5);
  EXPECT_EQ(
      crossing_sentence(basis),
      "Self-attention takes more operations than recurrence when n > d / 2 = 8, and more than "
      "convolution when n > k · d / 2 = 40.");
  EXPECT_EQ(head_sentence(layer(30).shape),
            "Multi-head attention with 2 heads of width 8 over 16 columns has 1,024 parameters in "
            "W_Q, W_K, W_V and W_O, as many as one head of width 16; one head of width 8 has 512.");
  EXPECT_EQ(head_sentence({.n_q = 2, .n_k = 2}), "");
}

TEST(CostPlot, RefusesFinishedWeights) {
  AttentionProblem problem = layer(30);
  problem.shape.d_model = problem.shape.d_k = 0;
  const FakeResult result(problem);
  const Result<Figure> refused = test::draw("cost", {Document(), result}, {}, FixedMetrics());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::Usage);
}

TEST(CostPlot, TextsKeepTheirDistance) {
  const Document document;
  for (const std::size_t n : {1U, 30U, 100'000U}) {
    for (const double width : {200.0, 576.0, 1000.0}) {
      PlotOptions options;
      options.width = width;
      const FakeResult result(layer(n));
      const Figure figure = cost_plot({{document, result}, options, FixedMetrics()}).value();
      EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "") << width << " " << n;
    }
  }
}

TEST(CostPlot, HeadingsGoOnInASecondLine) {
  const FakeResult result(layer(30));
  const Document document;
  PlotOptions options;
  options.width = 220.0;
  const std::vector<std::string> texts =
      texts_of(cost_plot({{document, result}, options, FixedMetrics()}).value());
  EXPECT_TRUE(std::ranges::none_of(texts, [](const std::string& text) {
    return text.starts_with("Cost of") && text.ends_with("…");
  }));
}

TEST(DrawTable, BreaksTextsBeforeItCutsThem) {
  const std::vector<TableRow> rows = {{{"Layer", ""}, {"Sequential steps", ""}},
                                      {{"Restricted to neighbours", ""}, {"1", "n · d"}}};
  const Figure wide = draw_table(test::empty_drawing(), rows, 1000.0);
  EXPECT_EQ(texts_of(wide), (std::vector<std::string>{"Layer", "Sequential steps",
                                                      "Restricted to neighbours", "1", "n · d"}));
  const Figure narrow = draw_table(test::empty_drawing(), rows, 170.0);
  EXPECT_EQ(texts_of(narrow),
            (std::vector<std::string>{"Layer", "Sequential", "steps", "Restricted to", "neighbours",
                                      "1", "n · d"}));
  EXPECT_EQ(test::text_problems(narrow, FixedMetrics()), "");
  std::string words;
  for (const std::string& text : texts_of(draw_table(test::empty_drawing(), rows, 90.0))) {
    words += text + " ";
  }
  EXPECT_EQ(words, "Layer Sequential steps Restricted to neighbours 1 n · d ") << "smaller letters";
}

TEST(CountText, IsForPeople) {
  EXPECT_EQ(count_text(0.0), "0");
  EXPECT_EQ(count_text(999.0), "999");
  EXPECT_EQ(count_text(1234567.0), "1,234,567");
  EXPECT_EQ(count_text(2.5e12), "2.5 × 10¹²");
  EXPECT_EQ(count_text(INFINITY), "∞");
}

// Dashes continue along the line, however many segments it has.
TEST(DrawChart, DashesGoOnFromPartToPart) {
  Chart chart;
  chart.x = {0.0, 40.0, 0.0, "x"};
  chart.y = {0.0, 4.0, 0.0, ""};
  ChartSeries series{"line", {1, 2, 3, 255}, {}, {8.0, 2.0, 1.5, 2.0}, false};
  for (int i = 0; i <= 40; ++i) series.points.push_back({static_cast<double>(i), i % 2 + 1.0});
  chart.series = {series};
  const Figure figure = draw_chart(test::empty_drawing(), chart, 300.0, 200.0);
  double before = 0.0;
  int parts = 0;
  for (const LineItem& item : test::items_of<LineItem>(figure)) {
    if (item.color != Color{1, 2, 3, 255}) continue;
    ++parts;
    EXPECT_NEAR(std::remainder(item.dash_phase - before, 13.5), 0.0, 1e-6) << parts;
    before += std::hypot(item.to.x - item.from.x, item.to.y - item.from.y);
  }
  EXPECT_EQ(parts, 40);
}

std::vector<std::string> texts_of_axes(const ChartAxis& x, const ChartAxis& y,
                                       double width = 300.0) {
  Chart chart;
  chart.x = x;
  chart.y = y;
  return test::texts_of(draw_chart(test::empty_drawing(), chart, width, 200.0));
}

bool holds(const std::vector<std::string>& texts, const std::string& text) {
  return std::ranges::find(texts, text) != texts.end();
}

TEST(DrawChart, NumbersOfAnAxisHaveOneForm) {
  const auto far = texts_of_axes({10.0, 1e4, 10.0, "x"}, {0.0, 1.5e6, 0.0, "y"});
  for (const char* text :
       {"10¹", "10²", "10³", "10⁴", "0", "0.2 × 10⁶", "1.0 × 10⁶", "1.4 × 10⁶"}) {
    EXPECT_TRUE(holds(far, text)) << text;
  }
  const auto near = texts_of_axes({0.1, 1000.0, 10.0, "x"}, {-40000.0, 40000.0, 0.0, "y"});
  for (const char* text : {"0.1", "1", "10", "100", "1,000", "−40,000", "0", "20,000"}) {
    EXPECT_TRUE(holds(near, text)) << text;
  }
  EXPECT_TRUE(holds(texts_of_axes({0.0, 1.0, 0.0, ""}, {0.0, 2e-4, 0.0, ""}), "0.5 × 10⁻⁴"));
}

TEST(DrawChart, TitlesStandAtTheirAxesAndAreNeverCut) {
  const std::string x = "Position of the query − position of the key (tokens)";
  const std::string y = "Mean weight of the visible cells";
  for (const double width : {180.0, 250.0, 600.0}) {
    Chart chart{.x = {0.0, 1.0, 0.0, x}, .y = {0.0, 1.0, 0.0, y}};
    const Figure figure = draw_chart(test::empty_drawing(), chart, width, 150.0);
    std::string level, turned;
    for (const TextItem& text : test::items_of<TextItem>(figure)) {
      const bool is_number = text.text.find_first_not_of("0123456789.") == std::string::npos;
      if (!is_number) (text.degrees == 90.0 ? turned : level) += text.text + " ";
    }
    EXPECT_EQ(level, x + " ") << width;
    EXPECT_EQ(turned, y + " ") << width;
    EXPECT_EQ(test::text_problems(figure, test::FixedMetrics()), "") << width;
  }
}

TEST(DrawChart, PutsPointsWhereTheirAxesSay) {
  Chart chart;
  chart.x = {1.0, 100.0, 10.0, "x"};
  chart.y = {0.0, 4.0, 0.0, ""};
  chart.series = {{"line", {1, 2, 3, 255}, {{1.0, 0.0}, {10.0, 2.0}, {100.0, 4.0}}, {}, true},
                  {"gone", {4, 5, 6, 255}, {{0.0, 1.0}, {10.0, NAN}}, {}, true}};
  const Figure figure = draw_chart(test::empty_drawing(), chart, 300.0, 200.0);
  std::vector<Point> dots;
  for (const RectItem& item : test::items_of<RectItem>(figure)) {
    EXPECT_NE(item.fill, (Color{4, 5, 6, 255})) << "nowhere on a logarithmic axis";
    if (item.fill == Color{1, 2, 3, 255}) dots.push_back(test::centre(item.rect));
  }
  ASSERT_EQ(dots.size(), 3U);
  EXPECT_NEAR(dots[1].x, (dots[0].x + dots[2].x) / 2.0, 1e-9);
  EXPECT_NEAR(dots[1].y, (dots[0].y + dots[2].y) / 2.0, 1e-9);
  EXPECT_LT(dots[2].y, dots[0].y);
}

}  // namespace
}  // namespace attn
