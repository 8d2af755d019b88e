// What is looked at: one interface for matrices that were given, computed or derived. Nobody may
// assume that the cells are stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attention/mask.h"
#include "engine/matrix/derivation.h"
#include "engine/matrix/matrix_id.h"
#include "engine/matrix/pool.h"
#include "engine/result.h"

namespace attn {

// Immutable, safe to read from any thread. Reading may compute: read ranges, not cells, in loops.
class Matrix : public Derivation {
 public:
  virtual const MatrixId& id() const = 0;
  virtual StageShape extents() const = 0;

  // Copies `range` to `out`, row-major. Precondition: it is inside.
  virtual void read(const CellRange& range, float* out) const = 0;

  // The largest cells of a range, as AttentionResult::pool_maxima has them.
  virtual bool pool_maxima(const CellRange&, Progress*, PooledCells& /*out*/) const {
    return false;
  }

  // Smallest and largest finite visible value, {0, 0} without any; and the cells of NaN or ±Inf.
  // Nothing where cells are computed when they are read; `summarised` reads all of them.
  struct Summary {
    float low = 0.0F, high = 0.0F;
    std::uint64_t non_finite = 0;
  };
  virtual std::optional<Summary> summary() const = 0;

  // True where a mask hides cells: they are hatched, and are left out of the range.
  virtual bool is_masked() const { return false; }
  // The rules that may hide cells, and those that hide cells [first_col, first_col + out.size()) of
  // a row.
  virtual HiddenRules rules() const { return kVisible; }
  virtual void hidden_row(std::size_t row, std::span<HiddenRules> out,
                          std::size_t first_col = 0) const;

  // How it comes about, in one line: "QKᵀ · 0.5"; may be empty.
  virtual std::string formula() const { return ""; }
  virtual std::vector<ResultNote> notes() const { return {}; }

  // Of the cells that are stored for it alone.
  std::uint64_t bytes() const override { return 0; }

  // One value, one cell's rules. For inspectors and tests.
  float value(std::size_t row, std::size_t col) const;
  HiddenRules hidden(std::size_t row, std::size_t col) const;
};
using MatrixPtr = std::shared_ptr<const Matrix>;

// What the rows, and what the columns of a matrix stand for.
enum class AxisKind { Queries, Keys, Features, Positions };
AxisKind row_kind(const MatrixId& id);
AxisKind column_kind(const MatrixId& id);

// Rows and columns of a matrix of a problem of this shape; of the encoding of positions at most so
// many.
StageShape extents_of(const AttentionShape& shape, const MatrixId& id);

// A result that somebody else keeps as long as the pointer is used.
ResultPtr borrowed(const AttentionResult& result);

// A stage of one head; shares the result. Null when the result has no such stage or head.
MatrixPtr stage_matrix(ResultPtr result, const MatrixId& id);

// The same matrix under another id; null for null.
MatrixPtr renamed(MatrixPtr matrix, const MatrixId& id);

// Cells that somebody has made, (rows, cols), row-major. With a mask, which then is for as many
// queries and keys, cells are hidden as it hides them from the head of the id.
struct MadeCells {
  std::size_t rows = 0, cols = 0;
  std::vector<float> values;
  std::optional<Mask> mask;
  std::string formula = "";
};
MatrixPtr stored_matrix(const MatrixId& id, MadeCells cells);

// Every `step`th row, whole.
CellRange every_row(const StageShape& extents, std::size_t step);

// What is known of all cells, found by reading them once.
Matrix::Summary summarised(const Matrix& matrix);

}  // namespace attn
