// One layer of attention computed into a result that keeps every stage. Internal to the engine.
#pragma once

#include "base/progress.h"
#include "engine/dense_result.h"

namespace attn {

// Fills all stages of `result`, whose memory is allocated, and what is known of them, except its
// notes. False when cancelled. `progress` may be null. The bits do not depend on `threads`.
bool compute_stages(DenseResult& result, unsigned threads, Progress* progress);

}  // namespace attn
