// Range of the colours of all plots: one rule, which reads no matrix; and the colour bar.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/statistics.h"
#include "figure/colormap.h"
#include "figure/figure.h"
#include "figure/text.h"
#include "plot/kit/chart.h"
#include "plot/kit/plot.h"

namespace attn {

// Space for labels, a matrix of three cells and the colour bar side by side, in font sizes.
inline constexpr double kNarrowest = 20.0;

// The map with the chosen name. By default, weights and norms of derivatives take viridis and all
// other, signed, stages the diverging map.
const ColorMap& colormap_for(const PlotOptions& options);

// Percentile of the option of percentiles, as a share of the cells.
inline constexpr double kShareOfCells = 0.995;

// The mildest curve on which `part` of the largest value has a distinct colour; the largest value
// then differs visibly from its half, however large the others are.
ColorCurve curve_for(double part);

// "square-root scale"; empty for a linear curve.
std::string_view curve_words(ColorCurve curve);

// The curve of a range from 0 to the largest magnitude, on which this share of the cells other than
// 0 stays distinct from the lowest colour.
inline constexpr double kShareOfHeads = 0.5;
ColorCurve curve_of(const Statistics& seen, double share = kUsualShare);

// Colours of one stage of one head with these options, and the cells whose range they span. A
// diverging map has zero in its middle: given bounds become ± the larger of them.
struct ColorRange : ColorScale {
  std::string basis = {};                        // "range 0 to 0.54, this head"
  bool beyond_low = false, beyond_high = false;  // values lie below the low or above the high end
};
// `scope` names the cells; `of_pixels`: they are pooled to pixels.
ColorRange color_range(const Statistics& seen, const PlotOptions& options,
                       const std::string& scope = "this head", bool of_pixels = false);

// "range 0 to 0.54, square-root scale, 3 cells above".
std::string range_words(double low, double high, ColorCurve curve = ColorCurve::Linear);

// Options for plots whose matrices share one range: without ranges of rows, given ends and
// logarithm.
inline PlotOptions with_shared_range(PlotOptions options) {
  if (options.range == ColorSpan::Rows) options.range = ColorSpan::Automatic;
  options.range_low.reset();
  options.range_high.reset();
  options.log = false;
  return options;
}

// "this head", "all heads", "this sample": the cells that the range of a stage is over.
std::string range_scope(const MatrixId& matrix, ColorSpan span);

// Statistics that the colours, and the histogram beside their bar, need.
StatisticsOptions statistics_of_colors(const ViewOptions& options);
StatisticsOptions statistics_of_histogram(const ViewOptions& options);

struct ColorEnds {
  std::optional<double> low, high;  // nothing: that end does not change
  friend bool operator==(const ColorEnds&, const ColorEnds&) = default;
};

// Ends after `end` was dragged by `up` units. The value under the pointer becomes the end, which
// never meets the other one.
ColorEnds dragged_ends(const RangeHit& end, double up);

// Usage errors for options that no figure can honour: bounds of colours or of an axis out of order,
// a figure too small for its letters. Plots draw regardless; check before a file is written. Errors
// spell the options as `spelling` requires.
Status check_options(const PlotOptions& options, Spelling spelling = Spelling::Field);
// check_options for the ends of an axis, for plots that have one.
Status check_axis(const PlotOptions& options, Spelling spelling = Spelling::Field);

// Checks also against the numbers: a single bound on the wrong side of the other end.
Status check_options(const PlotOptions& options, const AttentionResult& result,
                     Spelling spelling = Spelling::Field);

// Bars beside maps, in font sizes.
inline constexpr double kBarGap = 1.3, kBarWidth = 1.1, kShortestBar = 9.0;

struct ColorBar {
  Rect rect = {};              // including its pointed ends
  ColorRange range = {};       // a pointed end marks that values beyond it take its colour
  std::string title = {};      // "Attention weight"
  std::size_t most_lines = 4;  // of the basis
  double font_size = 10.0;
  bool titled = true;            // false: no space for title and basis
  bool has_basis = true;         // false: the options leave notes out
  StatisticsPtr seen = nullptr;  // for a histogram, where titles have space; null: none
  bool handles = false;          // the ends carry RangeHits
};

// Ticks at both ends and at round numbers between them where they fit; ascending.
std::vector<Tick> bar_ticks(const ColorScale& scale, double height, double font_size);

// Number of lines of the basis beside a bar of this height.
std::size_t basis_line_count(const ColorBar& bar, const TextMetrics& metrics);

// Width of ticks and titles to the right of the bar's rectangle.
double bar_room(const ColorBar& bar, const TextMetrics& metrics);

// Appends the bar: a matrix of 256 colours, which carries ColorBarHit.
void add_color_bar(Figure& figure, const ColorBar& bar, const FigureTheme& theme,
                   const TextMetrics& metrics);

}  // namespace attn
