// Rows of weights of one head, several at a time, without the keys that none of them reaches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "attention/mask.h"
#include "engine/result.h"

namespace attn {

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

// Nanoseconds, about, that reading so many rows takes: none where somebody keeps them; saturates.
std::uint64_t steps_to_read_weights(const AttentionResult& result, std::size_t rows);

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
