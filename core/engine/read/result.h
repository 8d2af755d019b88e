// Every stage of a computed problem, read by ranges and, of weights, by rows: through one interface
// that does not promise stored matrices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attention/mask.h"
#include "attention/problem.h"
#include "attention/stage.h"
#include "base/progress.h"
#include "base/result.h"

namespace attn {

// Rows row, row + row_step, … (`rows` of them) × columns [col, col + cols) of a stage.
struct CellRange {
  std::size_t row = 0;
  std::size_t col = 0;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t row_step = 1;

  std::size_t row_at(std::size_t r) const { return row + r * row_step; }
  friend bool operator==(const CellRange&, const CellRange&) = default;
};

// `rows` of the rows of a range, from its row number `first` on.
CellRange part_of(const CellRange& range, std::size_t first, std::size_t rows);

// Something a person should know about the numbers.
struct ResultNote {
  enum class Level { Note, Warning };
  Level level = Level::Note;
  std::string text;
};

// A range made small: each cell is the maximum or the mean of the cells under it.
struct PooledCells {
  std::size_t rows = 0;  // at most max_rows
  std::size_t cols = 0;
  std::size_t row_step = 1;  // source rows under one output row (the last may have fewer)
  std::size_t col_step = 1;
  std::vector<float> values;  // NaN only where every cell underneath is NaN or hidden
  // HiddenRules where all cells underneath are hidden: those common to all, or else all that occur.
  // 0 where any is visible, and everywhere in matrices that no mask touches.
  std::vector<std::uint8_t> hidden;
};

class PooledMemo;

// Immutable once made; safe to read from any thread. Implementations may compute on demand, so read
// ranges, not cells, in loops.
class AttentionResult {
 public:
  virtual ~AttentionResult() = default;

  virtual const AttentionProblem& problem() const = 0;
  // Extents of the last attention, which all have but for the keys; and those of the one at `at`.
  const AttentionShape& shape() const { return problem().shape; }
  AttentionShape shape(const HeadAddress& at) const { return shape_of(problem(), at); }

  // The stages that exist for an attention of this problem, in order of computation.
  virtual const std::vector<Stage>& stages(const HeadAddress& at = {}) const = 0;
  bool has(Stage stage, const HeadAddress& at = {}) const;
  StageShape stage_shape(Stage stage, const HeadAddress& at = {}) const;

  // Copies `range` of the stage to `out`, row-major. Precondition: has(stage), range inside.
  virtual void read(Stage stage, const HeadAddress& head, const CellRange& range,
                    float* out) const = 0;

  // The largest cells of a range, into `out` whose extents and steps are set, where that takes less
  // than reading them: else false. Unfinished when progress->cancelled; may be null.
  virtual bool pool_maxima(Stage, const HeadAddress&, const CellRange&, Progress*,
                           PooledCells& /*out*/) const {
    return false;
  }

  // Cells of NaN or ±Inf in the stage over all heads of an attention; hidden cells of Masked do not
  // count. Nothing where cells are computed when they are read: they have not all been seen.
  virtual std::optional<std::uint64_t> non_finite_count(Stage stage,
                                                        const HeadAddress& at = {}) const = 0;

  // Smallest and largest finite visible value of one matrix; {0, 0} when there is none. Nothing as
  // above.
  struct Range {
    float low = 0.0F;
    float high = 0.0F;
  };
  virtual std::optional<Range> range(Stage stage, const HeadAddress& head) const = 0;

  // One value. For inspectors and tests.
  float value(Stage stage, const HeadAddress& head, std::size_t row, std::size_t col) const;

  // Which rules hide a cell of the token-by-token stages.
  HiddenRules hidden(const HeadAddress& head, std::size_t q, std::size_t k) const;
  bool sees_no_key(const HeadAddress& head, std::size_t q) const;

  // Rows of given weights that do not sum to 1 (note above 1e-3, warning above 1e-2), queries that
  // see no key, non-finite values: of one attention.
  virtual const std::vector<ResultNote>& notes(const HeadAddress& at = {}) const = 0;

  // What plots have pooled of it, or of what is derived from it.
  PooledMemo& pooled_memo() const { return *memo_; }

 protected:
  AttentionResult();

 private:
  std::shared_ptr<PooledMemo> memo_;
};

// Of a decoder the notes on both attentions, each with its name in front; else result.notes().
std::vector<ResultNote> notes_on_all(const AttentionResult& result);

using ResultPtr = std::shared_ptr<const AttentionResult>;

// What a computation that was cancelled returns (Interrupted).
Error stopped();

// One query: its weights, and what hides them, of the keys [first, first + weights.size()). Its
// weights at others are 0.
struct WeightRow {
  std::size_t query = 0;
  std::size_t first = 0;
  std::span<const float> weights;
  std::span<const HiddenRules> rules;
  std::size_t seen = 0;  // visible keys
};

// The keys that some of the rows may see. Weights that were given may be anywhere.
KeySpan keys_reached(const AttentionProblem& problem, const HeadAddress& head, const RowSpan& rows);

// So many rows are well read together.
std::size_t rows_at_once(const AttentionShape& shape, std::size_t rows);

// Nanoseconds, about, that reading so many rows takes: none where they are materialised; saturates.
std::uint64_t steps_to_read_weights(const AttentionResult& result, const HeadAddress& at,
                                    std::size_t rows);

class WeightRows {
 public:
  // Borrows the result.
  WeightRows(const AttentionResult& result, const HeadAddress& head)
      : result_(result), head_(head) {}

  // Reads `rows` rows from `first` on, or every row_step-th from there.
  void read(std::size_t first, std::size_t rows, std::size_t row_step = 1);

  // One of those that were read, until the next is asked for.
  WeightRow row(std::size_t at);

 private:
  const AttentionResult& result_;
  HeadAddress head_;
  CellRange range_{};
  std::vector<float> cells_;
  std::vector<HiddenRules> rules_;
};

}  // namespace attn
