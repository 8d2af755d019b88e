// Colour bars of maps, and the dragging of their ends.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "figure/figure.h"
#include "figure/text.h"
#include "plot/colors/color_range.h"
#include "plot/kit/chart.h"

namespace attn {

// Sizes of bars, in font sizes.
inline constexpr double kBarGap = 1.3, kBarWidth = 1.1, kShortestBar = 9.0;

struct ColorBar {
  Rect rect = {};              // including its pointed ends
  ColorRange range = {};       // a pointed end marks that values beyond it take its colour
  std::string title = {};      // "Attention weight"
  std::size_t most_lines = 4;  // of the basis
  double font_size = 10.0;
  bool titled = true;            // false: title and basis are no part of the bar
  bool has_basis = true;         // false: the options leave notes out
  StatisticsPtr seen = nullptr;  // for a histogram; null: none
  bool handles = false;          // the ends carry RangeHits
  bool offers = false;           // on a screen, where its ends and its words can be clicked
};

// The bar of weights of the attention in view, with the colours of their map whatever range is
// chosen there; `seen` is read where these weights are no shares.
ColorBar weight_bar(const FittedView& view, const Statistics& seen = {});

// Ticks at both ends, at the equal share if there is one, and at round numbers between them where
// they fit; ascending.
std::vector<Tick> bar_ticks(const ColorScale& scale, double height, double font_size,
                            double share = 0.0);

// Number of lines of the basis that fit a bar of this height.
std::size_t basis_line_count(const ColorBar& bar, const TextMetrics& metrics);

// Width of ticks and titles to the right of the bar's rectangle.
double bar_room(const ColorBar& bar, const TextMetrics& metrics);

// Appends the bar: a matrix of 256 colours, which carries ColorBarHit.
void add_color_bar(Figure& figure, const ColorBar& bar, const FigureTheme& theme,
                   const TextMetrics& metrics);

struct ColorEnds {
  std::optional<double> low, high;  // nothing: that end does not change
  friend bool operator==(const ColorEnds&, const ColorEnds&) = default;
};

// Ends after `end` was dragged by `up` units. The value under the pointer becomes the end, which
// never meets the other one.
ColorEnds dragged_ends(const RangeHit& end, double up);

}  // namespace attn
