// Figures without axes or colour bar use the freed space.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/fake_result.h"
#include "tests/support/figure_items.h"

namespace attn {
namespace {

using test::FixedMetrics;
using test::items_of;

// Colour bars, which have no matrix id.
std::size_t bars_of(const Figure& figure) {
  std::size_t bars = 0;
  for (const MatrixItem& item : items_of<MatrixItem>(figure)) {
    bars += !item.origin && item.cells->values.size() == 256 ? 1 : 0;
  }
  return bars;
}

bool says_token(const Figure& figure) {
  return std::ranges::any_of(items_of<TextItem>(figure), [](const TextItem& item) {
    return std::holds_alternative<TokenHit>(item.hit);
  });
}

const test::ComputedCase& of_plot(std::string_view plot) {
  static const test::ComputedCase kEncoder = test::computed_example("four-heads");
  static const test::ComputedCase kSteps = test::computed_example("encoder-decoder");
  static const test::ComputedCase kPlaces = test::computed_case(
      read_document(R"({"tokens": ["a", "b", "c"], "d_model": 4, "position": "sinusoidal"})", "")
          .value()
          .document);
  static const test::ComputedCase kModel = test::computed_model("the dog was tired");
  if (plot == "lens" || plot == "atlas") return kModel;
  return plot == "alignment" ? kSteps : plot == "positions" ? kPlaces : kEncoder;
}

TEST(FigureParts, AreLeftOutOfEveryPlotThatHasThem) {
  for (const PlotEntry& plot : all_plots()) {
    if (!uses(plot, Option::ColorBar)) continue;
    const PlotInput input = of_plot(plot.name).input();
    const auto drawn = [&](const PlotOptions& options) {
      return test::draw(plot.name, input, options, FixedMetrics()).value();
    };
    const Figure whole = drawn({});
    PlotOptions options;
    options.color_bar = false;
    const Figure without_bar = drawn(options);
    EXPECT_GT(bars_of(whole), 0U) << plot.name;
    EXPECT_EQ(bars_of(without_bar), 0U) << plot.name;
    EXPECT_EQ(test::text_problems(without_bar, FixedMetrics()), "") << plot.name;
    if (!uses(plot, Option::Axes)) continue;
    options = {};
    options.axes = false;
    const Figure without_axes = drawn(options);
    EXPECT_TRUE(says_token(whole)) << plot.name;
    EXPECT_FALSE(says_token(without_axes)) << plot.name;
    EXPECT_EQ(test::text_problems(without_axes, FixedMetrics()), "") << plot.name;
    EXPECT_GE(find_matrix(without_axes)->clip.width, find_matrix(whole)->clip.width) << plot.name;
    EXPECT_LT(find_matrix(without_axes)->clip.x, find_matrix(whole)->clip.x + 1e-9) << plot.name;
  }
}

TEST(FigureParts, TheMapTakesTheRoomOfAllThatIsGone) {
  PlotOptions bare;
  bare.axes = bare.color_bar = false;
  bare.title = kNoTitle;
  bare.width = 300.0;
  const Figure figure =
      test::draw("heatmap", of_plot("heatmap").input(), bare, FixedMetrics()).value();
  const Rect& clip = find_matrix(figure)->clip;
  EXPECT_NEAR(clip.x, 300.0 - clip.x - clip.width, 1e-6) << "margins alike";
}

}  // namespace
}  // namespace attn
