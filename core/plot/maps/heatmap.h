// Heatmap of one stage of one head: rows are queries, columns are keys.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/matrix/matrix.h"
#include "plot/colors/color_bar.h"
#include "plot/kit/cells.h"
#include "plot/kit/legend.h"
#include "plot/kit/map_needs.h"
#include "plot/kit/page.h"
#include "plot/kit/plot.h"

namespace attn {

// Name of a matrix, and the data from which its heatmap is drawn.
struct HeatmapCaption {
  std::string matrix;                     // "Attention rollout, 12 layers"
  std::string quantity;                   // of the colour bar
  bool snug = false;                      // no higher than its content, even when a height is given
  std::optional<PooledQuestion> cells{};  // how parts are read, when it is not materialised
  StatisticsPtr seen = nullptr;           // decides the colours; null: the matrix itself
  std::optional<ColorSubject> subject{};  // of the colours; nothing: that of the matrix
};

// True if rows that see no key are marked: in masked matrices and those made from one.
bool shows_unseeing(const MatrixId& matrix);

// True if the range of colours is that of the pixels of the whole map: for matrices that are made
// from stages and read once, for their pixels.
bool goes_by_pixels(const ViewOptions& options, const MatrixId& matrix, bool is_materialised);

// The plot of the stage and head of the options.
Result<Figure> heatmap_plot(const Drawing& drawing);

// Needs: parts of a map that is not materialised, and facts that take longer than a frame: the
// range of the colours, the histogram, rows that see no key.
std::vector<Need> heatmap_needs(const FittedView& view);

// Figure with title, axis titles, thinned token labels, one MatrixItem, numbers in the cells when
// they fit, colour bar, legend and pins. The stage of the options is that of the matrix's id. A map
// that is not materialised is drawn from its known part; error while the part in view is not known.
Result<Figure> heatmap(const Drawing& drawing, const Matrix& matrix, HeatmapCaption caption);

// Needs of a heatmap other than its matrix.
std::vector<Need> heatmap_needs(const FittedView& view, const PooledQuestion& cells,
                                bool is_materialised);

std::vector<Need> derived_needs(const FittedView& view);

// Heatmap of that matrix, or the reason why it cannot be made.
Result<Figure> derived_matrix(const Drawing& drawing);

// --- Steps of drawing, shared by the sources of the plot ---

// Mark of the rows that see no key, and in the legend.
inline constexpr std::string_view kUnseeingMark = "∅";

// True for a pane of the window so small that titles of axes and margins give way to the cells.
inline bool is_small_pane(const PlotOptions& options) {
  constexpr double kSmall = 23.0;  // font sizes
  return options.on_screen && options.height > 0.0 &&
         std::min(options.width, options.height) < kSmall * options.font_size;
}

inline bool has_axis_titles(const PlotOptions& options) {
  return options.axes && !is_small_pane(options);
}

// Parts of the colour bar that fit next to the matrix.
enum class BarStyle { Titled, WithoutHistogram, Plain, None };

struct HeatmapLayout {
  double height = 0.0;
  std::vector<std::string> title_lines, subtitle_lines;
  Point row_title, column_title;  // centre, and centre of the baseline
  double row_title_length = 0.0;
  Rect bar;
  BarStyle bar_style = BarStyle::None;
  double legend = 0.0;  // its top
  MapFit fit;           // if it is the only map
};

// The panel, its texts and sizes, and its data; borrows the matrix.
struct HeatmapScene : CellPanel {
  const Matrix& matrix;
  const HeatmapCaption& caption;
  std::string title{}, subtitle{};  // either may be empty
  std::vector<LegendEntry> legend{};
  ColorBar bar{};                       // its rectangle is set by the layout
  double widest_row = 0.0;              // labels, units
  std::vector<std::size_t> unseeing{};  // queries that see no key, where the stage shows it
  HeatmapLayout layout{};
  bool pools = false;  // a pixel holds several cells when the whole matrix is in view
  PooledPartPtr part = nullptr;
};

// Sets what the layout needs.
void set_parts(HeatmapScene& scene);

// Sets the layout, and the positions of the panel's cells and labels; adds to the legend the texts
// that have no space elsewhere.
void lay_out(HeatmapScene& scene);

// The entries of the legend that occur among the matrix's texels.
void add_legend(Figure& figure, const MatrixItem& m, const HeatmapScene& scene);

// The bar in this style, with the words of pixels that hold several cells.
ColorBar bar_in(const HeatmapScene& scene, BarStyle style);

// "maximum", "mean", or "largest magnitude" of a difference.
std::string pooling_word(Pooling pooling, const Matrix& matrix);

}  // namespace attn
