// Figures of derived matrices, and errors.
#include <gtest/gtest.h>

#include <algorithm>

#include "document/load/read.h"
#include "plot/all_plots.h"
#include "plot/maps/heatmap.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/fake_result.h"
#include "tests/support/figure_items.h"

namespace attn {
namespace {

using test::FakeResult;
using test::FixedMetrics;
using test::says;
using test::sentence_of;

// Causal; queries give equal weights to all visible keys; values are (3, 4) times the key + 1.
FakeResult equal_result(std::size_t layers, std::size_t n) {
  AttentionProblem problem;
  AttentionShape& s = problem.shape;
  s.layers = layers;
  s.heads = s.kv_heads = 2;
  s.n_q = s.n_k = n;
  s.d_k = s.d_v = 2;
  problem.mask.causal = true;
  FakeResult result(problem);
  result.with(Stage::Weights, [](const HeadAddress&, std::size_t row, std::size_t col) {
    return col <= row ? 1.0F / static_cast<float>(row + 1) : 0.0F;
  });
  result.with(Stage::Value, [](const HeadAddress&, std::size_t row, std::size_t col) {
    return static_cast<float>(row + 1) * (col == 0 ? 3.0F : 4.0F);
  });
  return result;
}

Figure derived_figure(const FakeResult& result, const PlotOptions& options) {
  const Document document = sentence_of(result.shape().n_q);
  return test::draw("derived", {document, result}, options, FixedMetrics()).value();
}

TEST(DerivedPlot, DrawsTheRolloutOfAllLayers) {
  const FakeResult result = equal_result(2, 2);
  const Figure figure = derived_figure(result, {});
  const MatrixItem* matrix = find_matrix(figure);
  ASSERT_NE(matrix, nullptr);
  EXPECT_EQ(matrix->cells->values, (std::vector<float>{1.0F, 0.0F, 0.4375F, 0.5625F}));
  EXPECT_TRUE(says(figure, "A sentence"));
  EXPECT_TRUE(says(figure, "Attention rollout of 2 layers, residual share 0.5"));
  EXPECT_TRUE(says(figure, "Share of the input"));
  EXPECT_NE(figure.alt_text.find("Attention rollout"), std::string::npos);
}

TEST(DerivedPlot, TheResidualShareIsAnOption) {
  PlotOptions options;
  options.residual = 1.0;
  const FakeResult result = equal_result(2, 2);
  const Figure figure = derived_figure(result, options);
  EXPECT_EQ(find_matrix(figure)->cells->values, (std::vector<float>{1.0F, 0.0F, 0.0F, 1.0F}));
  EXPECT_TRUE(says(figure, "residual share 1"));
}

TEST(DerivedPlot, HatchesWhatNoLayerLetsThrough) {
  const Figure figure = derived_figure(equal_result(2, 2), {});
  EXPECT_EQ(find_matrix(figure)->cells->hidden,
            (std::vector<HiddenRules>{0, kHiddenByCausal, 0, 0}));
  EXPECT_TRUE(says(figure, "hidden by causal mask"));
}

TEST(DerivedPlot, MarksATokenThatSeesNoKeyWhereItsOwnCellIsHidden) {
  const test::ComputedCase padded =
      test::computed_case(read_document(R"({"tokens": ["<pad>", "a", "b"], "d_model": 4, "heads": 2,
          "mask": {"causal": true, "key_padding": [false, true, true]}})",
                                        "it")
                              ->document);
  const std::string words = "∅ sees no key, and its own cell is hidden";
  const Figure rollout = test::draw("derived", padded.input(), {}, FixedMetrics()).value();
  EXPECT_TRUE(says(rollout, words));
  const test::ComputedCase alone = test::computed_case(
      read_document(
          R"({"tokens": ["a", "b"], "d_model": 4, "mask": {"visible": [[0, 0], [1, 1]]}})", "it")
          ->document);
  const Figure own = test::draw("derived", alone.input(), {}, FixedMetrics()).value();
  EXPECT_FALSE(says(own, "∅")) << "its own cell has 1";
}

TEST(DerivedPlot, LeavesTheFirstTokenOutWhereAsked) {
  PlotOptions options;
  options.without_first = true;
  const Figure figure = derived_figure(equal_result(2, 3), options);
  const MatrixCells& cells = *find_matrix(figure)->cells;
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(cells.hidden[3 * row], kHiddenByHand);
    EXPECT_NEAR(cells.values[3 * row + 1] + cells.values[3 * row + 2], row > 0 ? 1.0 : 0.0, 1e-6);
  }
  EXPECT_TRUE(says(figure,
                   "Attention rollout of 2 layers, residual share 0.5, first token left out, rows "
                   "renormalised"));
  EXPECT_TRUE(says(figure, "the first token is left out"));
  options.derived = Derived::HeadMean;
  const Figure mean = derived_figure(equal_result(2, 3), options);
  EXPECT_EQ(find_matrix(mean)->cells->hidden[0], kVisible) << "rollouts alone can leave it out";
}

TEST(DerivedPlot, DrawsWeightsTimesTheLengthOfValues) {
  PlotOptions options;
  options.derived = Derived::ValueNorm;
  options.at.head = 1;
  const FakeResult result = equal_result(1, 2);
  const Figure figure = derived_figure(result, options);
  EXPECT_EQ(find_matrix(figure)->cells->values, (std::vector<float>{5.0F, 0.0F, 2.5F, 5.0F}));
  EXPECT_NE(find_matrix(figure)->cells->hidden[1], kVisible);
  EXPECT_TRUE(says(figure, "head 2 of 2"));
}

TEST(DerivedPlot, SaysWhereValuesAreProjected) {
  PlotOptions options;
  options.derived = Derived::ValueNorm;
  const auto caption = [&](const std::string& projections) {
    const test::ComputedCase shown = test::computed_case(
        read_document(
            R"({"tokens": ["a", "b"], "d_model": 4, "projections": {)" + projections + "}}", "it")
            ->document);
    return test::draw("derived", shown.input(), options, FixedMetrics()).value();
  };
  const Figure projected = caption("");
  EXPECT_TRUE(says(projected, "Weights × length of projected values, head 1 of 2"));
  EXPECT_TRUE(says(projected, "Weight × ‖v W_O‖"));
  const Figure plain = caption(R"("w_o": null)");
  EXPECT_TRUE(says(plain, "Weights × length of values, head 1 of 2"));
  EXPECT_TRUE(says(plain, "Weight × ‖v‖"));
}

TEST(DerivedPlot, RefusesWhatCannotBeMade) {
  PlotOptions options;
  options.derived = Derived::Flow;
  const FakeResult negative =
      FakeResult(equal_result(1, 2).problem()).with(Stage::Weights, [](auto&, auto, auto) {
        return -1.0F;
      });
  const Result<Figure> refused =
      test::draw("derived", {sentence_of(2), negative}, options, FixedMetrics());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "Attention flow needs weights that are finite and not negative");
}

TEST(DerivedPlot, DrawsNothingThatIsNotComputedYet) {
  const FakeResult result = equal_result(2, 2);
  const Document document = sentence_of(2);
  const Result<Figure> early = derived_matrix({{document, result}, {}, FixedMetrics()});
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().message, "This is not computed yet");
}

TEST(DerivedPlot, ItsCellsSayWhichMatrixTheyAreOf) {
  PlotOptions options;
  options.residual = 0.25;
  const Figure figure = derived_figure(equal_result(2, 2), options);
  EXPECT_EQ(find_matrix(figure)->origin, derived_id({Derived::Rollout, 0.25}, {}));
}

TEST(DerivedPlot, NeverHasPinsOfAnotherMatrix) {
  PlotOptions options;
  options.pins = {{{Stage::Weights, {}}, 1, 1}};
  const FakeResult result = equal_result(1, 3);
  EXPECT_EQ(derived_figure(result, options).items.size(), derived_figure(result, {}).items.size());
}

TEST(DerivedPlot, RefusesAFlowOfMoreThanAnHourInAWindow) {
  AttentionProblem problem;
  problem.shape.layers = 12;
  problem.shape.n_q = problem.shape.n_k = 8000;
  const FakeResult result(problem);
  const ResultPtr borrowed_result = borrowed(result);
  PlotOptions options;
  options.derived = Derived::Flow;
  const Need need = derived_needs({{Document(), result}, options}).front();
  const Result<DerivationPtr> refused = need.derive({Document(), borrowed_result});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.starts_with("Attention flow would take about "))
      << refused.error().message;
}

TEST(Derived, SaysWhichOptionsHaveNoEffect) {
  const auto effective = [](Derived derived) {
    ViewOptions options;
    options.derived = derived;
    std::string names;
    for (const char* name : {"residual", "without_first", "layer", "head"}) {
      if (why_idle(*plot_named("derived"), options, name).empty()) names += std::string(" ") + name;
    }
    return names;
  };
  EXPECT_EQ(effective(Derived::Rollout), " residual without_first");
  EXPECT_EQ(effective(Derived::Flow), " residual");
  EXPECT_EQ(effective(Derived::HeadMean), " layer");
  EXPECT_EQ(effective(Derived::ValueNorm), " layer head");
}

}  // namespace
}  // namespace attn
