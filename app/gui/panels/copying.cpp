// Reads what is copied.
#include "gui/panels/copying.h"

#include <vector>

#include "base/number_text.h"
#include "engine/matrix/matrix.h"
#include "gui/panels/inspector/inspector.h"
#include "gui/panels/pane/figure_cache.h"
#include "plot/all_plots.h"

namespace attn::gui {
namespace {

constexpr CopiedPartInfo kParts[] = {{CopiedPart::Cell, "cell", "Cell", true},
                                     {CopiedPart::Row, "row", "Row", true},
                                     {CopiedPart::Column, "column", "Column", true},
                                     {CopiedPart::Matrix, "matrix", "Matrix", false}};

CellRange range_of(CopiedPart part, const CellHit& cell, const StageShape& extents) {
  switch (part) {
    case CopiedPart::Cell:
      return {cell.row, cell.col, 1, 1};
    case CopiedPart::Row:
      return {cell.row, 0, 1, extents.cols};
    case CopiedPart::Column:
      return {0, cell.col, extents.rows, 1};
    case CopiedPart::Matrix:
      break;
  }
  return {0, 0, extents.rows, extents.cols};
}

// Tokens as they are in the document, which pasting reads back.
std::vector<std::string> labels_of(const Document& document, const MatrixId& matrix,
                                   std::optional<Side> side, const FeatureColumns& features,
                                   std::size_t first, std::size_t count) {
  std::vector<std::string> labels;
  for (std::size_t i = first; i < first + count; ++i) {
    labels.push_back(side ? tokens_of(document, *side, matrix.head)[i]
                          : feature_label(document.features, features, i));
  }
  return labels;
}

Result<NumberTable> read_part(const AppState& state, const CellHit& cell, CopiedPart part) {
  const LookedAt shown(state);
  const PlotInput input = shown.input();
  const MatrixPtr matrix = matrix_in(input, cell.matrix);
  if (matrix == nullptr) return usage_error("there are no numbers to copy");
  const CellRange range = range_of(part, cell, matrix->extents());
  if (range.rows * range.cols > kMostCopiedNumbers) {
    return usage_error(grouped_text(range.rows * range.cols) + " numbers are too many to copy",
                       "copy a row, or write all of them with attnscope compute");
  }
  NumberTable table{range.rows, range.cols, std::vector<float>(range.rows * range.cols)};
  matrix->read(range, table.values.data());
  table.row_labels =
      labels_of(input.document, cell.matrix, row_side(cell.matrix), {}, range.row, range.rows);
  const FeatureColumns features =
      feature_columns(input.result.shape(cell.matrix.head), stage_info(cell.matrix.stage).columns);
  table.column_labels = labels_of(input.document, cell.matrix, column_side(cell.matrix), features,
                                  range.col, range.cols);
  return table;
}

}  // namespace

std::span<const CopiedPartInfo> all_copied_parts() { return kParts; }

Result<NumberTable> copied_numbers(const AppState& state, CopiedPart part) {
  if (!state.result) return usage_error("nothing has been computed yet");
  const std::vector<CellHit> cells = inspected_cells(state);
  if (!cells.empty()) return read_part(state, cells.front(), part);
  if (part != CopiedPart::Matrix) {
    return usage_error("no cell is pointed at or pinned", "click one, then copy");
  }
  return read_part(state, {matrix_in_view(state), 0, 0}, part);
}

}  // namespace attn::gui
