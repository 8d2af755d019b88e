// One interface for matrices that were given, computed or derived, which need not be materialised,
// and a reader of their rows.
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

  // What hides cells, as it hides them from the head of the id; null: nothing does. Borrowed.
  virtual const Mask* mask() const { return nullptr; }
  // True where a mask hides cells: they are hatched, and are left out of the range.
  virtual bool is_masked() const { return mask() != nullptr; }
  // The rules that may hide cells, and those that hide cells [first_col, first_col + out.size()) of
  // a row.
  virtual HiddenRules rules() const;
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

// A result that is kept alive elsewhere as long as the pointer is used.
ResultPtr borrowed(const AttentionResult& result);

// A stage of one head; shares the result. Null when the result has no such stage or head.
MatrixPtr stage_matrix(ResultPtr result, const MatrixId& id);

// A matrix under another id; null for null.
MatrixPtr renamed(MatrixPtr matrix, const MatrixId& id);

// Given cells, (rows, cols), row-major. With a mask, which then is for as many
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

// Goes through the rows of a range, reading several at a time: rows that are computed when they are
// read come cheaper together.
class RowReader {
 public:
  // `matrix` is borrowed.
  RowReader(const Matrix& matrix, const CellRange& range);

  // Moves to the first row, then to the one after; false when there is none.
  bool next();

  // Which row of the matrix it is.
  std::size_t row() const { return range_.row_at(at_); }
  // May be changed: the memory is the reader's own.
  std::span<float> cells();
  // What hides each cell; kVisible where no mask touches the matrix.
  std::span<const HiddenRules> rules() const { return rules_; }

 private:
  const Matrix& matrix_;
  CellRange range_;
  std::size_t rows_at_once_;
  std::size_t at_ = 0, begin_ = 0, end_ = 0;  // numbers of rows: this one, and those in memory
  bool began_ = false;
  std::vector<float> cells_;
  std::vector<HiddenRules> rules_;
};

}  // namespace attn
