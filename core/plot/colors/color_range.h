// What the colours of all plots span: one rule, which reads no matrix.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/statistics.h"
#include "figure/figure.h"
#include "plot/kit/plot.h"

namespace attn {

// The map chosen by name, whatever the stage; left to the stage, weights and norms of derivatives
// take viridis and signed stages (all others) the diverging map.
const ColorMap& colormap_for(const PlotOptions& options);

// Up to which the option of percentiles goes, as a share of the cells.
inline constexpr double kShareOfCells = 0.995;

// The mildest curve on which `part` of the largest value still has a colour of its own; the
// largest then differs visibly from its half, however large the rest is.
ColorCurve curve_for(double part);

// "square-root scale"; empty of a linear one.
std::string_view curve_words(ColorCurve curve);

// The curve of what spans 0 to the largest magnitude: that on which this share of what is not 0
// would not vanish in the lowest colour.
inline constexpr double kShareOfHeads = 0.5;
ColorCurve curve_of(const Statistics& seen, double share = kUsualShare);

// Colour range of one stage of one head under these options, and what it is taken over. A diverging
// map has zero in its middle: bounds given there become ± the larger of them.
struct ColorRange {
  float low = 0.0F, high = 1.0F;
  std::string basis;                             // "range 0 to 0.54, this head"
  bool beyond_low = false, beyond_high = false;  // values lie below the low or above the high end
  ColorCurve curve = ColorCurve::Linear;
};
ColorRange color_range(const AttentionResult& result, const PlotOptions& options);

// Whose cells the range is of, and what they are called.
struct RangeOf {
  std::string whose = "this head";
  bool pixels = false;
};
ColorRange color_range(const Statistics& seen, const PlotOptions& options, const RangeOf& of = {});

// "range 0 to 0.54, square-root scale, 3 cells above".
std::string range_words(double low, double high, ColorCurve curve = ColorCurve::Linear);

ColorScale scale_of(const ColorRange& range, const PlotOptions& options);

// Of plots whose matrices share one range, found from their cells: rows have none of their own
// there, and neither ends nor a logarithm are chosen.
inline PlotOptions with_shared_range(PlotOptions options) {
  if (options.range == ColorSpan::Rows) options.range = ColorSpan::Automatic;
  options.range_low.reset();
  options.range_high.reset();
  options.log = false;
  return options;
}

// "this head", "all heads", "this sample": whose cells the range of a stage is of.
std::string whose_cells(const MatrixId& matrix, ColorSpan span);

// What must be known of the cells for the colours, and for the histogram beside their bar.
StatisticsOptions statistics_of_colors(const ViewOptions& options);
StatisticsOptions statistics_of_histogram(const ViewOptions& options);

struct ColorEnds {
  std::optional<double> low, high;  // nothing: that end stays as it is
  friend bool operator==(const ColorEnds&, const ColorEnds&) = default;
};

// `up`: how far the pointer has come since it took hold of `end`, units. What stood under the
// pointer then becomes the end, which never meets the other one.
ColorEnds dragged_ends(const RangeHit& end, double up);

// Refuses (Usage) what no figure could honour: bounds of the colours or an axis out of order, and a
// figure too small for its letters. Plots draw regardless; ask before a figure is written. Refusals
// spell the options as asked.
Status check_options(const PlotOptions& options, Spelling spelling = Spelling::Field);
// The same of the ends of an axis, for plots that have one.
Status check_axis(const PlotOptions& options, Spelling spelling = Spelling::Field);

// Also what only the numbers tell: a single bound on the wrong side of the end that stays.
Status check_options(const PlotOptions& options, const AttentionResult& result,
                     Spelling spelling = Spelling::Field);

}  // namespace attn
