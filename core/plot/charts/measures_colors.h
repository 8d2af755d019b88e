// The tints of the table of measures and their colour bar.
#pragma once

#include "plot/colors/color_bar.h"
#include "plot/plot.h"

namespace attn {

inline constexpr double kTintBarGap = 0.9;  // these in font sizes
inline constexpr double kShortestTintBar = 5.0;

// From 0, the faintest tint of the theme's ground by the colour of queries, to 1, the strongest one
// on which ink still reads well.
ColorScale tint_scale(ThemeKind theme);

// The bar of it without a place; what the numbers are stands below the table.
ColorBar tint_bar(const PlotOptions& options);

// What the bar takes at the right of the table, with the gap; 0 where the options leave it out.
double tint_bar_room(const PlotOptions& options, const TextMetrics& metrics);

}  // namespace attn
