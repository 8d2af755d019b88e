// One layer of attention computed into its result. Internal to the engine.
#pragma once

#include "base/progress.h"
#include "engine/layer/layer_result.h"

namespace attn {

// Fills all stages that `result` has memory for, and what is known of them, except its
// notes. False when cancelled. `progress` may be null. The bits do not depend on `threads`.
// `before`, which may be null: a result from which what did not change is taken over.
bool compute_stages(LayerResult& result, unsigned threads, Progress* progress,
                    const LayerResult* before = nullptr);

// For who goes on from it: computes Projected, a few rows at a time, of a layer that does not keep
// its maps. False when cancelled. Throws std::bad_alloc.
bool keep_projected(LayerResult& result, unsigned threads, Progress* progress,
                    const LayerResult* before = nullptr);

}  // namespace attn
