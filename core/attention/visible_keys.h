// Number of keys that the rows of an attention see.
#pragma once

#include <cstddef>

#include "attention/mask.h"
#include "attention/stage.h"

namespace attn {

// The largest number of keys that one row sees, over layers, samples and heads; at least 1. Exact
// for up to 250,000 cells, an upper bound for more: rules of position, segments and padding count
// by the range of keys that they leave, a mask of cells and biases do not count.
std::size_t most_visible_keys(const Mask& mask, const AttentionShape& shape);

}  // namespace attn
