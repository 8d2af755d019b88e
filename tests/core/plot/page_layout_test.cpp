// Plots of maps on paper and in panes: they fit, they use the space, and nothing is cut.
#include <gtest/gtest.h>

#include "plot/kit/page.h"
#include "plot/maps/maps.h"
#include "tests/core/plot/computed_case.h"
#include "tests/support/figure_items.h"

namespace attn {
namespace {

using test::items_of;

struct Shown {
  const char* plot;
  const char* example;
};
const Shown kMaps[] = {{"heads", "four-heads"},          {"heads", "i-love-cats"},
                       {"heads", "transformer-blocks"},  {"compare", "i-love-cats"},
                       {"compare", "four-heads"},        {"compare", "the-animal-was-tired"},
                       {"compare", "encoder-decoder"},   {"positions", "rope"},
                       {"positions", "alibi"},           {"positions", "sinusoidal-positions"},
                       {"alignment", "encoder-decoder"}, {"derived", "rollout"},
                       {"heatmap", "i-love-cats"},       {"heatmap", "translation-alignment"},
                       {"heatmap", "sliding-window"},    {"difference", "four-heads"}};

Figure drawn(const Shown& shown, const PlotOptions& options) {
  const test::ComputedCase computed = test::computed_example(shown.example);
  return test::draw(shown.plot, computed.input(), options, pango_metrics()).value();
}

bool is_bar(const MatrixItem& m) { return !m.origin && m.row_count == 256 && m.col_count == 1; }

// True if a text is at the right of the bar at this height.
bool is_labelled(const Figure& figure, const Rect& bar, double y) {
  return std::ranges::any_of(items_of<TextItem>(figure), [&](const TextItem& text) {
    const double right = text.anchor.x - bar.x - bar.width;
    return text.degrees == 0.0 && std::abs(text.anchor.y - y) < 1e-6 && right > 0.0 &&
           right < 5.0 * text.font.size;
  });
}

void expect_whole(const Figure& figure, const std::string& what) {
  constexpr std::size_t kSentence = 24;
  for (const TextItem& text : items_of<TextItem>(figure)) {
    EXPECT_GE(text.font.size, kSmallestNumber - 1e-6) << what << ": " << text.text;
    const bool is_cut = text.text.size() > kSentence && text.text.ends_with("…");
    EXPECT_FALSE(is_cut) << what << ": " << text.text;
  }
  bool has_bar = false;
  for (const MatrixItem& m : items_of<MatrixItem>(figure)) {
    if (!is_bar(m)) continue;
    has_bar = true;
    EXPECT_TRUE(is_labelled(figure, m.rect, m.rect.y)) << what;
    EXPECT_TRUE(is_labelled(figure, m.rect, m.rect.y + m.rect.height)) << what;
  }
  EXPECT_TRUE(has_bar) << what;
}

TEST(PageLayout, EveryPlotOfMapsFitsAPageAndSaysAll) {
  for (const Shown& shown : kMaps) {
    for (const double width : {241.0, 482.0}) {
      for (const double font : {7.0, 10.0, 11.0}) {
        PlotOptions options;
        options.width = width;
        options.font_size = font;
        const Figure figure = drawn(shown, options);
        const std::string what = std::string(shown.plot) + " of " + shown.example + ", " +
                                 std::to_string(width) + ", " + std::to_string(font);
        expect_whole(figure, what);
        EXPECT_LE(figure.height, kPageHeight + 0.5) << what;
      }
    }
  }
}

TEST(PageLayout, TheNameAndTheRangeOfABarStandSomewhereAtAnyWidth) {
  for (const Shown& shown : kMaps) {
    for (const double width : {210.0, 260.0, 300.0, 400.0, 700.0}) {
      PlotOptions options;
      options.width = width;
      std::string all;
      for (const TextItem& text : items_of<TextItem>(drawn(shown, options))) all += text.text + " ";
      const bool is_named = all.find("weight") != all.npos || all.find("Weight") != all.npos ||
                            all.find("Difference") != all.npos || all.find("hare") != all.npos;
      EXPECT_TRUE(is_named) << shown.plot << " " << width;
      const bool has_range = all.find("0 to ") != all.npos || all.find("1 to 1") != all.npos ||
                             all.find("middle") != all.npos;
      EXPECT_TRUE(has_range) << shown.plot << " " << shown.example << " " << width;
    }
  }
}

// The rectangle around all maps, without bars.
Rect around_maps(const Figure& figure) {
  double left = 1e9, top = 1e9, right = 0.0, bottom = 0.0;
  for (const MatrixItem& m : items_of<MatrixItem>(figure)) {
    if (is_bar(m)) continue;
    left = std::min(left, m.clip.x);
    top = std::min(top, m.clip.y);
    right = std::max(right, m.clip.x + m.clip.width);
    bottom = std::max(bottom, m.clip.y + m.clip.height);
  }
  return {left, top, right - left, bottom - top};
}

TEST(PageLayout, PlotsOfMapsUseTheirPaneAndDoNotScroll) {
  const std::pair<double, double> panes[] = {{800.0, 640.0}, {400.0, 680.0}, {1600.0, 1200.0}};
  for (const Shown& shown : kMaps) {
    for (const auto& [width, height] : panes) {
      PlotOptions options;
      options.on_screen = true;
      options.width = width;
      options.font_size = 12.5;
      const std::string plot = shown.plot;
      const bool fills = plot == "heatmap" || plot == "derived" || plot == "difference";
      (fills ? options.height : options.pane_height) = height;
      const Figure figure = drawn(shown, options);
      const std::string what = plot + " of " + shown.example + " in " + std::to_string(width) +
                               " × " + std::to_string(height);
      EXPECT_LE(figure.height, height + 0.5) << what;
      const Rect maps = around_maps(figure);
      EXPECT_GE(std::max(maps.width / width, maps.height / height), width > 500.0 ? 0.55 : 0.45)
          << what << ": " << maps.width << " × " << maps.height;
    }
  }
}

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
