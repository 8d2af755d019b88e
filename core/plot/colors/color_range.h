// What the colours of all plots span: one rule, which reads no matrix.
#pragma once

#include <string>
#include <string_view>

#include "engine/statistics.h"
#include "plot/plot.h"

namespace attn {

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

}  // namespace attn
