// Plots of a decoder: each draws and names one of its two attentions.
#include <gtest/gtest.h>

#include "plot/all_plots.h"
#include "plot/kit/marks.h"
#include "plot/kit/names.h"
#include "plot/maps/heatmap.h"
#include "tests/core/plot/computed_case.h"
#include "tests/support/fake_result.h"
#include "tests/support/figure_items.h"
#include "tests/support/golden.h"

namespace attn {
namespace {

using test::computed_example;
using test::ComputedCase;
using test::says;

PlotOptions looking_at(std::size_t part) {
  PlotOptions options;
  options.at.attention = part;
  return options;
}

Figure drawn(const ComputedCase& shown, std::string_view plot, std::size_t part) {
  return test::draw(plot, shown.input(), looking_at(part), test::FixedMetrics()).value();
}

// Precondition: the plot has nothing to show of that attention.
Error refusal(const ComputedCase& shown, std::string_view plot, std::size_t part) {
  return test::draw(plot, shown.input(), looking_at(part), test::FixedMetrics()).error();
}

TEST(DecoderPlots, DrawTheCellsOfTheAttentionThatIsLookedAt) {
  const ComputedCase shown = computed_example("transformer-decoder");
  for (const std::size_t part : {kSelfAttention, kLastAttention}) {
    const Figure figure = drawn(shown, "heatmap", part);
    const MatrixItem* matrix = find_matrix(figure);
    ASSERT_NE(matrix, nullptr);
    ASSERT_EQ(matrix->cells->rows, 5U);
    ASSERT_EQ(matrix->cells->cols, part == kSelfAttention ? 5U : 4U);
    for (std::size_t q = 0; q < matrix->cells->rows; ++q) {
      for (std::size_t k = 0; k < matrix->cells->cols; ++k) {
        EXPECT_EQ(matrix->cells->values[q * matrix->cells->cols + k],
                  shown.result->value(Stage::Weights, {.attention = part}, q, k));
      }
    }
  }
}

TEST(DecoderPlots, NameTheKeysOfTheAttention) {
  const ComputedCase shown = computed_example("transformer-decoder");
  EXPECT_TRUE(says(drawn(shown, "heatmap", kLastAttention), "Katze"));
  EXPECT_FALSE(says(drawn(shown, "heatmap", kSelfAttention), "Katze"));
}

TEST(DecoderPlots, SayWhichAttentionTheyShow) {
  const ComputedCase shown = computed_example("transformer-decoder");
  for (const char* plot : {"heatmap", "measures", "dimensions", "compare", "derived"}) {
    EXPECT_TRUE(says(drawn(shown, plot, kSelfAttention), "self-attention")) << plot;
    if (std::string_view(plot) == "derived") continue;  // rollout needs one sequence
    EXPECT_TRUE(says(drawn(shown, plot, kLastAttention), "cross-attention")) << plot;
  }
  EXPECT_EQ(refusal(shown, "derived", kLastAttention).hint, "choose its self-attention");
  EXPECT_NE(refusal(shown, "positions", kLastAttention).message.find("in the self-attention"),
            std::string::npos);
  EXPECT_FALSE(says(drawn(computed_example("transformer-blocks"), "heatmap", kSelfAttention),
                    "self-attention"));
}

TEST(DecoderPlots, SentencesTellTheAttentionsApart) {
  const ComputedCase shown = computed_example("transformer-decoder");
  const CellHit cell{{Stage::Weights, {1, 0, 0}}, 2, 1};
  EXPECT_TRUE(cell_sentence(shown.input(), cell).ends_with(", cross-attention, layer 2, head 1"));
  CellHit own = cell;
  own.matrix.head.attention = kSelfAttention;
  EXPECT_TRUE(cell_sentence(shown.input(), own).ends_with(", self-attention, layer 2, head 1"));
  own = {{Stage::BlockOutput, {.attention = kSelfAttention}}, 0, 0};
  EXPECT_TRUE(cell_sentence(shown.input(), own).ends_with(", layer 1"));
}

TEST(DecoderPlots, StagesAreFittedToTheAttention) {
  const ComputedCase shown =
      test::computed_case(read_document(R"({"query_tokens": ["a"], "key_tokens": ["b"], "blocks": 1,
                        "position": "rope"})",
                                        "rope")
                              .value()
                              .document);
  PlotOptions options = looking_at(kLastAttention);
  options.stage = Stage::RotatedQuery;
  EXPECT_NE(fitted_to(options, *shown.result).stage, Stage::RotatedQuery);
  options.at.attention = kSelfAttention;
  EXPECT_EQ(fitted_to(options, *shown.result).stage, Stage::RotatedQuery);
}

}  // namespace
}  // namespace attn
