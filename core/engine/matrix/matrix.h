// Interface of given, computed or derived matrices, which need not be materialised, and a reader of
// their rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attention/mask.h"
#include "engine/matrix/matrix_id.h"
#include "engine/read/derivation.h"
#include "engine/read/result.h"

namespace attn {

// Immutable and thread-safe. Reading may compute, so loops should read ranges, not cells.
class Matrix : public Derivation {
 public:
  virtual const MatrixId& id() const = 0;
  virtual StageShape extents() const = 0;

  // Copies `range` to `out`, row-major. Precondition: it is inside.
  virtual void read(const CellRange& range, float* out) const = 0;

  // Maxima of groups of cells of a range: see AttentionResult::pool_maxima.
  virtual bool pool_maxima(const CellRange&, Progress*, PooledCells& /*out*/) const {
    return false;
  }

  // Smallest and largest finite visible value, {0, 0} if there is none, and the number of NaN or
  // ±Inf cells. Nothing if cells are computed when read; `summarised` reads them all.
  struct Summary {
    float low = 0.0F, high = 0.0F;
    std::uint64_t non_finite = 0;
  };
  virtual std::optional<Summary> summary() const = 0;

  // Mask whose rules for the id's head hide cells; null: none. Borrowed.
  virtual const Mask* mask() const { return nullptr; }
  // True if a mask hides cells: they are hatched and excluded from the range.
  virtual bool is_masked() const { return mask() != nullptr; }
  // Rules that may hide cells, and those that hide cells [first_col, first_col + out.size()) of a
  // row.
  virtual HiddenRules rules() const;
  virtual void hidden_row(std::size_t row, std::span<HiddenRules> out,
                          std::size_t first_col = 0) const;

  // One-line formula: "QKᵀ · 0.5"; may be empty.
  virtual std::string formula() const { return ""; }
  virtual std::vector<ResultNote> notes() const { return {}; }

  // Bytes of the cells that it owns.
  std::uint64_t bytes() const override { return 0; }

  // One value, and the rules of one cell. For inspectors and tests.
  float value(std::size_t row, std::size_t col) const;
  HiddenRules hidden(std::size_t row, std::size_t col) const;
};
using MatrixPtr = std::shared_ptr<const Matrix>;

// Extents of a matrix for a problem of this shape.
StageShape extents_of(const AttentionShape& shape, const MatrixId& id);

// Wraps the result without owning it. Precondition: the result outlives the pointer.
ResultPtr borrowed(const AttentionResult& result);

// A stage of one head; shares the result. Null if the result has no such stage or head.
MatrixPtr stage_matrix(ResultPtr result, const MatrixId& id);

// A matrix under another id; null for null.
MatrixPtr renamed(MatrixPtr matrix, const MatrixId& id);
// Weights of the only head of a separate result, with the formula of their scores.
MatrixPtr weights_of(const ResultPtr& result, const MatrixId& id, std::string formula);
// The matrix, which has no mask, with a mask that is borrowed.
MatrixPtr masked(MatrixPtr matrix, const Mask& mask);

// Given cells, (rows, cols), row-major. A mask, which must be for as many queries and keys, hides
// cells as for the id's head.
struct MadeCells {
  std::size_t rows = 0, cols = 0;
  std::vector<float> values;
  std::optional<Mask> mask;
  std::string formula = "";
};
MatrixPtr stored_matrix(const MatrixId& id, MadeCells cells);

// Selects every `step`-th row, whole.
CellRange every_row(const StageShape& extents, std::size_t step);

Matrix::Summary summarised(const Matrix& matrix);

// Reader of the rows of a range. Reads several at once, which is cheaper if they are computed.
class RowReader {
 public:
  // `matrix` is borrowed.
  RowReader(const Matrix& matrix, const CellRange& range);

  // Moves to the first row, then to the next; false at the end.
  bool next();

  // Row of the matrix.
  std::size_t row() const { return range_.row_at(at_); }
  // Writable: the memory is the reader's own.
  std::span<float> cells();
  // Rules that hide each cell; kVisible without a mask.
  std::span<const HiddenRules> rules() const { return rules_; }

 private:
  const Matrix& matrix_;
  CellRange range_;
  std::size_t rows_at_once_;
  std::size_t at_ = 0, begin_ = 0, end_ = 0;  // indices of the present row and of those in memory
  bool began_ = false;
  std::vector<float> cells_;
  std::vector<HiddenRules> rules_;
};

}  // namespace attn
