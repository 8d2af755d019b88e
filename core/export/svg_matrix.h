// Matrices in SVG: a rectangle for each cell while there are few, an image beyond.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "export/svg_writer.h"
#include "figure/figure.h"

namespace attn {

// What the matrices of one file share.
struct SvgMatrices {
  std::size_t most_cells = 0;  // of a matrix whose cells are rectangles
  std::set<std::string>
      defined;  // ids of patterns, clips and gradients, each by what it looks like
};

// Words for a cell of the item, by its row and column there; may give "".
using CellTitle = std::function<std::string(std::size_t row, std::size_t col)>;

// Writes the matrix as one group. Fails when its image cannot be encoded; progress (may be null) as
// of encoding it.
Status add_matrix(SvgWriter& svg, SvgMatrices& shared, const MatrixItem& m, const CellTitle& title,
                  Progress* progress);

}  // namespace attn
