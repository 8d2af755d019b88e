// Marks on cells: pins, and the cell under the pointer. The same in every plot that draws cells.
#pragma once

#include "plot/kit/plot.h"

namespace attn {

// A frame and a number for each of options.pins that is in view: of the matrix's own head, and of
// its stage or, as they share their cells, of any computed token-by-token stage when it is one
// itself; of another matrix only on itself. `matrix` is an item of the figure.
void add_pins(Figure& figure, std::size_t matrix, const PlotOptions& options);

// Whether a line is the link that joins the cell's pair of tokens, in the same head.
bool is_link_of(const LineItem& line, const CellHit& cell);

// A link once more, opaque and stronger, with a halo so that it shows on every colour.
void add_marked(Figure& figure, LineItem link, const FigureTheme& theme);

// Nothing yet, to be painted over the figure: as large, and without a background.
Figure overlay_of(const Figure& figure);

// To be painted over a figure: frames about the rows and columns of a token's own, with its labels
// strong. `one_sequence`: keys are the queries' tokens too, and `token` is said to be a query.
Figure token_marks(const Figure& figure, const TokenHit& token, bool one_sequence, ThemeKind theme);

// To be painted over a figure: cross-hair, frame and strong labels of the hovered cell in the
// matrix that it is of, and a frame about the same pair of tokens in the others; the link that
// stands for the cell, marked. Numbers of pins stay on top.
Figure hover_marks(const Figure& figure, const CellHit& cell, ThemeKind theme);

}  // namespace attn
