// Panels side by side have one layout in all plots.
#include <gtest/gtest.h>

#include "plot/maps/maps.h"
#include "tests/core/plot/computed_case.h"
#include "tests/support/figure_items.h"

namespace attn {
namespace {

using test::items_of;

const std::pair<const char*, const char*> kPagesOfPanels[] = {
    {"compare", "i-love-cats"}, {"positions", "rope"}, {"alignment", "encoder-decoder"}};

Figure page_of(const char* plot, const char* example) {
  PlotOptions options;
  options.range = ColorSpan::Unit;
  const test::ComputedCase computed = test::computed_example(example);
  return test::draw(plot, computed.input(), options, pango_metrics()).value();
}

TEST(PanelGrid, BarsBeginWhereTheirCellsDo) {
  for (const auto& [plot, example] : kPagesOfPanels) {
    const std::vector<MatrixItem> matrices = items_of<MatrixItem>(page_of(plot, example));
    std::size_t bars = 0;
    for (const MatrixItem& bar : matrices) {
      if (bar.origin) continue;
      ++bars;
      EXPECT_TRUE(std::ranges::any_of(matrices, [&](const MatrixItem& map) {
        return map.origin && std::abs(map.clip.y - bar.clip.y) < 1e-6;
      })) << plot;
    }
    EXPECT_GE(bars, 1U) << plot;
  }
}

TEST(PanelGrid, FramesLieAroundTheCells) {
  for (const auto& [plot, example] : kPagesOfPanels) {
    const Figure page = page_of(plot, example);
    for (const MatrixItem& map : items_of<MatrixItem>(page)) {
      if (!map.origin) continue;
      const auto is_frame = [&](const RectItem& rect) {
        const double half = rect.stroke_width / 2.0;
        return half > 0.0 && std::abs(rect.rect.x + half - map.clip.x) < 1e-6 &&
               std::abs(rect.rect.y + half - map.clip.y) < 1e-6;
      };
      EXPECT_TRUE(std::ranges::any_of(items_of<RectItem>(page), is_frame)) << plot;
    }
  }
}

TEST(PanelGrid, TheSubtitleOfAPageIsRegularAndOtherHeadingsAreBold) {
  const std::vector<TextItem> texts = items_of<TextItem>(page_of("alignment", "encoder-decoder"));
  const auto bold = [&](std::string_view words) {
    const auto text = std::ranges::find_if(
        texts, [&](const TextItem& item) { return item.text.starts_with(words); });
    return text != texts.end() && text->font.bold;
  };
  EXPECT_FALSE(bold("Alignment of all steps"));
  EXPECT_TRUE(bold("Influence of each source token"));
}

}  // namespace
}  // namespace attn
