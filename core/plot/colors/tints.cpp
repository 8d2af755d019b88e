// Each cell as part of its row's largest weight.
#include "plot/colors/tints.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "figure/colormap.h"

namespace attn {
namespace {

// The largest finite weight in rows [begin, end).
float largest_in(const Matrix& matrix, std::size_t begin, std::size_t end) {
  const StageShape extents = matrix.extents();
  std::vector<float> row(extents.cols);
  float largest = 0.0F;
  for (std::size_t q = begin; q < std::min(end, extents.rows); ++q) {
    matrix.read({q, 0, 1, extents.cols}, row.data());
    for (const float weight : row) {
      if (std::isfinite(weight)) largest = std::max(largest, weight);
    }
  }
  return largest;
}

float largest_in(const RowTops& tops, std::size_t begin, std::size_t end) {
  float largest = 0.0F;
  const std::size_t past = std::min((end - tops.first - 1) / tops.step + 1, tops.largest.size());
  for (std::size_t at = (begin - tops.first) / tops.step; at < past; ++at) {
    if (std::isfinite(tops.largest[at])) largest = std::max(largest, tops.largest[at]);
  }
  return largest;
}

void divide_by_largest(MatrixCells& cells, const MatrixItem& item, const Matrix& matrix,
                       const RowTops* tops) {
  for (std::size_t r = 0; r < cells.rows; ++r) {
    const std::size_t begin = item.first_row + r * item.row_step;
    const std::size_t end = begin + item.row_step;
    const float largest =
        tops != nullptr ? largest_in(*tops, begin, end) : largest_in(matrix, begin, end);
    if (!(largest > 0.0F)) continue;
    float* row = cells.tints.data() + r * cells.cols;
    std::for_each(row, row + cells.cols, [largest](float& weight) { weight /= largest; });
  }
}

}  // namespace

bool has_parts_of_rows(const ViewOptions& options) {
  const ColorMap* map = colormap_named(options.colormap);
  const bool diverging = map != nullptr && map->diverging;
  return options.stage == Stage::Weights && !diverging && options.range == ColorSpan::Rows;
}

MatrixItem tinted(MatrixItem item, const Matrix& matrix, const ViewOptions& options,
                  const RowTops* tops) {
  if (!has_parts_of_rows(options)) return item;
  auto cells = std::make_shared<MatrixCells>(*item.cells);
  cells->tints = cells->values;
  divide_by_largest(*cells, item, matrix, tops);
  item.cells = std::move(cells);
  return item;
}

}  // namespace attn
