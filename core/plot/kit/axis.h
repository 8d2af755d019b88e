// Labels along one side of a matrix: their text, layout and thinning.
#pragma once

#include <cstddef>
#include <string>

#include "engine/matrix/matrix.h"
#include "figure/figure.h"
#include "figure/text.h"
#include "plot/kit/plot.h"

namespace attn {

// Titles of the axes of all plots.
inline constexpr std::string_view kKeyAxisTitle = "Key (attended to)";
inline constexpr std::string_view kQueryAxisTitle = "Query (attends)";

// Axis of a matrix: tokens of one side, or features with names or numbers from 0.
struct MatrixAxis {
  std::string title;
  std::size_t count = 0;
  bool tokens = true;
  Side side = Side::Query;
  HeadAddress at{};           // of tokens: the attention and sample they are of
  FeatureColumns features{};  // of features: the names they have
  bool positions = false;     // not features: numbers from 0
};

// The title of an axis that an option gives, "none" for none, else its usual one.
std::string own_title(const std::string& given, const std::string& usual);

// Symbol for the number of columns of a stage: "d_k", or "d_q" when queries and keys differ in
// width.
std::string column_symbol(const AttentionShape& shape, Stage stage);

// Axes of a matrix with the titles of a heatmap. Columns of features carry the symbols of this
// shape.
MatrixAxis row_axis(const Matrix& matrix);
MatrixAxis column_axis(const AttentionShape& shape, const Matrix& matrix);

std::string axis_label(const Document& document, const MatrixAxis& axis, std::size_t index);
// Label as above, cut in its middle where it is longer than `longest` units.
std::string axis_label(const Drawing& drawing, const MatrixAxis& axis, std::size_t index,
                       const FontStyle& font, double longest);

// Width of the widest of every `stride`th label, at most `limit` units. Samples some hundred
// labels; of numbers it measures only the last, which is the widest.
double widest_label(const Document& document, const MatrixAxis& axis, std::size_t stride,
                    const FontStyle& font, const TextMetrics& metrics, double limit);

// True if all labels are consecutive numbers.
bool is_counted(const Document& document, const MatrixAxis& axis);

// Number of the first tokens that have Chinese, Japanese or Korean letters, and of those tokens.
struct EastAsianShare {
  std::size_t count = 0, all = 0;
  bool is_most() const { return 2 * count > all; }
};
EastAsianShare east_asian_share(const TokenList& tokens);

// Height of the longest label, in letters, if labels that do not fit side by side have their
// letters below each other, as most are Chinese, Japanese or Korean, which are not read on their
// side; else 0. Words in other letters are turned.
std::size_t stacked_letters(const Document& document, const MatrixAxis& axis);

inline constexpr double kLabelPitch = 1.05;  // between lines of labels, in font sizes

// Stride of the labels, one of 1, 2, 5, 10, 20, …, that keeps them `spacing` units apart when a
// cell is `cell` units large.
std::size_t label_stride(double spacing, double cell);

// Layout of column labels above the matrix.
struct ColumnStyle {
  double degrees = 0.0;  // 0, 45 or 90
  std::size_t stride = 1;
  double longest = 0.0;     // units; longer labels are cut
  double height = 0.0;      // of the zone of the labels
  std::size_t stacked = 0;  // maximum of stacked letters; 0: labels are not stacked
};

// Measurements that decide the column style.
struct ColumnSpace {
  double cell = 0.0;    // width of a column
  double widest = 0.0;  // of the labels
  double right = 0.0;   // space beyond the middle of the last column
  double height_limit = 0.0;
  bool counted = false;     // labels are consecutive numbers, which may be thinned out
  std::size_t letters = 0;  // stacked_letters()
};

inline constexpr double kLetterPitch = 1.15;  // between letters below each other, in font sizes

// Adds the letters of a text below each other, at most so many, without some in its middle: `up`,
// the last one at the anchor, else the first. Words without Chinese, Japanese or Korean letters are
// turned by 90°; texts with signs of several code points are added as they are.
void add_stacked(Figure& figure, const TextItem& whole, std::size_t most, bool up,
                 const TextMetrics& metrics);

// Horizontal labels, thinned out until they fit.
ColumnStyle level_style(const ColumnSpace& space, double font_size);

// Horizontal labels when all fit side by side, else labels at 45° when they stay inside the figure,
// else upright or horizontal ones, whichever shows more.
ColumnStyle column_style(const ColumnSpace& space, double font_size);

// Colour of the side of tokens; ink for features.
Color axis_color(const MatrixAxis& axis, const FigureTheme& theme);

}  // namespace attn
