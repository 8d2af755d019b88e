// Positions put into embeddings, queries and keys. Internal to the engine.
#pragma once

#include <cstdint>

#include "attention/position.h"
#include "engine/kernels/matmul.h"

namespace attn {

// out = x + the encoding of positions first, first + 1, …. Precondition: is_added(position); out
// has the shape of x.
void add_position_rows(const MatrixView& x, const Position& position, std::int64_t first,
                       const MutableMatrix& out);

// Each row of x turned pair by pair by its position; columns beyond the rotary ones are copied.
void rotate_rows(const MatrixView& x, const Position& position, std::int64_t first,
                 const MutableMatrix& out);

}  // namespace attn
