// One head of a result as a problem of its own: what plots compute that ask "what if".
#pragma once

#include "engine/result.h"

namespace attn {

// What surrounds the scores of one head: hidden cells and biases as tables of (n_q, n_k), the
// offset of its queries, its sinks. Queries, keys and position are left out; the shape has one
// sample, one head, and lengths and widths of the result. Values are not asked for: one column.
AttentionProblem surroundings_of(const AttentionResult& result, const HeadAddress& head);

// The part of the scoring that serves `head`: matrices and sinks without their axis of heads.
Scoring scoring_of_head(const Scoring& scoring, std::size_t head);

// A stage as a tensor of shape (1, 1, rows, cols). Precondition: the result has it.
Tensor stage_tensor(const AttentionResult& result, Stage stage, const HeadAddress& head);

// Bytes that it takes to compute such a problem under `scoring` and to keep its weights: its stages
// and the tables of its surroundings.
std::uint64_t what_if_bytes(const AttentionResult& result, const Scoring& scoring);

// HiddenRules of every cell, row after row; empty when no rule could hide any.
std::vector<HiddenRules> hidden_cells(const AttentionResult& result, const HeadAddress& head);

}  // namespace attn
