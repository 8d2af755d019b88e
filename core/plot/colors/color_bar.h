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
  Rect rect = {};  // including its pointed ends
  ColorScale scale = {};
  std::string title = {};      // "Attention weight"
  std::string basis = {};      // cells that the range is over
  std::size_t most_lines = 2;  // of the basis
  double font_size = 10.0;
  bool titled = true;  // false: no space for title and basis
  // A pointed end marks that values beyond it take its colour.
  bool beyond_low = false, beyond_high = false;
  StatisticsPtr seen = nullptr;  // for a histogram, where titles have space; null: none
  bool handles = false;          // the ends carry RangeHits
  bool mirrored = false;         // zero stays in the middle
};

struct BarTick {
  double value = 0.0;
  std::string text;
};
// Ticks at both ends and at round numbers between them where they fit; ascending.
std::vector<BarTick> bar_ticks(const ColorScale& scale, double height, double font_size);

// Number of lines of the basis beside a bar of this height.
std::size_t basis_line_count(const ColorBar& bar, const TextMetrics& metrics);

// Width of ticks and titles to the right of the bar's rectangle.
double bar_room(const ColorBar& bar, const TextMetrics& metrics);

// Appends the bar: a matrix of 256 colours, which carries ColorBarHit.
void add_color_bar(Figure& figure, const ColorBar& bar, const FigureTheme& theme,
                   const TextMetrics& metrics);

}  // namespace attn
