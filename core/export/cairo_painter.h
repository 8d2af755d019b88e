// Shared by the painters: the look of matrices, and painting with Cairo for PNG and PDF.
#pragma once

#include <cairo.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "figure/figure.h"
#include "figure/pango_layout.h"

namespace attn {

// Neighbouring cells of one row with equal patterns.
struct CellRun {
  std::size_t row = 0, first_col = 0, end_col = 0;
};

// A pattern in the matrix's `hatch` colour with its cells. Begins at the top left corner of the
// matrix's clip, so that neighbouring cells join without seams.
struct MatrixPattern {
  CellLook look = CellLook::Hidden;  // or NonFinite; never Mapped
  HatchLine line = kRisingLines;     // of hidden cells
  std::vector<CellRun> runs;
};

struct MatrixLook {
  Color hidden, non_finite;  // under a pattern, or instead of it
  std::vector<MatrixPattern> patterns;
};

// The look of a matrix. A pattern of too many pieces is replaced by an even tint of equal darkness:
// cells that small show no pattern anyway.
MatrixLook look_of(const MatrixItem& m);

// Colour of the cell at `index` in m.cells, without its pattern.
Color cell_color(const MatrixItem& m, const MatrixLook& look, std::size_t index);

// The cells as an image. When enlarged, it is about 1,200 pixels long: viewers of vector files blur
// images of few pixels.
SurfacePtr image_of(const MatrixItem& m, const MatrixLook& look, bool enlarged);

// PNG of an image, without its alpha when `opaque`; `dpi` 0 writes no resolution. `texts` become
// tEXt chunks, or iTXt when they are not ASCII. Progress may be null; Interrupted when it is
// cancelled.
using PngTexts = std::span<const std::pair<std::string, std::string>>;
Result<std::string> png_of(const SurfacePtr& image, bool opaque, double dpi, PngTexts texts,
                           Progress* progress);

// Draws in the units of `context`; without a background when `transparent`, and with matrices
// enlarged for vector files. False when the progress (may be null) was cancelled.
bool paint(cairo_t* context, const Figure& figure, bool transparent, bool enlarge_matrices,
           Progress* progress);

// Converts cairo's status to an error.
Status status_of(cairo_status_t status);

}  // namespace attn
