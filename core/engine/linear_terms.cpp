// Which rows go into which matrix, stage by stage.
#include "engine/linear_terms.h"

#include <algorithm>
#include <iterator>

#include "engine/kernels/score.h"

namespace attn {
namespace {

// A row of numbers times one column of a matrix.
struct LinearMap {
  std::vector<float> row;
  const Tensor* weights = nullptr;  // (in, out)
  const Tensor* bias = nullptr;     // (out), or empty
  std::size_t column = 0;
  std::string input, matrix, bias_name;
};

std::vector<float> stage_row(const AttentionResult& result, Stage stage, const HeadAddress& head,
                             std::size_t row) {
  std::vector<float> values(result.stage_shape(stage).cols);
  if (!values.empty()) result.read(stage, head, {row, 0, 1, values.size()}, values.data());
  return values;
}

// Of embeddings (samples, n, width).
std::vector<float> embedding_row(const Tensor& embeddings, std::size_t sample, std::size_t row) {
  const std::size_t width = embeddings.extent(2);
  const float* first = embeddings.data() + (sample * embeddings.extent(1) + row) * width;
  return {first, first + width};
}

// What comes right before the projections or the network is what they get.
Stage stage_before(const AttentionResult& result, Stage stage) {
  const std::vector<Stage>& stages = result.stages();
  const auto at = std::ranges::find(stages, stage);
  return at == stages.begin() || at == stages.end() ? stage : *std::prev(at);
}

struct ProjectedSide {
  Stage input;                           // where positions are added
  Tensor AttentionProblem::*embeddings;  // where they are not
  Tensor Projections::*weights, Projections::*bias;
  const char *rows, *matrix, *bias_name;
};
constexpr ProjectedSide kQuerySide{Stage::QueryInput,
                                   &AttentionProblem::query_embeddings,
                                   &Projections::w_q,
                                   &Projections::b_q,
                                   "X",
                                   "W_Q",
                                   "b_Q"};
constexpr ProjectedSide kKeySide{Stage::KeyInput,
                                 &AttentionProblem::key_embeddings,
                                 &Projections::w_k,
                                 &Projections::b_k,
                                 "X_K",
                                 "W_K",
                                 "b_K"};
constexpr ProjectedSide kValueSide{Stage::ValueInput,
                                   &AttentionProblem::value_embeddings,
                                   &Projections::w_v,
                                   &Projections::b_v,
                                   "X_V",
                                   "W_V",
                                   "b_V"};

// Blocks attend to their own rows, but for the keys and values of a decoder's second attention.
std::vector<float> input_row(const AttentionResult& result, const ProjectedSide& side,
                             const HeadAddress& head, std::size_t row) {
  const AttentionProblem& problem = result.problem();
  if (result.has(side.input)) return stage_row(result, side.input, head, row);
  const bool in_block = !problem.stack.blocks.empty();
  const bool of_rows = side.input == Stage::QueryInput || !attends_across(problem);
  if (in_block && of_rows) {
    return stage_row(result, stage_before(result, Stage::Query), head, row);
  }
  return embedding_row(problem.*side.embeddings, head.sample, row);
}

LinearMap projection(const AttentionResult& result, const ProjectedSide& side, Stage stage,
                     const HeadAddress& head, std::size_t row, std::size_t col) {
  const AttentionProblem& problem = result.problem();
  if (!makes_projections(problem)) return {};
  const Projections& projections = projections_of(problem, head.layer);
  const AttentionShape& shape = problem.shape;
  const bool of_keys = stage != Stage::Query;
  const std::size_t own = of_keys ? head.head / (shape.heads / shape.kv_heads) : head.head;
  return {input_row(result, side, head, row),
          &(projections.*side.weights),
          &(projections.*side.bias),
          own * result.stage_shape(stage).cols + col,
          side.rows,
          side.matrix,
          side.bias_name};
}

LinearMap output_projection(const AttentionResult& result, const HeadAddress& head, std::size_t row,
                            std::size_t col) {
  const Projections& projections = projections_of(result.problem(), head.layer);
  if (!result.has(Stage::Concat) || projections.w_o.empty()) return {};
  return {stage_row(result, Stage::Concat, head, row),
          &projections.w_o,
          &projections.b_o,
          col,
          "concat",
          "W_O",
          "b_O"};
}

struct NetworkPart {
  Tensor FeedForward::*weights, FeedForward::*bias;
  const char *rows, *matrix, *bias_name;
};

LinearMap network(const AttentionResult& result, const NetworkPart& part, Stage input,
                  const HeadAddress& head, std::size_t row, std::size_t col) {
  const AttentionProblem& problem = result.problem();
  if (head.layer >= problem.stack.blocks.size()) return {};
  const FeedForward& network = problem.stack.blocks[head.layer].feed_forward;
  return {stage_row(result, input, head, row),
          &(network.*part.weights),
          &(network.*part.bias),
          col,
          part.rows,
          part.matrix,
          part.bias_name};
}

constexpr NetworkPart kHidden{&FeedForward::w_1, &FeedForward::b_1, "x", "W_1", "b_1"};
constexpr NetworkPart kGate{&FeedForward::w_gate, &FeedForward::b_gate, "x", "W_gate", "b_gate"};
constexpr NetworkPart kOutcome{&FeedForward::w_2, &FeedForward::b_2, "activated", "W_2", "b_2"};

LinearMap map_of(const AttentionResult& result, Stage stage, const HeadAddress& head,
                 std::size_t row, std::size_t col) {
  switch (stage) {
    case Stage::Query:
      return projection(result, kQuerySide, stage, head, row, col);
    case Stage::Key:
      return projection(result, kKeySide, stage, head, row, col);
    case Stage::Value:
      return projection(result, kValueSide, stage, head, row, col);
    case Stage::Projected:
      return output_projection(result, head, row, col);
    case Stage::Hidden:
      return network(result, kHidden, stage_before(result, Stage::Hidden), head, row, col);
    case Stage::Gate:
      return network(result, kGate, stage_before(result, Stage::Hidden), head, row, col);
    case Stage::FeedForward:
      return network(result, kOutcome, Stage::Activated, head, row, col);
    default:
      return {};
  }
}

}  // namespace

LinearTerms linear_terms(const AttentionResult& result, Stage stage, const HeadAddress& head,
                         std::size_t row, std::size_t col) {
  LinearTerms sum;
  const LinearMap map = map_of(result, stage, head, row, col);
  if (map.weights == nullptr || map.weights->empty()) return sum;
  const std::size_t width = map.weights->extent(1);
  for (std::size_t i = 0; i < map.row.size(); ++i) {
    const float weight = map.weights->values()[i * width + map.column];
    sum.terms.push_back({i, static_cast<double>(map.row[i]), static_cast<double>(weight)});
  }
  sum.has_bias = map.bias != nullptr && !map.bias->empty();
  if (sum.has_bias) sum.bias = static_cast<double>(map.bias->values()[map.column]);
  sum.input = map.input;
  sum.matrix = map.matrix;
  sum.bias_name = map.bias_name;
  return sum;
}

}  // namespace attn
