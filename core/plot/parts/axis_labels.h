// The labels of rows and columns beside a matrix, the same in every plot that draws cells.
#pragma once

#include "plot/parts/axis.h"

namespace attn {

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
