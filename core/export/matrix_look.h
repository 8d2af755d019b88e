// What a matrix looks like on paper, for every painter: a colour for each cell, and where patterns
// are drawn over them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "figure/figure.h"

namespace attn {

// Neighbouring cells of one row that share a pattern.
struct CellRun {
  std::size_t row = 0, first_col = 0, end_col = 0;
};

// One pattern in the matrix's `hatch` colour, and the cells that it covers. It begins at the top
// left of the matrix's clip, so that neighbouring cells join without seams.
struct MatrixPattern {
  CellLook look = CellLook::Hidden;  // or NonFinite; never Mapped
  HatchLine line = kRisingLines;     // of hidden cells
  std::vector<CellRun> runs;
};

struct MatrixLook {
  Color hidden, non_finite;  // what stands under a pattern, or in place of it
  std::vector<MatrixPattern> patterns;
};

// Where there are more pieces of a pattern than can be drawn in good time, they become an even tint
// of the same darkness: cells so small show no pattern anyway.
MatrixLook look_of(const MatrixItem& m);

// Of the cell at `index` in m.cells, without its pattern.
Color cell_color(const MatrixItem& m, const MatrixLook& look, std::size_t index);

// Pixels that a cell takes along x and y of an image.
struct Enlargement {
  std::size_t x = 1, y = 1;
};

// Whole factors that make an image about 1,200 pixels long: viewers of vector files blur images of
// few pixels, whatever the file asks them to do.
Enlargement enlargement_of(const MatrixItem& m);

// 0xFFRRGGBB of each pixel, row by row. `pixels` holds rows · by.y lines of `stride` pixels.
void fill_pixels(const MatrixItem& m, const MatrixLook& look, Enlargement by, std::uint32_t* pixels,
                 std::size_t stride);

}  // namespace attn
