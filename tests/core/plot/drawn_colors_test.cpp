// Ranges of colours: weights from 0 to 1, bent by the number of keys; other numbers between round
// ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/special_numbers.h"
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

constexpr std::size_t kNumbersOfKeys[] = {1, 2, 3, 4, 6, 10, 34, 100, 1000, 8192, 131'072};

ColorSubject shares_of(std::size_t keys) { return {Quantity::Share, keys}; }

double distance(Color a, Color b) {
  return std::hypot(a.r - b.r, std::hypot(a.g - b.g, a.b - b.b));
}

Color color_of(const ColorScale& scale, float value) {
  return scale.map->colors[color_index(scale, value)];
}

TEST(ColorRule, AnEqualShareStandsAThirdUpWhateverTheNumberOfKeys) {
  for (const std::size_t keys : kNumbersOfKeys) {
    if (keys < 3) continue;
    const ColorScale scale = color_range(shares_of(keys), {}, {});
    EXPECT_NEAR(place_on(scale, 1.0 / static_cast<double>(keys)), 1.0 / 3.0, 1e-6) << keys;
    EXPECT_EQ(place_on(scale, 0.0), 0.0);
    EXPECT_EQ(place_on(scale, 1.0), 1.0);
  }
}

TEST(ColorRule, HalfOfTheLargestIsSeenToBeLess) {
  for (const std::size_t keys : kNumbersOfKeys) {
    const ColorScale scale = color_range(shares_of(keys), {}, {});
    EXPECT_GT(distance(color_of(scale, 1.0F), color_of(scale, 0.5F)), keys <= 100 ? 100.0 : 40.0)
        << keys;
  }
}

TEST(ColorRule, SaysHowSharesAreBent) {
  EXPECT_EQ(color_range(shares_of(3), {}, {}).basis, "0 to 1");
  EXPECT_EQ(color_range(shares_of(10), {}, {}).basis,
            "0 to 1, uneven: an equal share (0.1) is a third up");
  EXPECT_EQ(color_range(shares_of(100'000), {}, {}).basis,
            "0 to 1, uneven: an equal share (1·10⁻⁵) is a third up");
  ColorSubject causal = shares_of(10);
  causal.is_masked = true;
  EXPECT_EQ(color_range(causal, {}, {}).basis,
            "0 to 1, uneven: an equal share of 10 keys (0.1) is a third up");
  ColorSubject sigmoid = shares_of(10);
  sigmoid.sums_to_one = false;
  EXPECT_EQ(color_range(sigmoid, {}, {}).basis, "0 to 1, uneven: 1/N (0.1) is a third up");
  PlotOptions even;
  even.range = ColorSpan::Unit;
  EXPECT_EQ(color_range(shares_of(10), {}, even).basis, "0 to 1, even");
}

TEST(ColorRule, BendsOnlyWhereNobodyChoseTheRange) {
  std::vector<float> cells(100, 0.001F);
  cells[7] = 0.9F;
  const Statistics seen = of_cells(cells, {});
  PlotOptions options;
  EXPECT_LT(color_range(shares_of(100), seen, options).power, 1.0F);
  for (const ColorSpan span : {ColorSpan::Unit, ColorSpan::Head, ColorSpan::Heads}) {
    options.range = span;
    EXPECT_EQ(color_range(shares_of(100), seen, options).power, 1.0F);
  }
  options.range = ColorSpan::Automatic;
  options.range_high = 0.5;
  const ColorRange given = color_range(shares_of(100), seen, options);
  EXPECT_EQ(given.power, 1.0F);
  EXPECT_TRUE(given.beyond_high);
  EXPECT_EQ(given.basis, "0 to 0.5, as set, 1 cell above");
}

TEST(ColorRule, ChangesGoToTheLeastPowerOfTenThatHoldsThem) {
  PlotOptions options;
  options.colormap = "redblue";
  const auto range = [&](float largest, std::size_t keys) {
    const float cells[] = {-largest, 0.01F * largest};
    return color_range({Quantity::Change, keys}, of_cells(cells, {}), options);
  };
  EXPECT_EQ(range(0.043F, 30).basis, "−0.1 to 0.1, largest 0.043");
  EXPECT_EQ(range(0.1F, 30).high, 0.1F) << "itself";
  EXPECT_EQ(range(0.3F, 30).high, 1.0F);
  EXPECT_EQ(range(0.0F, 30).high, 1.0F) << "nothing changes";
  EXPECT_EQ(range(0.043F, 30).power, 1.0F) << "three keys of 0.1";
  const ColorScale bent = range(0.043F, 300);
  EXPECT_NEAR(place_on(bent, 1.0 / 300.0), 0.5 + 1.0 / 6.0, 1e-6);
}

TEST(ColorRule, OtherNumbersEndAtRoundOnes) {
  PlotOptions options;
  options.stage = Stage::Scores;
  options.colormap = "viridis";
  const auto range = [&](float low, float high) {
    const float cells[] = {low, high};
    return color_range({Quantity::Other}, of_cells(cells, {}), options).basis;
  };
  EXPECT_EQ(range(-1.3F, 3.1F), "−2 to 5");
  EXPECT_EQ(range(0.0F, 0.2F), "0 to 0.2") << "not 0.5";
  EXPECT_EQ(range(0.37F, 1e4F), "0.2 to 1·10⁴");
  EXPECT_EQ(range(-70.0F, -6.0F), "−100 to −5");
  options.stage = Stage::Influence;
  EXPECT_EQ(range(0.37F, 0.6F), "0 to 1") << "of sizes";
}

TEST(ColorRule, EndsOfNumbersAreHeldWhereTheyWere) {
  const float cells[] = {-1.3F, 7.1F};
  PlotOptions options;
  options.stage = Stage::Scores;
  options.held_ends = {-5.0F, 5.0F};
  const ColorRange held = color_range({Quantity::Other}, of_cells(cells, {}), options);
  EXPECT_EQ(held.high, 5.0F);
  EXPECT_TRUE(held.beyond_high);
  options.stage = Stage::Weights;
  EXPECT_EQ(color_range(shares_of(3), {}, options).high, 1.0F) << "those of shares never move";
}

TEST(ColorRule, ALogarithmOfSharesIsFixedToo) {
  PlotOptions options;
  options.log = true;
  const ColorRange range = color_range(shares_of(10), {}, options);
  EXPECT_EQ(range.power, kLogarithm);
  EXPECT_EQ(range.low, 1e-3F);
  EXPECT_EQ(range.basis, "0.001 to 1, logarithmic");
  EXPECT_EQ(color_range(shares_of(34), {}, options).low, 1e-4F);
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

TEST(ColorRule, GivenNumbersThatAreNoSharesSaySo) {
  const ComputedCase of = computed_json(
      R"({"tokens": ["a", "b"], "attention": [[[1, 2], [0, 4.2]], [[0, 1], [3, 2]]]})");
  PlotOptions options;
  for (options.at.head = 0; options.at.head < 2; ++options.at.head) {
    const Figure figure = test::draw("heatmap", of.input(), options, FixedMetrics()).value();
    EXPECT_EQ(find_matrix(figure)->scale.high, 5.0F) << "one range for all heads";
    EXPECT_TRUE(test::says(figure, "not shares: 0 to 5"));
  }
  EXPECT_EQ(drawn_by("heads", of).scale.high, 5.0F);
  EXPECT_EQ(drawn_by("token", of).scale.high, 5.0F);
}

TEST(ColorRule, PatternsThatAreNoSharesSaySo) {
  const auto drawn = [](const char* weights) {
    const ComputedCase of = computed_json(
        R"({"tokens": ["a", "b"], "heads": 2, "d_model": 4, "seed": 1, "blocks": 2, "what_if":
            {"patterns": [{"layer": 0, "head": 1, "weights": )" +
        std::string(weights) + "}]}}");
    return test::draw("heatmap", of.input(), {}, FixedMetrics()).value();
  };
  EXPECT_TRUE(test::says(drawn("[[3, 1.5], [0, 1]]"), "not shares: 0 to 5"));
  const Figure signed_map = drawn("[[3, -1.5], [0, 1]]");
  EXPECT_EQ(find_matrix(signed_map)->scale.map->name, "redblue");
  EXPECT_FALSE(test::says(drawn("[[0.5, 0.5], [0, 1]]"), "not shares"));
}

TEST(ColorScale, APlaceAndItsValueAreInverse) {
  for (const float power : {1.0F, 0.477F, 0.24F, 0.093F}) {
    const ColorScale scale{nullptr, -0.3F, 0.3F, power};
    for (const double value : {-0.3, -0.01, 0.0, 0.07, 0.3}) {
      EXPECT_NEAR(value_at(scale, place_on(scale, value)), value, 1e-7);
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
  EXPECT_EQ(scale.high, 1.0F);
  EXPECT_GT(distance(color_of(scale, 0.996F), color_of(scale, 3e-6F)), 200.0);
  EXPECT_GT(distance(color_of(scale, 0.996F), color_of(scale, 0.498F)), 25.0);
  EXPECT_GT(color_index(scale, 3e-6F), 0);
}

// Colours of the visible cells of the largest matrix, row by row.
std::vector<std::uint8_t> colors_in(const Figure& figure) {
  const MatrixItem& map = *find_matrix(figure);
  std::vector<std::uint8_t> colors;
  for (const float value : map.cells->coloured()) {
    colors.push_back(std::isnan(value) ? 0 : color_index(map.scale, value));
  }
  return colors;
}

TEST(ColorsOfAHeatmap, AnEditMovesNoColourOfAnotherRow) {
  const auto drawn = [](int number) {
    Document document = computed_example("i-love-cats").document;
    Tensor& q = std::get<GivenQkv>(document.model).q;
    q = q.with(0, static_cast<float>(number));
    const ComputedCase of = computed_case(std::move(document));
    return colors_in(test::draw("heatmap", of.input(), {}, FixedMetrics()).value());
  };
  const std::vector<std::uint8_t> before = drawn(1);
  for (int number = 2; number <= 6; ++number) {
    const std::vector<std::uint8_t> after = drawn(number);
    EXPECT_NE(after[0], before[0]) << "its own row does";
    EXPECT_TRUE(std::equal(after.begin() + 3, after.end(), before.begin() + 3)) << number;
  }
}

TEST(ColorsOfAHeatmap, ACellThatHasNoNumberChangesNoOther) {
  const auto drawn = [](float first, bool hidden) {
    AttentionProblem problem = problem_of(6, 6);
    problem.mask.causal = true;
    std::vector<std::uint8_t> cells(36, 1);
    cells[0] = hidden ? 0 : 1;
    problem.mask.visible = BoolTensor({6, 6}, cells);
    const FakeResult result =
        FakeResult(problem).with(Stage::Weights, [first](auto&, std::size_t row, std::size_t col) {
          return col > row ? 0.0F : row == 0 ? first : 1.0F / static_cast<float>(row + 1);
        });
    return colors_in(test::heatmap({{cross_document(6, 6), result}, {}, FixedMetrics()}));
  };
  const std::vector<std::uint8_t> usual = drawn(1.0F, false);
  for (const float odd : {std::numeric_limits<float>::quiet_NaN(), kConcealed}) {
    const std::vector<std::uint8_t> colors = drawn(odd, false);
    EXPECT_TRUE(std::equal(colors.begin() + 1, colors.end(), usual.begin() + 1));
  }
  const std::vector<std::uint8_t> colors = drawn(1.0F, true);
  EXPECT_TRUE(std::equal(colors.begin() + 1, colors.end(), usual.begin() + 1));
}

TEST(ColorsOfAllPlots, ANumberHasOneColourInAllHeads) {
  const ComputedCase four = computed_example("four-heads");
  const ColorScale scale = drawn_by("heatmap", four).scale;
  PlotOptions options;
  for (options.at.head = 0; options.at.head < 4; ++options.at.head) {
    for (const char* plot : {"heatmap", "heads", "token"}) {
      const ColorScale own = drawn_by(plot, four, options).scale;
      EXPECT_EQ(color_index(own, 0.1F), color_index(scale, 0.1F)) << plot << options.at.head;
      EXPECT_EQ(own, scale) << plot;
    }
  }
}

TEST(ColorsOfALongMap, AreThoseOfTheLastFrameInTheFirst) {
  const ComputedCase of =
      computed_json(R"({"tokens": 3000, "d_model": 4, "heads": 1, "mask": {"causal": true}})");
  const PlotEntry& heatmap = *plot_named("heatmap");
  PlotOptions options;
  options.on_screen = true;
  Derivations known;
  std::vector<ColorScale> scales;
  for (const Need& need : needs_of(heatmap, of.input(), options)) {
    known.keep(need.key, need.derive({of.document, of.result, nullptr}));
    const Result<Figure> figure =
        draw_plot(heatmap, {of.document, *of.result, &known}, options, FixedMetrics());
    if (!figure) continue;
    scales.push_back(scale_in(*figure));
    EXPECT_TRUE(test::says(*figure, "an equal share"));
  }
  ASSERT_GT(scales.size(), 1U);
  EXPECT_EQ(scales.front(), scales.back());
}

TEST(ColorsOfAText, AUniformRowIsLight) {
  const ComputedCase of = computed_json(
      R"({"tokens": ["a", "b", "c", "d", "e"], "attention": [[0.2, 0.2, 0.2, 0.2, 0.2],
          [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]})");
  PlotOptions options;
  options.token = "query 0";
  options.direction = TextDirection::Gives;
  const Figure figure = test::draw("text", of.input(), options, FixedMetrics()).value();
  const FigureTheme& theme = figure_theme(options.theme);
  std::size_t tinted = 0;
  for (const RectItem& rect : test::items_of<RectItem>(figure)) {
    if (rect.fill.a == 0 || !std::holds_alternative<TokenHit>(rect.hit)) continue;
    ++tinted;
    EXPECT_EQ(rect.fill, mix(theme.background, theme.key, 0.62 / 3.0));
  }
  EXPECT_EQ(tinted, 5U);
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
  EXPECT_EQ(scale.high, 1.0F);
  EXPECT_GT(distance(color_of(scale, -0.0005F), color_of(scale, 0.0F)), 25.0);
}

TEST(ColorsOfADerivedMap, AreThoseOfWeightsWhateverAPixelHolds) {
  const ComputedCase own = computed_json(
      R"({"tokens": 300, "d_model": 8, "heads": 2, "mask": {"causal": true, "window": [20, 0]}})");
  for (const Pooling pooling : {Pooling::Maximum, Pooling::Mean}) {
    PlotOptions options;
    options.derived = Derived::HeadMean;
    options.pixel_budget = 40;
    options.pooling = pooling;
    const MatrixItem map = drawn_by("derived", own, options);
    ASSERT_GT(map.row_step, 1U);
    EXPECT_EQ(map.scale, drawn_by("heatmap", own).scale);
    EXPECT_NEAR(place_on(map.scale, 1.0 / 21.0), 1.0 / 3.0, 1e-6) << "a window of 21 keys";
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
    EXPECT_EQ(range.basis, span == ColorSpan::Heads ? "−3 to 1, all heads" : "0.5 to 1, this head");
  }
}

TEST(StatisticsNeeds, EndWhenTheyAreCalledOff) {
  const FakeResult result = FakeResult(long_problem()).with(Stage::Weights, some_weight);
  const StatisticsQuestion question{{{Stage::Weights, {}}, {700, 600}}};
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
