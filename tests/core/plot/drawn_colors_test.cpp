// The rule of all colours: 0 to the largest visible value, on a curve when most would share one
// colour.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "document/load/read.h"
#include "plot/all_plots.h"
#include "plot/colors/color_range.h"
#include "plot/kit/map_needs.h"
#include "plot/maps/heatmap.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/support/drawing.h"
#include "tests/support/fake_result.h"
#include "tests/support/figure_items.h"

namespace attn {
namespace {

using test::computed_case;
using test::computed_example;
using test::computed_json;
using test::ComputedCase;
using test::cross_document;
using test::FakeResult;
using test::FixedMetrics;
using test::problem_of;

constexpr ColorCurve kBends[] = {ColorCurve::Linear, ColorCurve::SquareRoot, ColorCurve::CubeRoot,
                                 ColorCurve::FourthRoot};

double distance(Color a, Color b) {
  return std::hypot(a.r - b.r, std::hypot(a.g - b.g, a.b - b.b));
}

Color color_of(const ColorScale& scale, float value) {
  return scale.map->colors[color_index(scale, value)];
}

TEST(ColorRule, TheLargestDiffersVisiblyFromItsHalfInEveryMap) {
  for (const ColorMap& map : all_colormaps()) {
    for (const ColorCurve curve : kBends) {
      const ColorScale scale{&map, map.diverging ? -0.8F : 0.0F, 0.8F, curve};
      EXPECT_GT(distance(color_of(scale, 0.8F), color_of(scale, 0.4F)), 25.0)
          << map.name << ", " << curve_words(curve);
    }
  }
}

TEST(ColorRule, TakesTheMildestCurveThatShowsMostOfWhatIsThere) {
  EXPECT_EQ(curve_for(0.5), ColorCurve::Linear);
  EXPECT_EQ(curve_for(0.25), ColorCurve::Linear);
  EXPECT_EQ(curve_for(0.24), ColorCurve::SquareRoot);
  EXPECT_EQ(curve_for(1.0 / 15.0), ColorCurve::SquareRoot);
  EXPECT_EQ(curve_for(1.0 / 17.0), ColorCurve::CubeRoot);
  EXPECT_EQ(curve_for(1.0 / 65.0), ColorCurve::FourthRoot);
  EXPECT_EQ(curve_for(0.0), ColorCurve::FourthRoot);
}

TEST(ColorRule, EndsAtTheLargestVisibleFiniteCell) {
  const std::vector<float> cells{0.2F, 0.54F, 0.9F, std::numeric_limits<float>::infinity()};
  const std::vector<HiddenRules> rules{0, 0, kHiddenByCausal, 0};
  const ColorRange range = color_range(of_cells(cells, rules), {});
  EXPECT_EQ(range.low, 0.0F);
  EXPECT_EQ(range.high, 0.54F);
  EXPECT_FALSE(range.beyond_high);
  EXPECT_EQ(range.basis, "range 0 to 0.54");
}

TEST(ColorRule, BendsOnlyWhereNobodyChoseTheRange) {
  std::vector<float> cells(100, 0.001F);
  cells[7] = 0.9F;
  const Statistics seen = of_cells(cells, {});
  PlotOptions options;
  EXPECT_EQ(color_range(seen, options).curve, ColorCurve::FourthRoot);
  for (const ColorSpan span :
       {ColorSpan::Unit, ColorSpan::Head, ColorSpan::Heads, ColorSpan::Percentile}) {
    options.range = span;
    EXPECT_EQ(color_range(seen, options).curve, ColorCurve::Linear);
  }
  options.range = ColorSpan::Automatic;
  options.range_high = 0.5;
  const ColorRange given = color_range(seen, options);
  EXPECT_EQ(given.curve, ColorCurve::Linear);
  EXPECT_TRUE(given.beyond_high);
  EXPECT_EQ(given.basis, "range 0 to 0.5, as set, 1 cell above");
}

// The largest matrix of a figure, which is not its colour bar.
MatrixItem drawn_by(const char* plot, const ComputedCase& of, const PlotOptions& options = {}) {
  const Figure figure = test::draw(plot, of.input(), options, FixedMetrics()).value();
  return *find_matrix(figure);
}

TEST(ColorRule, GivenWeightsOfBothSignsHaveZeroInTheMiddle) {
  const std::string before = R"({"tokens": ["a", "b"], "attention": )";
  for (const char* weights :
       {"[[0.5, -0.25], [0.125, 0.75]]", "[[[1, 2], [3, 4]], [[-5, 1], [0, 2]]]",
        "[[-1e-3, 0], [0, -2e-3]]", R"([[-0.5, "nan"], [0.25, 0.25]])"}) {
    const ComputedCase of = computed_json(before + weights + "}");
    for (const char* plot : {"heatmap", "heads", "token"}) {
      const ColorScale scale = drawn_by(plot, of).scale;
      EXPECT_EQ(scale.map->name, "redblue") << plot << weights;
      EXPECT_EQ(scale.low, -scale.high) << plot << weights;
      PlotOptions options;
      options.colormap = "grey";
      EXPECT_EQ(drawn_by(plot, of, options).scale.map->name, "grey") << "as chosen";
    }
  }
  for (const char* weights : {"[[0.5, 0.5], [0, 1]]", "[[1, -1e-7], [0.5, 0.5]]"}) {
    for (const char* plot : {"heatmap", "heads", "token"}) {
      const ColorScale scale = drawn_by(plot, computed_json(before + weights + "}")).scale;
      EXPECT_EQ(scale.map->name, "viridis") << plot << weights;
    }
  }
}

TEST(ColorRule, PixelsOfSignedWeightsShowTheLargestMagnitude) {
  std::vector<float> cells(64 * 64, 0.25F);
  for (std::size_t i = 0; i < cells.size(); i += 8) cells[i] = -0.5F;
  Document document;
  document.query_tokens = {TokenList(64, "word")};
  document.model =
      GivenWeights{Tensor({1, 64, 64}, cells), {Extent::Heads, Extent::Queries, Extent::Keys}};
  const ComputedCase of = computed_case(std::move(document));
  PlotOptions options;
  options.pixel_budget = 16;
  for (const char* plot : {"heatmap", "heads"}) {
    const MatrixItem map = drawn_by(plot, of, options);
    EXPECT_LT(map.cells->values.front(), 0.0F) << plot;
  }
  const Figure figure = test::draw("heatmap", of.input(), options, FixedMetrics()).value();
  EXPECT_TRUE(test::says(figure, "largest magnitude"));
}

TEST(ColorRule, OfSignedNumbersGoesByTheirMagnitudes) {
  std::vector<float> cells(100, -1e-4F);
  cells[3] = 0.5F;
  cells[4] = -0.9F;
  PlotOptions options;
  options.colormap = "redblue";
  const ColorRange range = color_range(of_cells(cells, {}), options);
  EXPECT_EQ(range.low, -0.9F);
  EXPECT_EQ(range.high, 0.9F);
  EXPECT_EQ(range.curve, ColorCurve::FourthRoot);
  const ColorScale scale = range;
  EXPECT_LT(color_index(scale, -1e-4F), 118) << "seen beside the white of 0";
  EXPECT_EQ(color_index(scale, 0.0F), 128);
}

TEST(ColorRule, APercentileNamesWhatItIsOfAndCountsWhatLiesAbove) {
  std::vector<float> cells;
  for (int i = 0; i < 1600; ++i) cells.push_back(static_cast<float>(i) / 1600.0F);
  PlotOptions options;
  options.range = ColorSpan::Percentile;
  const ColorRange range = color_range(of_cells(cells, {}), options, "this head", true);
  EXPECT_EQ(range.high, 1592.0F / 1600.0F);
  EXPECT_EQ(range.basis, "range 0 to 0.995, 99.5th percentile of the pixels, 7 pixels above");
}

TEST(ColorScale, APlaceAndItsValueAreInverse) {
  for (const ColorCurve curve : kBends) {
    const ColorScale scale{nullptr, -0.3F, 0.3F, curve};
    for (const double value : {-0.3, -0.01, 0.0, 0.07, 0.3}) {
      EXPECT_NEAR(value_at(scale, place_on(scale, value)), value, 1e-9);
    }
  }
}

// --- images -----------------------------------------------------------------------------------

ColorScale scale_in(const Figure& figure) { return find_matrix(figure)->scale; }

TEST(ColorsOfAHeatmap, ADecodeStepShowsItsOneStrongKey) {
  const FakeResult result =
      FakeResult(problem_of(1, 8192)).with(Stage::Weights, [](auto&, auto, std::size_t key) {
        return key == 5000 ? 0.996F : 3e-6F;
      });
  const Figure figure = test::heatmap({{cross_document(1, 8192), result}, {}, FixedMetrics()});
  const ColorScale scale = scale_in(figure);
  EXPECT_EQ(scale.high, 0.996F);
  EXPECT_GT(distance(color_of(scale, 0.996F), color_of(scale, 3e-6F)), 200.0);
  EXPECT_GT(distance(color_of(scale, 0.996F), color_of(scale, 0.498F)), 25.0);
  EXPECT_GT(color_index(scale, 3e-6F), 0);
}

TEST(ColorsOfAHeatmap, ACausalFirstRowIsTheLargestAndLooksIt) {
  AttentionProblem problem = problem_of(7, 7);
  problem.mask.causal = true;
  const FakeResult result =
      FakeResult(problem).with(Stage::Weights, [](auto&, std::size_t row, std::size_t col) {
        return col > row ? 0.0F : row == 0 ? 1.0F : row == 1 && col == 0 ? 0.54F : 0.2F;
      });
  const ColorScale scale =
      scale_in(test::heatmap({{cross_document(7, 7), result}, {}, FixedMetrics()}));
  EXPECT_EQ(scale.high, 1.0F);
  EXPECT_GT(distance(color_of(scale, 1.0F), color_of(scale, 0.54F)), 60.0);
}

// The weight of a texel of a thumbnail, relative to the upper end of its head's colours.
TEST(ColorsOfHeads, AHeadOfOneStrongCellIsNotOfOneColour) {
  const ComputedCase four = computed_example("four-heads");
  const Figure figure = test::draw("heads", four.input(), {}, FixedMetrics()).value();
  const std::vector<MatrixItem> items = test::items_of<MatrixItem>(figure);
  const auto found = std::ranges::find_if(
      items, [](const MatrixItem& item) { return !item.cells->hidden.empty(); });
  ASSERT_NE(found, items.end());
  const MatrixItem& image = *found;
  const Color weak = color_of(image.scale, 0.10F / 0.92F);
  EXPECT_GT(distance(color_of(image.scale, 1.0F), weak), 80.0);
  std::size_t bright = 0, seen = 0;
  for (std::size_t i = 0; i < image.cells->values.size(); ++i) {
    if (image.cells->hidden[i] != kVisible) continue;
    ++seen;
    bright += color_index(image.scale, image.cells->values[i]) > 230 ? 1 : 0;
  }
  EXPECT_LT(bright, seen / 3);
}

TEST(ColorsOfADifference, SmallChangesBesideALargeOneAreNotWhite) {
  AttentionProblem problem = problem_of(60, 60);
  problem.shape.heads = problem.shape.kv_heads = 2;
  const FakeResult result =
      FakeResult(problem).with(Stage::Weights, [](auto& at, std::size_t row, std::size_t col) {
        if (row == 30 && col == 31) return at.head == 0 ? 0.996F : 0.0F;
        return at.head == 0 ? 0.001F : 0.0015F;
      });
  const Result<Figure> figure =
      test::draw("difference", {cross_document(60, 60), result}, {}, FixedMetrics());
  ASSERT_TRUE(figure.ok());
  const ColorScale scale = scale_in(*figure);
  EXPECT_EQ(scale.high, 0.996F);
  EXPECT_GT(distance(color_of(scale, -0.0005F), color_of(scale, 0.0F)), 25.0);
}

TEST(ColorsOfADerivedMap, EndAtTheLargestPixelThatIsDrawn) {
  const ComputedCase own = computed_case(
      read_document(R"({"tokens": 300, "d_model": 8, "heads": 2, "mask": {"causal": true,
                                                                   "window": [20, 0]}})",
                    "w")
          .value()
          .document);
  for (const Pooling pooling : {Pooling::Maximum, Pooling::Mean}) {
    PlotOptions options;
    options.derived = Derived::HeadMean;
    options.pixel_budget = 40;
    options.pooling = pooling;
    const Figure figure = test::draw("derived", own.input(), options, FixedMetrics()).value();
    const MatrixItem& map = *find_matrix(figure);
    float largest = 0.0F;
    for (std::size_t i = 0; i < map.cells->values.size(); ++i) {
      const bool hidden = !map.cells->hidden.empty() && map.cells->hidden[i] != kVisible;
      if (!hidden) largest = std::max(largest, map.cells->values[i]);
    }
    ASSERT_GT(map.row_step, 1U);
    EXPECT_EQ(map.scale.high, largest);
  }
}

// --- too many cells for a frame ---------------------------------------------------------------

AttentionProblem long_problem() {
  AttentionProblem problem;
  problem.shape.heads = problem.shape.kv_heads = 2;
  problem.shape.n_q = 700;
  problem.shape.n_k = 600;
  problem.shape.d_k = problem.shape.d_v = 2;
  problem.mask.causal = true;
  return problem;
}

AttentionProblem small_problem() {
  AttentionProblem problem = long_problem();
  problem.shape.n_q = problem.shape.n_k = 2;
  problem.mask = {};
  return problem;
}

float some_weight(const HeadAddress& at, std::size_t q, std::size_t k) {
  const auto number = static_cast<float>((q * 7919 + k * 104'729 + at.head * 31) % 10'007);
  if (q == 500 && k == 3) return std::numeric_limits<float>::quiet_NaN();
  return static_cast<float>(1 + at.head) * (number - 500.0F) / 10'007.0F;
}

TEST(ColorRange, OfScoresIsOfAllHeadsWhereThatIsAsked) {
  const FakeResult result =
      FakeResult(small_problem()).with(Stage::Scores, [](auto& at, auto row, auto col) {
        return (at.head == 0 ? 1.0F : -3.0F) * (row == col ? 1.0F : 0.5F);
      });
  PlotOptions options;
  options.stage = Stage::Scores;
  options.colormap = "viridis";
  for (const ColorSpan span : {ColorSpan::Head, ColorSpan::Heads}) {
    options.range = span;
    const ColorRange range = test::color_range(result, options);
    EXPECT_EQ(range.low, span == ColorSpan::Heads ? -3.0F : 0.5F);
    EXPECT_EQ(range.high, 1.0F);
    EXPECT_EQ(range.basis,
              span == ColorSpan::Heads ? "range −3 to 1, all heads" : "range 0.5 to 1, this head");
  }
}

TEST(StatisticsNeeds, EndWhenTheyAreCalledOff) {
  const FakeResult result = FakeResult(long_problem()).with(Stage::Weights, some_weight);
  const StatisticsQuestion question{{{Stage::Weights, {}}, {700, 600}}, {false, false, 0.995}};
  for (const std::vector<Need>& needs : {statistics_needs(question), unseeing_needs(result, {})}) {
    ASSERT_FALSE(needs.empty());
    Progress progress;
    progress.cancelled = true;
    const auto made = needs.front().derive({{}, borrowed(result), &progress});
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().kind, ErrorKind::Interrupted);
  }
}

// Masks with all rules, including rows that are hidden completely.
std::vector<Mask> masks() {
  std::vector<Mask> all(5);
  all[0].causal = true;
  all[0].causal_offset = {-20};
  all[1].window = Window{5, 5, 1};
  all[2].key_padding = {std::vector<std::uint8_t>(600, 0)};
  all[2].key_padding[0][300] = 1;
  all[2].causal = true;
  all[3].query_padding = {std::vector<std::uint8_t>(700, 1)};
  all[3].query_padding[0][17] = all[3].query_padding[0][650] = 0;
  all[4].window = Window{3, std::nullopt, 2};
  all[4].sink_tokens = 1;
  all[4].causal = true;
  return all;
}

TEST(UnseeingRows, AreThoseThatTheResultNames) {
  for (const Mask& mask : masks()) {
    AttentionProblem problem = long_problem();
    problem.mask = mask;
    const FakeResult result = FakeResult(problem).with(Stage::Weights, some_weight);
    std::vector<std::size_t> expected;
    for (std::size_t row = 0; row < 700; ++row) {
      if (result.sees_no_key({}, row)) expected.push_back(row);
    }
    Derivations known;
    EXPECT_TRUE(unseeing_rows(&known, result, {}).empty()) << "not known yet";
    for (const Need& need : unseeing_needs(result, {})) {
      known.keep(need.key, need.derive({{}, borrowed(result), nullptr}));
    }
    EXPECT_EQ(unseeing_rows(&known, result, {}), expected);
  }
}

}  // namespace
}  // namespace attn
