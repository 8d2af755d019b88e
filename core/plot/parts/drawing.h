// What every step of drawing a plot needs.
#pragma once

#include "figure/text.h"
#include "figure/theme.h"
#include "plot/plot.h"

namespace attn {

// Borrows its members. The scenes of plots begin with it.
struct Drawing {
  const PlotInput& input;
  const PlotOptions& options;
  const TextMetrics& metrics;
  const FigureTheme& theme;

  double font() const { return options.font_size; }
  const AttentionShape& shape() const { return input.result.shape(); }
};

inline Drawing drawing_of(const PlotInput& input, const PlotOptions& options,
                          const TextMetrics& metrics) {
  return {input, options, metrics, figure_theme(options.theme)};
}

}  // namespace attn
