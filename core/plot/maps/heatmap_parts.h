// The parts of a heatmap: what they say, and where they stand.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/matrix/matrix.h"
#include "figure/text.h"
#include "plot/colors/color_bar.h"
#include "plot/kit/axis.h"
#include "plot/kit/plot.h"
#include "plot/kit/pooled_part.h"

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

// Stands beside the rows that see no key, and in the legend.
inline constexpr std::string_view kUnseeingMark = "∅";

// The entries of a legend that occur among the matrix's texels, in words of what occurs.
std::vector<LegendEntry> legend_in_view(const std::vector<LegendEntry>& legend,
                                        const MatrixItem& matrix);
// The rules that hide texels of the matrix.
HiddenRules rules_in_view(const MatrixItem& matrix);

// What the words are of; borrowed.
struct HeatmapSubject {
  const PlotInput& input;
  const Matrix& matrix;
  const PlotOptions& options;
  const std::optional<PooledQuestion>& cells;  // how they were read, where nobody keeps them
  StatisticsPtr seen = nullptr;                // what the colours go by; null: the matrix
};
HeatmapParts parts_of(const HeatmapSubject& subject, const TextMetrics& metrics);

// Sets what the colours of the bar span where the whole matrix is drawn in `clip`, and says it.
void set_range(const HeatmapSubject& subject, const Rect& clip, HeatmapParts& parts);

// How cells of the whole matrix share pixels where it is drawn in `clip`.
LegendEntry pooling_entry(const HeatmapSubject& subject, const Rect& clip);

// Whether rows that see no key are marked: of masked matrices, and of what comes from one.
bool shows_unseeing(const MatrixId& matrix);

// Says what the matrix is in these words, instead of which stage of which head.
void set_caption(const HeatmapCaption& caption, const PlotOptions& options, HeatmapParts& parts);

// Sets the widest label of each side, of every strideth.
void measure_labels(const Document& document, const PlotOptions& options,
                    const TextMetrics& metrics, std::size_t row_stride, std::size_t column_stride,
                    HeatmapParts& parts);

// "maximum" or "mean".
std::string pooling_word(Pooling pooling);

// "each pixel shows the maximum of 3 × 3 cells".
std::string pooling_sentence(const MatrixItem& matrix, Pooling pooling);

// ", queries 3 to 8 of 20, keys 1 to 5 of 20": which part of the matrix is in view; empty of all.
std::string part_words(const HeatmapParts& parts, const CellWindow& window);

std::string alt_text_of(const PlotInput& input, const Matrix& matrix, const PlotOptions& options);
std::string alt_text_of(const Matrix& matrix, const std::string& name);

struct Overview {
  const PlotInput& input;
  const Matrix& matrix;
  const PlotOptions& options;
  CellWindow window;  // in view
  Rect clip;          // where it is drawn
  ColorScale scale;
  const PooledQuestion* cells = nullptr;  // how they were read beforehand; null: somebody has them
};

// Nothing while all of the matrix is in view, while nothing is known of it, of a few cells, and
// where there is no room. Carries an OverviewHit.
void add_overview(Figure& figure, const Overview& overview);

}  // namespace attn
