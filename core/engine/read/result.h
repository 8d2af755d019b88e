// Interface of results: stages are read by ranges and weights by rows, whether materialised or not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
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
#include "engine/read/derivation.h"

namespace attn {

// Copies a range of a matrix, row-major.
void copy_range(const MatrixView& from, const CellRange& range, float* out);

struct ResultNote {
  enum class Level { Note, Warning };
  Level level = Level::Note;
  std::string text;
};

// A pooled range: each cell is the maximum or the mean of the cells under it, or of them the one of
// the largest magnitude.
struct PooledCells {
  std::size_t rows = 0;  // at most max_rows
  std::size_t cols = 0;
  std::size_t row_step = 1;  // source rows per output row (the last may have fewer)
  std::size_t col_step = 1;
  std::vector<float> values;  // NaN only if all cells underneath are NaN or hidden
  // HiddenRules if all cells underneath are hidden: those common to all, else all that occur. 0 if
  // any is visible, and without a mask.
  std::vector<std::uint8_t> hidden;
  bool by_magnitude = false;
};

// Immutable and thread-safe. Implementations may compute on demand, so loops should read ranges,
// not cells.
class AttentionResult {
 public:
  virtual ~AttentionResult() = default;

  virtual const AttentionProblem& problem() const = 0;
  // Extents of the last attention, which all attentions share except for the keys; and those of the
  // one at `at`.
  const AttentionShape& shape() const { return problem().shape; }
  AttentionShape shape(const HeadAddress& at) const { return shape_of(problem(), at); }

  // Stages of an attention of this problem, in order of computation.
  virtual const std::vector<Stage>& stages(const HeadAddress& at = {}) const = 0;
  bool has(Stage stage, const HeadAddress& at = {}) const;
  StageShape stage_shape(Stage stage, const HeadAddress& at = {}) const;

  // Copies `range` of the stage to `out`, row-major. Precondition: has(stage), range inside.
  virtual void read(Stage stage, const HeadAddress& head, const CellRange& range,
                    float* out) const = 0;

  // Writes the maxima of a range to `out`, whose extents and steps are set, if that is faster than
  // reading; otherwise returns false. Incomplete if progress->cancelled becomes true; may be null.
  virtual bool pool_maxima(Stage, const HeadAddress&, const CellRange&, Progress*,
                           PooledCells& /*out*/) const {
    return false;
  }

  // Layers from the first one on whose stages are computed. Reading a later one computes it first.
  virtual std::size_t layers_ready() const { return shape().layers; }

  // True if some numbers of a stage are concealed (kConcealed), so that callers must not recompute
  // them from the problem.
  virtual bool conceals(Stage /*stage*/, const HeadAddress& /*at*/) const { return false; }

  // Number of NaN or ±Inf cells over all heads of an attention; hidden cells of Masked do not
  // count. Nothing if cells are computed when read, or given weights too many to be read before.
  virtual std::optional<std::uint64_t> non_finite_count(Stage stage,
                                                        const HeadAddress& at = {}) const = 0;

  // Smallest and largest finite visible value of one matrix; {0, 0} if there is none. Nothing if
  // cells are computed when read.
  struct Range {
    float low = 0.0F;
    float high = 0.0F;
  };
  virtual std::optional<Range> range(Stage stage, const HeadAddress& head) const = 0;

  // One value. For inspectors and tests.
  float value(Stage stage, const HeadAddress& head, std::size_t row, std::size_t col) const;

  // Rules that hide a cell of the token-by-token stages.
  HiddenRules hidden(const HeadAddress& head, std::size_t q, std::size_t k) const;
  bool sees_no_key(const HeadAddress& head, std::size_t q) const;

  // Notes on one attention: given rows that do not sum to 1 (note above 1e-3, warning above 1e-2),
  // queries without visible keys, non-finite values.
  virtual const std::vector<ResultNote>& notes(const HeadAddress& at = {}) const;
  void set_notes(const HeadAddress& at, std::vector<ResultNote> notes);

  // Cache of pooled maps of this result and its derivations.
  PooledMemo& pooled_memo() const { return *memo_; }

 protected:
  AttentionResult();

 private:
  std::shared_ptr<PooledMemo> memo_;
  std::array<std::vector<ResultNote>, kAttentions> notes_;  // by HeadAddress::attention
};

// Notes on both attentions of a decoder, prefixed with their names; else result.notes().
std::vector<ResultNote> notes_on_all(const AttentionResult& result);

using ResultPtr = std::shared_ptr<const AttentionResult>;

// Error of a cancelled computation (Interrupted).
Error stopped();

// Weights of one query and their rules for keys [first, first + weights.size()); all other weights
// are 0.
struct WeightRow {
  std::size_t query = 0;
  std::size_t first = 0;
  std::span<const float> weights;
  std::span<const HiddenRules> rules;
  std::size_t seen = 0;  // number of visible keys; with those that have a given weight
};

// The whole matrix of a stage, (rows, columns). Precondition: the result has it.
Tensor whole_stage(const AttentionResult& result, Stage stage, const HeadAddress& head);

// Keys that some of the rows may see; all keys for given weights.
KeySpan keys_reached(const AttentionProblem& problem, const HeadAddress& head, const RowSpan& rows);

// Number of rows of `cols` columns that are efficiently read together, at most `rows`.
std::size_t rows_at_once(std::size_t cols, std::size_t rows);

// Predicted nanoseconds of reading `rows` rows: 0 if materialised; saturates.
std::uint64_t nanoseconds_to_read_weights(const AttentionResult& result, const HeadAddress& at,
                                          std::size_t rows);

class WeightRows {
 public:
  // Borrows the result.
  WeightRows(const AttentionResult& result, const HeadAddress& head)
      : result_(result), head_(head) {}

  // Reads `rows` rows from `first` on, or every row_step-th from there.
  void read(std::size_t first, std::size_t rows, std::size_t row_step = 1);

  // One of the rows read, valid until the next call.
  WeightRow row(std::size_t at);

 private:
  const AttentionResult& result_;
  HeadAddress head_;
  CellRange range_{};
  std::vector<float> cells_;
  std::vector<HiddenRules> rules_;
};

// Calls each(row) for the rows of `range`, whose columns do not count, reading a few at a time.
// Ends when cancelled; `progress` may be null.
void for_each_weight_row(const AttentionResult& result, const HeadAddress& head,
                         const CellRange& range, Progress* progress,
                         const std::function<void(const WeightRow&)>& each);

// Returns the derivation that is cached with the result; makes it if it is not there.
template <class Kind, class Make>
std::shared_ptr<const Kind> cached(const AttentionResult& result, const std::string& key,
                                   const Make& make) {
  PooledMemo& memo = result.pooled_memo();
  if (auto known = std::dynamic_pointer_cast<const Kind>(memo.find(key))) return known;
  std::shared_ptr<const Kind> made = make();
  memo.keep(key, made);
  return made;
}

}  // namespace attn
