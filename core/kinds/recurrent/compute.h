// The recurrent encoder–decoder computed step by step, and the influence of each source token on
// its outputs: exact derivatives by the chain rule (influence.cpp). Internal to its kind.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "base/progress.h"
#include "engine/compute.h"
#include "engine/layer/layer_result.h"

namespace attn {

// Stages that one of the two decoders fills.
struct DecoderStages {
  Stage state, cell, output;
};
inline constexpr DecoderStages kAttending{Stage::DecoderState, Stage::DecoderCell,
                                          Stage::DecoderOutput};
inline constexpr DecoderStages kFixed{Stage::FixedState, Stage::FixedCell, Stage::FixedOutput};

// Computes all stages. Null when cancelled. Throws std::bad_alloc.
std::shared_ptr<AttentionResult> compute_recurrent(const AttentionProblem& problem,
                                                   const ComputeOptions& run);

// Fills Influence, FixedInfluence and Survival: Frobenius norms of the Jacobians of o_t (s_t
// without outputs) and of the fixed vector by the embedding of each source token, in double,
// rounded once. Preconditions: the other stages are complete, and these are among the stages. False
// if cancelled.
bool add_influence(LayerResult& result, unsigned threads, Progress* progress);

// Summarizes those of the stages that the result has, for one sample.
void summarize(LayerResult& result, std::size_t sample, std::initializer_list<Stage> stages);

// True if the encoder reads source token j of a sample; padding leaves its state unchanged.
bool reads_token(const AttentionProblem& problem, std::size_t sample, std::size_t j);

// Final state of the encoder for a sample (encoder width): the last forward state, followed by the
// backward state of the first token. Precondition: Key is complete.
std::vector<float> fixed_vector(const LayerResult& result, std::size_t sample);

// s_0 of a sample.
std::vector<float> initial_state(const Recurrent& model, std::span<const float> fixed);

}  // namespace attn
