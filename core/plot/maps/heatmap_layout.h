// Where the parts of a heatmap stand. Depends on the whole matrix, never on the part in view, so
// that nothing moves while one zooms.
#pragma once

#include <string>
#include <vector>

#include "figure/text.h"
#include "plot/colors/color_bar.h"
#include "plot/parts/axis.h"
#include "plot/parts/pooled_part.h"

namespace attn {

// One entry of the legend below the matrix.
struct LegendEntry {
  CellLook look = CellLook::Mapped;  // Mapped: a remark without a swatch
  std::string text;
  bool pooling = false;          // says how cells share pixels, which depends on the part in view
  HiddenRules rules = kVisible;  // Hidden: the rules of one direction of lines
  bool range = false;  // says what the colours span, where there is no room beside the bar
};

// The words and sizes that the layout must find room for.
struct HeatmapParts {
  std::string title, subtitle;  // either may be empty
  MatrixAxis rows, columns;
  std::vector<LegendEntry> legend;
  ColorBar bar;             // its rectangle is filled in by the layout
  bool by_pixels = false;   // what its colours span
  double widest_row = 0.0;  // labels, units
  double widest_col = 0.0;
  std::vector<std::size_t> unseeing;  // queries that see no key, where the stage shows it
  bool counted_columns = false;       // their labels are numbers in order
  double mark_width = 0.0;            // of their marks beside the row labels
  bool snug = false;                  // no higher than the content, where a height is given
};

struct HeatmapLayout {
  double width = 0.0, height = 0.0;
  std::vector<std::string> title_lines, subtitle_lines;
  Point title, subtitle;          // baselines, left; of the first lines
  Rect clip;                      // the matrix
  ColumnStyle columns;            // with the whole matrix in view
  double row_labels = 0.0;        // room for them, units
  Point row_title, column_title;  // middle, and middle of the baseline
  double row_title_length = 0.0;
  Rect bar;
  bool bar_titled = true;
  bool histogram_shown = true;  // false: labels need its room
  bool bar_shown = true;        // false: no room for it beside the matrix
  Rect legend;
  double font_size = 10.0;
};

inline double tick_size(double font_size) { return font_size; }
inline double title_line(double font_size) { return 1.75 * font_size; }
inline FontStyle title_font(double font_size) { return {1.25 * font_size, true, false}; }
inline double subtitle_line(double font_size) { return 1.4 * font_size; }
inline FontStyle subtitle_font(double font_size) { return {font_size, false, false, true}; }
inline double label_gap(double font_size) { return 0.5 * font_size; }

HeatmapLayout lay_out(const HeatmapParts& parts, const PlotOptions& options,
                      const TextMetrics& metrics);

// Where each legend entry starts, and how high they are together, in lines of `width` units.
struct LegendFlow {
  struct Entry {
    Point start;                     // top left, relative to the legend
    std::vector<std::string> lines;  // legend_line apart
  };
  std::vector<Entry> entries;
  double height = 0.0;
};
LegendFlow legend_flow(const std::vector<LegendEntry>& legend, double width, double font_size,
                       const TextMetrics& metrics);

inline FontStyle legend_font(double font_size) { return {secondary_size(font_size), false, false}; }
inline double legend_line(double font_size) { return 1.4 * font_size; }
inline double swatch_width(double font_size) { return 1.6 * font_size; }

// What a heatmap of something else than a stage says it is.
struct HeatmapCaption {
  std::string matrix;    // "Attention rollout, 12 layers"
  std::string quantity;  // of the colour bar
  bool snug = false;     // the figure is no higher than its content, even where a height is given
  std::optional<PooledQuestion> cells{};  // how it is read, where nobody keeps it
  StatisticsPtr seen = nullptr;           // what its colours go by; null: itself
};

}  // namespace attn
