// Marks on cells: pins and the cell under the pointer, alike in all plots of cells.
#pragma once

#include "plot/kit/plot.h"

namespace attn {

// True if the matrix shows the pin: it belongs to one head, where its cell (q, k) exists in all
// token-by-token stages.
bool shows_pin(const MatrixItem& m, const CellHit& pin);

// Draws a frame and a number for each of options.pins in view and in the head of the matrix. Pins
// show in all computed token-by-token stages, which share their cells, and others only in their own
// matrix. `matrix` is the index of an item of the figure.
void add_pins(Figure& figure, std::size_t matrix, const PlotOptions& options);

// True if a line is the link of the cell's pair of tokens in the cell's head.
bool is_link_of(const LineItem& line, const CellHit& cell);

// Draws a link again, opaque and wider, with a halo that contrasts with every colour.
void add_marked(Figure& figure, LineItem link, const FigureTheme& theme);

// An empty figure of the size of `figure`, without a background, to be painted over it.
Figure overlay_of(const Figure& figure);

// Overlay with frames about the rows and columns of a token, and its labels in colour.
// `one_sequence`: keys are the tokens of the queries, and `token` is given as a query.
Figure token_marks(const Figure& figure, const TokenHit& token, bool one_sequence, ThemeKind theme);

// Overlay of the hovered cell: cross-hair, frame and coloured labels in its own matrix, a frame
// about its pair of tokens in the others, and its link marked. Numbers of pins stay on top.
Figure hover_marks(const Figure& figure, const CellHit& cell, ThemeKind theme);

}  // namespace attn
