// The colour bar beside a heatmap.
#pragma once

#include <string>
#include <vector>

#include "engine/statistics.h"
#include "figure/figure.h"
#include "figure/text.h"
#include "figure/theme.h"

namespace attn {

struct ColorBar {
  Rect rect = {};  // with its pointed ends
  ColorScale scale = {};
  std::string title = {};      // "Attention weight"
  std::string basis = {};      // what the range is over
  std::size_t most_lines = 2;  // that the basis takes
  double font_size = 10.0;
  bool titled = true;  // false: no room for title and basis
  // A pointed end says that values beyond it take its colour.
  bool beyond_low = false, beyond_high = false;
  StatisticsPtr seen = nullptr;  // drawn as a histogram where there is room for titles; null: none
  bool handles = false;          // its ends carry RangeHits
  bool mirrored = false;         // zero stays in the middle
};

struct BarTick {
  double value = 0.0;
  std::string text;
};
// Both ends, and round numbers between them where there is room; ascending.
std::vector<BarTick> bar_ticks(const ColorScale& scale, double height, double font_size);

// How many lines the basis takes beside a bar of this height.
std::size_t basis_line_count(const ColorBar& bar, const TextMetrics& metrics);

// Room to the right of the bar's rectangle for ticks and titles.
double bar_room(const ColorBar& bar, const TextMetrics& metrics);

// Appends the bar; one matrix of 256 colours, which carries ColorBarHit.
void add_color_bar(Figure& figure, const ColorBar& bar, const FigureTheme& theme,
                   const TextMetrics& metrics);

}  // namespace attn
