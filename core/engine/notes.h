// What a person should know about computed or given numbers. Internal to the engine.
#pragma once

#include <vector>

#include "engine/result.h"

namespace attn {

// Row sums, zeros and negative numbers of given weights, queries that see no key, non-finite cells,
// in this order. Reads the result's matrices and its non_finite_count, not its notes.
std::vector<ResultNote> notes_on(const AttentionResult& result);

}  // namespace attn
