// What each kind of problem answers by itself: one row for each, found by what the problem holds.
// Internal to core/attention.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "attention/problem.h"
#include "attention/reference.h"

namespace attn {

struct ProblemKind {
  // In the order of computation.
  std::vector<Stage> (*stages)(const AttentionProblem&);
  // The formula of a stage that is not as in every attention; else empty.
  std::string (*formula)(const AttentionProblem&, Stage);
  // Of one attention and of what is around it.
  std::uint64_t (*multiply_adds)(const AttentionProblem&);
  // Multiply-adds of the derivatives behind the stages of influence, and the bytes that they take
  // meanwhile; null where there are none.
  std::uint64_t (*derivatives)(const AttentionProblem&);
  std::uint64_t (*derivative_bytes)(const AttentionProblem&);
  // The oracle: reference::compute of a problem of this kind.
  reference::Matrix (*reference)(const AttentionProblem&, Stage, const HeadAddress&, AttentionPart);
  // What linear_stage says beside the output projection; null where nothing is projected.
  std::optional<LinearStage> (*linear)(const AttentionProblem&, Stage, std::size_t layer);
  bool goes_row_by_row = false;  // what a row asks with comes from the row before
};

const ProblemKind& kind_of(const AttentionProblem& problem);

// What kinds are put together from. From queries, keys and values to the outputs of the heads:
std::vector<Stage> attention_stages(const AttentionProblem& problem);
// and on to what the heads make together.
std::vector<Stage> joined_attention_stages(const AttentionProblem& problem);
void append(std::vector<Stage>& stages, const std::vector<Stage>& more);

// Queries, keys or values made from rows of their own; of another stage nothing.
struct ProjectedRows {
  std::optional<Stage> input;    // of all three; else each has its own
  const Tensor* keys = nullptr;  // in place of that input, for keys and values
};
std::optional<LinearStage> projection_of(const AttentionProblem& problem, Stage stage,
                                         std::size_t layer, const ProjectedRows& rows);

std::uint64_t attention_multiply_adds(const AttentionProblem& problem);

// Sums and products that stay at the largest number instead of beginning anew.
std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b);
std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b);

// Bytes of the largest projection, laid out for products while they are computed.
std::uint64_t laid_out_bytes(const AttentionProblem& problem);

}  // namespace attn
