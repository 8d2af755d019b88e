// What every step of drawing needs, and short ways to make figure items.
#pragma once

#include <string>
#include <utility>

#include "figure/figure.h"
#include "figure/text.h"
#include "figure/theme.h"
#include "plot/kit/plot.h"

namespace attn {

inline TextItem text_item(Point anchor, std::string text, FontStyle font, Color color,
                          HAlign halign = HAlign::Left, VAlign valign = VAlign::Baseline) {
  TextItem item;
  item.anchor = anchor;
  item.text = std::move(text);
  item.font = font;
  item.color = color;
  item.halign = halign;
  item.valign = valign;
  return item;
}

// Names what `draw` adds to the figure.
template <class Draw>
void add_part(Figure& figure, FigurePart::Kind kind, std::size_t matrix, const Draw& draw) {
  const std::size_t first = figure.items.size();
  draw();
  figure.parts.push_back({kind, matrix, first, figure.items.size()});
}

inline Color with_alpha(Color color, std::uint8_t alpha) {
  return {color.r, color.g, color.b, alpha};
}

// Borrows its members. The scenes of plots begin with it.
struct Drawing {
  const PlotInput& input;
  const PlotOptions& options;
  const TextMetrics& metrics;
  const FigureTheme& theme;

  double font() const { return options.font_size; }
  AttentionShape shape() const { return input.result.shape(options.at); }
};

inline Drawing drawing_of(const PlotInput& input, const PlotOptions& options,
                          const TextMetrics& metrics) {
  return {input, options, metrics, figure_theme(options.theme)};
}

}  // namespace attn
