// The labels along one side of a matrix: what they say, how they lie, which of them are drawn.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/matrix/matrix.h"
#include "figure/figure.h"
#include "figure/text.h"
#include "plot/kit/plot.h"

namespace attn {

// In the same words on every axis.
inline constexpr std::string_view kKeyAxisTitle = "Key (attended to)";
inline constexpr std::string_view kQueryAxisTitle = "Query (attends)";

// What rows or columns stand for: tokens of one side, or features by their names or numbers from 0.
struct MatrixAxis {
  std::string title;
  std::size_t count = 0;
  bool tokens = true;
  Side side = Side::Query;
  HeadAddress at{};           // whose tokens they are
  FeatureColumns features{};  // of what is no token: by which names it goes
};

// How a problem of this shape counts the columns of a stage: "d_k", or "d_q" where queries are
// wider or narrower than keys.
std::string column_symbol(const AttentionShape& shape, Stage stage);

// Of a matrix, with the titles of a heatmap's axes; features are counted as a problem of this shape
// counts them.
MatrixAxis row_axis(const Matrix& matrix);
MatrixAxis column_axis(const AttentionShape& shape, const Matrix& matrix);

std::string axis_label(const Document& document, const MatrixAxis& axis, std::size_t index);

// Width of the widest of every `stride`th label, of some hundred, at most `limit` units. Of numbers
// the last one is taken for the widest.
double widest_label(const Document& document, const MatrixAxis& axis, std::size_t stride,
                    const FontStyle& font, const TextMetrics& metrics, double limit);

// Whether the labels are nothing but numbers in order.
bool is_counted(const Document& document, const MatrixAxis& axis);

inline constexpr double kLabelPitch = 1.05;  // of lines of labels, in font sizes

// Every how many labels one is drawn, so that they stand `spacing` units apart when cells are
// `cell` units large: 1, 2, 5, 10, 20, ….
std::size_t label_stride(double spacing, double cell);

// How column labels lie above the matrix.
struct ColumnStyle {
  double degrees = 0.0;  // 0, 45 or 90
  std::size_t stride = 1;
  double longest = 0.0;  // units; longer labels are cut
  double height = 0.0;   // of the zone that they take
};

// What decides the style.
struct ColumnSpace {
  double cell = 0.0;    // width of a column
  double widest = 0.0;  // of the labels
  double right = 0.0;   // room beyond the middle of the last column
  double height_limit = 0.0;
  bool counted = false;  // labels are numbers in order, which lose nothing by being thinned out
};

// Horizontal, thinned out as they must be.
ColumnStyle level_style(const ColumnSpace& space, double font_size);

// Horizontal where all labels fit side by side, else at 45° where they do not leave the figure,
// else in the turn that shows more of them, upright or horizontal.
ColumnStyle column_style(const ColumnSpace& space, double font_size);

// Where the labels of one side lie, and how much of the axis is in view.
struct LabelPlace {
  Rect clip;                         // of the matrix
  double start = 0.0, length = 0.0;  // first cell in view, and how many; fractions while zooming
  FontStyle font;
  Color color;
  double gap = 0.0;      // between the labels and the matrix, units
  double longest = 0.0;  // of rows: longer labels are cut
};

Color axis_color(const MatrixAxis& axis, const FigureTheme& theme, Color of_features);

// Right-aligned at the left of the matrix, `aside` units further than the gap. Thinned out where
// rows are closer than lines, with a tick for each that is drawn. Each carries the TokenHit of its
// token.
void add_row_labels(Figure& figure, const Document& document, const MatrixAxis& axis,
                    const LabelPlace& place, double aside, const FigureTheme& theme,
                    const TextMetrics& metrics);

// Above the matrix, as `style` says.
void add_column_labels(Figure& figure, const Document& document, const MatrixAxis& axis,
                       const LabelPlace& place, const ColumnStyle& style, const FigureTheme& theme,
                       const TextMetrics& metrics);

}  // namespace attn
