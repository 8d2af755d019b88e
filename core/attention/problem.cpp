#include "attention/problem.h"

#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "base/number_text.h"

namespace attn {
namespace {

using Source = AttentionProblem::Source;

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
const Position kNoPosition;

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return a > kMost - b ? kMost : a + b;
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMost / b ? kMost : a * b;
}

void append(std::vector<Stage>& stages, std::initializer_list<Stage> more) {
  stages.insert(stages.end(), more);
}

// Of one layer of attention, without what is around it.
std::vector<Stage> attention_stages(const AttentionProblem& problem) {
  std::vector<Stage> stages{Stage::Query, Stage::Key, Stage::Value};
  if (position_of(problem).kind == PositionKind::Rope) {
    append(stages, {Stage::RotatedQuery, Stage::RotatedKey});
  }
  append(stages, {Stage::Scores, Stage::Scaled});
  if (problem.scoring.softcap) stages.push_back(Stage::Softcapped);
  append(stages, {Stage::Masked, Stage::Weights, Stage::Output});
  if (problem.source == Source::Embeddings) stages.push_back(Stage::Concat);
  const bool projected = problem.shape.d_out > 0 && problem.source != Source::Recurrent;
  if (projected) stages.push_back(Stage::Projected);
  return stages;
}

std::vector<Stage> block_stages(const AttentionProblem& problem) {
  const Stack& stack = problem.stack;
  const bool pre = stack.order == NormOrder::Pre;
  std::vector<Stage> stages{Stage::BlockInput};
  // `shown`: whether the problem is of this attention.
  const auto attend = [&](Stage norm, Stage residual, bool shown) {
    if (pre) stages.push_back(norm);
    const std::vector<Stage> inside = shown ? attention_stages(problem) : std::vector<Stage>{};
    stages.insert(stages.end(), inside.begin(), inside.end());
    stages.push_back(residual);
    if (!pre) stages.push_back(norm);
  };
  const bool across = attends_across(problem);
  attend(Stage::AttentionNorm, Stage::AttentionResidual, !across);
  if (is_decoder(problem)) attend(Stage::CrossNorm, Stage::CrossResidual, across);
  if (pre) stages.push_back(Stage::FeedForwardNorm);
  stages.push_back(Stage::Hidden);
  const bool gated = stack.blocks.front().feed_forward.activation == Activation::SwiGlu;
  if (gated) stages.push_back(Stage::Gate);
  append(stages, {Stage::Activated, Stage::FeedForward});
  if (!pre) stages.push_back(Stage::FeedForwardResidual);
  stages.push_back(Stage::BlockOutput);
  if (stack.final_norm) stages.push_back(Stage::FinalNorm);
  return stages;
}

std::vector<Stage> recurrent_stages(const AttentionProblem& problem) {
  const bool lstm = problem.recurrent.cell == CellKind::Lstm;
  const bool outputs = problem.shape.d_out > 0;
  std::vector<Stage> stages = attention_stages(problem);
  if (lstm) stages.insert(stages.begin(), Stage::EncoderCell);
  for (const auto& [state, cell, output] :
       {std::array{Stage::DecoderState, Stage::DecoderCell, Stage::DecoderOutput},
        std::array{Stage::FixedState, Stage::FixedCell, Stage::FixedOutput}}) {
    stages.push_back(state);
    if (lstm) stages.push_back(cell);
    if (outputs) stages.push_back(output);
  }
  if (influence_multiply_adds(problem) <= kMostInfluenceSteps) {
    append(stages, {Stage::Influence, Stage::FixedInfluence, Stage::Survival});
  }
  return stages;
}

// What differs with the order of norms and the activation.
std::string block_formula(const Stack& stack, Stage stage) {
  const bool pre = stack.order == NormOrder::Pre;
  const std::string norm = stack.norm == NormKind::Layer ? "LayerNorm" : "RMSNorm";
  switch (stage) {
    case Stage::AttentionNorm:
      return norm + (pre ? "(x)" : "(x + attention)");
    case Stage::CrossNorm:
      return norm + (pre ? "(x)" : "(x + cross-attention)");
    case Stage::FeedForwardNorm:
    case Stage::FinalNorm:
      return norm + "(x)";
    case Stage::Activated:
      return std::string(activation_info(stack.blocks.front().feed_forward.activation).formula);
    case Stage::BlockOutput:
      return pre ? "x + network" : norm + "(x + network)";
    default:
      return std::string(stage_info(stage).formula);
  }
}

// What differs with the model; empty for the stages of the attention itself.
std::string recurrent_formula(const AttentionProblem& problem, Stage stage) {
  const Recurrent& model = problem.recurrent;
  switch (stage) {
    case Stage::Query:
      return model.asks == AskingState::Previous ? "s_t-1" : "s_t";
    case Stage::Key:
    case Stage::Value:
      return is_bidirectional(model) ? "h_j = [forward; backward]" : "h_j";
    case Stage::Output:
      return "c_t = Σ weights · h_j";
    case Stage::DecoderState:
    case Stage::FixedState: {
      const std::string context = stage == Stage::FixedState ? "; c]" : "; c_t]";
      return std::string(cell_info(model.cell).label) + "(" +
             (model.asks == AskingState::Previous ? "[y_t" + context : "y_t") + ", s_t-1)";
    }
    case Stage::Influence:
    case Stage::FixedInfluence:
      return problem.shape.d_out > 0 ? "‖∂o_t / ∂x_j‖" : "‖∂s_t / ∂x_j‖";
    default:
      return "";
  }
}

// Multiply-adds of one step of a cell; 0 when it is absent.
std::uint64_t step_cost(const RecurrentCell& cell) { return cell.w_x.size() + cell.w_h.size(); }

std::uint64_t encoder_cost(const AttentionProblem& problem) {
  const Recurrent& model = problem.recurrent;
  return element_count({problem.shape.n_k, step_cost(model.encoder) + step_cost(model.backward)});
}

// From the derivative by one score to those by its query and its key.
std::uint64_t score_slope_cost(const AttentionProblem& problem) {
  const AttentionShape& s = problem.shape;
  const std::uint64_t both = query_columns(s) + s.d_k;
  if (problem.scoring.function == ScoringFunction::General) {
    return element_count({2, query_columns(s), s.d_k});
  }
  return s.d_a == 0 ? both : element_count({s.d_a, both});
}

// What the derivatives of the fixed vector cost, and how they meet those of every output by it.
std::uint64_t fixed_influence_cost(const AttentionProblem& problem, std::size_t outputs) {
  const AttentionShape& s = problem.shape;
  const std::size_t d_source = key_embedding_columns(s);
  std::uint64_t sum = saturating_product(s.d_k, encoder_cost(problem));
  for (const std::uint64_t part :
       {element_count({s.n_k, s.d_k, s.d_k, d_source}), element_count({s.n_q, s.n_k, s.d_k, s.d_k}),
        element_count({s.n_q, outputs, s.d_k, s.d_k})}) {
    sum = saturating_sum(sum, part);
  }
  return sum;
}

}  // namespace

float scale_of(const AttentionProblem& problem) {
  if (problem.scoring.scale) return *problem.scoring.scale;
  if (problem.scoring.function != ScoringFunction::ScaledDot || problem.shape.d_k == 0) return 1.0F;
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(problem.shape.d_k)));
}

std::size_t query_columns(const AttentionShape& s) { return s.d_q == 0 ? s.d_k : s.d_q; }

std::size_t key_embedding_columns(const AttentionShape& s) {
  return s.key_width == 0 ? s.d_model : s.key_width;
}

std::size_t value_embedding_columns(const AttentionShape& s) {
  return s.value_width == 0 ? key_embedding_columns(s) : s.value_width;
}

std::vector<Stage> stages_of(const AttentionProblem& problem) {
  if (problem.source == Source::Weights) return {Stage::Weights};
  if (problem.source == Source::Recurrent) return recurrent_stages(problem);
  if (!problem.stack.blocks.empty()) return block_stages(problem);
  std::vector<Stage> stages;
  if (problem.source == Source::Embeddings && is_added(problem.position)) {
    stages = {Stage::QueryInput, Stage::KeyInput, Stage::ValueInput};
  }
  const std::vector<Stage> attention = attention_stages(problem);
  stages.insert(stages.end(), attention.begin(), attention.end());
  return stages;
}

bool is_decoder(const AttentionProblem& problem) { return is_decoder(problem.stack); }

AttentionProblem attended(const AttentionProblem& problem, AttentionPart part) {
  AttentionProblem of_part = problem;
  if (!is_decoder(problem) || part == AttentionPart::Cross) return of_part;
  of_part.part = part;
  of_part.shape.n_k = problem.shape.n_q;
  of_part.shape.key_width = 0;
  of_part.mask = problem.self_mask;
  of_part.key_embeddings = of_part.value_embeddings = problem.query_embeddings;
  return of_part;
}

bool attends_across(const AttentionProblem& problem) {
  return is_decoder(problem) && problem.part == AttentionPart::Cross;
}

const Position& position_of(const AttentionProblem& problem) {
  return attends_across(problem) ? kNoPosition : problem.position;
}

std::int64_t first_position(const AttentionProblem& problem, std::size_t sample) {
  const Mask& mask = is_decoder(problem) ? problem.self_mask : problem.mask;
  return mask.offset_of(sample);
}

const Projections& projections_of(const AttentionProblem& problem, std::size_t layer) {
  if (problem.stack.blocks.empty()) return problem.projections;
  const TransformerBlock& block = problem.stack.blocks[layer];
  return attends_across(problem) ? block.cross->projections : block.projections;
}

AttentionProblem layer_problem(const AttentionProblem& problem, std::size_t layer, Tensor x) {
  // Part by part: a copy of the whole would copy all blocks for each of them.
  AttentionProblem one;
  one.source = problem.source;
  one.shape = problem.shape;
  one.shape.layers = 1;
  one.shape.d_ff = 0;
  one.scoring = problem.scoring;
  one.mask = problem.mask;
  one.position = position_of(problem);
  one.projections = projections_of(problem, layer);
  one.key_embeddings = one.value_embeddings = attends_across(problem) ? problem.key_embeddings : x;
  one.query_embeddings = std::move(x);
  if (is_added(one.position)) one.position = {};
  return one;
}

StageShape stage_shape(const AttentionShape& s, Stage stage) {
  switch (stage) {
    case Stage::QueryInput:
      return {s.n_q, s.d_model};
    case Stage::KeyInput:
      return {s.n_k, key_embedding_columns(s)};
    case Stage::ValueInput:
      return {s.n_k, value_embedding_columns(s)};
    case Stage::Query:
    case Stage::RotatedQuery:
      return {s.n_q, query_columns(s)};
    case Stage::Key:
    case Stage::RotatedKey:
      return {s.n_k, s.d_k};
    case Stage::Value:
      return {s.n_k, s.d_v};
    case Stage::Scores:
    case Stage::Scaled:
    case Stage::Softcapped:
    case Stage::Masked:
    case Stage::Weights:
      return {s.n_q, s.n_k};
    case Stage::Output:
      return {s.n_q, s.d_v};
    case Stage::Concat:
      return {s.n_q, s.heads * s.d_v};
    case Stage::Projected:
      return {s.n_q, s.d_out};
    case Stage::Hidden:
    case Stage::Gate:
    case Stage::Activated:
      return {s.n_q, s.d_ff};
    case Stage::BlockInput:
    case Stage::AttentionNorm:
    case Stage::AttentionResidual:
    case Stage::CrossNorm:
    case Stage::CrossResidual:
    case Stage::FeedForwardNorm:
    case Stage::FeedForward:
    case Stage::FeedForwardResidual:
    case Stage::BlockOutput:
    case Stage::FinalNorm:
      return {s.n_q, s.d_model};
    case Stage::EncoderCell:
      return {s.n_k, s.d_k};
    case Stage::DecoderState:
    case Stage::DecoderCell:
    case Stage::FixedState:
    case Stage::FixedCell:
      return {s.n_q, query_columns(s)};
    case Stage::DecoderOutput:
    case Stage::FixedOutput:
      return {s.n_q, s.d_out};
    case Stage::Influence:
    case Stage::FixedInfluence:
      return {s.n_q, s.n_k};
    case Stage::Survival:
      return {s.n_k, 1};
  }
  return {};
}

std::size_t layers_of(const AttentionShape& s, Stage stage) {
  return stage == Stage::FinalNorm ? 1 : s.layers;
}

Stage query_stage(const AttentionProblem& problem) {
  return position_of(problem).kind == PositionKind::Rope ? Stage::RotatedQuery : Stage::Query;
}

Stage key_stage(const AttentionProblem& problem) {
  return position_of(problem).kind == PositionKind::Rope ? Stage::RotatedKey : Stage::Key;
}

std::string formula_of(const AttentionProblem& problem, Stage stage) {
  if (problem.source == Source::Recurrent) {
    const std::string formula = recurrent_formula(problem, stage);
    if (!formula.empty()) return formula;
  }
  if (!problem.stack.blocks.empty() && stage_info(stage).around_attention()) {
    return block_formula(problem.stack, stage);
  }
  const Scoring& scoring = problem.scoring;
  if (stage == Stage::Scores) return std::string(scoring_info(scoring.function).formula);
  if (stage == Stage::Scaled) {
    return std::string(scoring_info(scoring.function).formula) + " · " +
           short_text(static_cast<double>(scale_of(problem)));
  }
  if (stage != Stage::Weights || problem.source == Source::Weights) {
    return std::string(stage_info(stage).formula);
  }
  std::string formula(normaliser_info(scoring.normaliser).formula);
  if (scoring.temperature) {
    formula += " with x / " + short_text(static_cast<double>(*scoring.temperature));
  }
  if (!scoring.sinks.empty()) formula += " with a sink";
  return formula;
}

std::vector<StoredStage> stored_stages(const AttentionProblem& problem) {
  if (problem.source == Source::Weights) return {};
  const AttentionShape& s = problem.shape;
  std::vector<StoredStage> stored;
  if (attends_across(problem)) {
    stored = stored_stages(attended(problem, AttentionPart::Self));
    std::erase_if(stored, [](const StoredStage& at) {
      return stage_info(at.stage).around_attention();  // once, below
    });
  }
  for (const Stage stage : stages_of(problem)) {
    const bool is_given = problem.source == Source::Qkv &&
                          (stage == Stage::Query || stage == Stage::Key || stage == Stage::Value);
    if (is_given || stage == Stage::Concat) continue;
    const bool of_keys = stage_info(stage).rows_are_keys();
    const std::size_t heads = !stage_info(stage).per_head ? 1 : of_keys ? s.kv_heads : s.heads;
    const StageShape shape = stage_shape(s, stage);
    stored.push_back(
        {stage, element_count({layers_of(s, stage), s.samples, heads, shape.rows, shape.cols})});
  }
  return stored;
}

std::uint64_t predicted_bytes(const AttentionProblem& problem) {
  std::uint64_t bytes = 0;
  for (const StoredStage& stored : stored_stages(problem)) {
    bytes = saturating_sum(bytes, saturating_product(stored.elements, sizeof(float)));
  }
  return bytes;
}

std::uint64_t predicted_multiply_adds(const AttentionShape& s) {
  const std::size_t d_q = query_columns(s);
  const std::size_t per_score = s.d_a == 0 ? s.d_k : s.d_a;
  const std::uint64_t parts[] = {
      element_count({s.samples, s.heads, s.n_q, s.n_k, per_score + s.d_v}),
      element_count({s.samples, s.heads, s.n_q, d_q, s.d_a}),
      element_count({s.samples, s.heads, s.n_k, s.d_k, s.d_a}),
      element_count({s.samples, s.n_q, s.d_model, s.heads, d_q}),
      element_count({s.samples, s.n_k, key_embedding_columns(s), s.kv_heads, s.d_k}),
      element_count({s.samples, s.n_k, value_embedding_columns(s), s.kv_heads, s.d_v}),
      element_count({s.samples, s.n_q, s.heads, s.d_v, s.d_out}),
  };
  std::uint64_t sum = element_count({s.samples, s.n_q, s.d_model, s.d_ff, 2});
  for (const std::uint64_t part : parts) sum = saturating_sum(sum, part);
  return saturating_product(sum, s.layers);
}

std::uint64_t predicted_multiply_adds(const AttentionProblem& problem) {
  if (attends_across(problem)) {
    AttentionShape own = attended(problem, AttentionPart::Self).shape;
    own.d_ff = 0;  // the network runs once
    return saturating_sum(predicted_multiply_adds(own), predicted_multiply_adds(problem.shape));
  }
  if (problem.source != Source::Recurrent) return predicted_multiply_adds(problem.shape);
  AttentionShape attention = problem.shape;
  attention.d_model = attention.d_out = attention.key_width = attention.value_width = 0;
  const Recurrent& model = problem.recurrent;
  const std::uint64_t step = step_cost(model.decoder) + model.w_output.size();
  // The decoder runs twice: with attention, and with the fixed vector.
  const std::uint64_t per_sample =
      saturating_sum(encoder_cost(problem), element_count({2, attention.n_q, step}));
  return saturating_sum(predicted_multiply_adds(attention),
                        saturating_product(attention.samples, per_sample));
}

std::uint64_t computing_multiply_adds(const AttentionProblem& problem) {
  const std::uint64_t derivatives = influence_multiply_adds(problem);
  return saturating_sum(predicted_multiply_adds(problem),
                        derivatives <= kMostInfluenceSteps ? derivatives : 0);
}

std::uint64_t influence_multiply_adds(const AttentionProblem& problem) {
  if (problem.source != Source::Recurrent) return 0;
  const AttentionShape& s = problem.shape;
  const std::uint64_t per_score = saturating_sum(score_slope_cost(problem), 2 * s.d_v);
  // Both decoders; only one of them attends.
  const std::uint64_t step =
      saturating_sum(2 * step_cost(problem.recurrent.decoder), element_count({s.n_k, per_score}));
  const std::uint64_t back =
      saturating_sum(encoder_cost(problem), element_count({(s.n_q + 1) / 2, step}));
  const std::size_t outputs = s.d_out > 0 ? s.d_out : query_columns(s);
  const std::uint64_t attending = saturating_product(element_count({s.n_q, outputs}), back);
  return saturating_product(s.samples,
                            saturating_sum(attending, fixed_influence_cost(problem, outputs)));
}

}  // namespace attn
