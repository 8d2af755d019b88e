// How much each source token moves the outputs of a recurrent decoder: exact derivatives by the
// chain rule, taken at the computed states. Internal to the engine.
#pragma once

#include "base/progress.h"
#include "engine/layer/layer_result.h"

namespace attn {

// Fills Influence, FixedInfluence and Survival: Frobenius norms of the Jacobians of o_t (s_t where
// there are no outputs) and of the fixed vector by the embedding of each source token, in double,
// rounded once. Preconditions: the other stages are complete, and these are among the stages. False
// when cancelled.
bool add_influence(LayerResult& result, unsigned threads, Progress* progress);

}  // namespace attn
