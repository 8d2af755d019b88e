// Batches of rows, in which layers are computed. Internal to the engine.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/quotient_up.h"
#include "engine/result.h"

namespace attn {

// Rows that one job computes: few enough that the batch's stages stay in the cache and that even
// one head keeps several threads busy.
inline constexpr std::size_t kBatchRows = 64;

struct RowBatch {
  HeadAddress head;
  std::size_t row = 0;
  std::size_t rows = 0;
};

inline std::size_t batches_of(std::size_t rows) { return quotient_up(rows, kBatchRows); }

// Batch number `job` of (samples, heads, batches of rows).
inline RowBatch row_batch(std::size_t job, std::size_t heads, std::size_t rows) {
  const std::size_t row = job % batches_of(rows) * kBatchRows;
  const std::size_t matrix = job / batches_of(rows);
  return {{0, matrix / heads, matrix % heads}, row, std::min(kBatchRows, rows - row)};
}

}  // namespace attn
