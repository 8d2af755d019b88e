// Range of the colours of all plots: one rule.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/statistics.h"
#include "figure/colormap.h"
#include "plot/kit/plot.h"

namespace attn {

// Space for labels, a matrix of three cells and the colour bar side by side, in font sizes.
inline constexpr double kNarrowest = 20.0;

// The map with the chosen name. By default, weights and norms of derivatives take viridis and all
// other, signed, stages the diverging map.
const ColorMap& colormap_for(const PlotOptions& options);

// Kind of numbers, which determines the range of their colours.
enum class Quantity {
  Share,   // weights of a row, from 0 to 1
  Change,  // one share minus another
  Given,   // weights outside of 0 and 1
  Other,
};
struct ColorSubject {
  Quantity quantity = Quantity::Share;
  std::size_t keys = 1;     // of shares: the most that a row of the attention sees
  bool sums_to_one = true;  // rows do, by design
  bool is_masked = false;   // so that other rows may see fewer keys
};

// Subject for a matrix of this result. Weights that were given outside of 0 and 1 are no shares.
ColorSubject subject_of(const AttentionResult& result, const MatrixId& id);

// True if the ends, or the words about them, depend on the numbers. Those of shares do not unless
// another range is chosen.
bool spans_numbers(const ColorSubject& subject, const ViewOptions& options);

// Colours of one stage of one head with these options.
struct ColorRange : ColorScale {
  std::string basis = {};                        // "0 to 0.54, this head"
  double share = 0.0;                            // that has a tick of its own; 0: none
  bool beyond_low = false, beyond_high = false;  // values lie below the low or above the high end
};

// Range of shares from 0 to `end`, bent by the number of keys so that an equal share is a third of
// the way up: with 3 keys and fewer evenly. A diverging map has 0 in its middle and goes to ± the
// end.
ColorRange share_range(const ColorMap& map, const ColorSubject& subject, double end = 1.0);

// Options for weights whose colours are those of their map whatever range is chosen there.
PlotOptions with_map_of_weights(PlotOptions options);

// Range for these options. `seen` is of the cells of spans_numbers(), else not read; `scope` names
// them. A diverging map has zero in its middle: given bounds become ± the larger.
ColorRange color_range(const ColorSubject& subject, const Statistics& seen,
                       const PlotOptions& options, const std::string& scope = "this head");

// "0 to 0.54".
std::string range_words(double low, double high);

// "this head", "all heads", "this sample": the cells that the range of a stage is over.
std::string range_scope(const MatrixId& matrix, ColorSpan span);

// Statistics that the colours of a matrix, and the histogram of their bar, need.
StatisticsOptions statistics_of_colors(const FittedView& view, const MatrixId& id);
StatisticsOptions statistics_of_histogram(const ViewOptions& options);

// Usage errors for options that no figure can honour: bounds of colours or of an axis out of order,
// a figure too small for its letters. Plots draw regardless; check before a file is written. Errors
// spell the options as `spelling` requires.
Status check_options(const PlotOptions& options, Spelling spelling = Spelling::Field);
// check_options for the ends of an axis, for plots that have one.
Status check_axis(const PlotOptions& options, Spelling spelling = Spelling::Field);

// Checks also against the numbers: a single bound on the wrong side of the other end.
Status check_options(const PlotOptions& options, const AttentionResult& result,
                     Spelling spelling = Spelling::Field);

}  // namespace attn
