// Kinds of problems: inputs, stages, and predicted memory and multiply-adds.
#include "attention/problem.h"

#include <algorithm>
#include <iterator>

#include "base/number_text.h"

namespace attn {
namespace {

// Stages of embeddings and one layer of projections.
std::vector<Stage> layer_stages(const AttentionProblem& problem, const HeadAddress& /*at*/) {
  std::vector<Stage> stages;
  if (is_added(problem.position)) stages = {Stage::QueryInput, Stage::KeyInput, Stage::ValueInput};
  append(stages, joined_attention_stages(problem));
  return stages;
}

const Tensor* given_input(const AttentionProblem& problem, Stage stage) {
  if (stage == Stage::Query) return &problem.q;
  if (stage == Stage::Key) return &problem.k;
  return stage == Stage::Value ? &problem.v : nullptr;
}

const Position kNoPosition;

// Rules of the block for an attention to its own rows; null if there are none.
const BlockRules* own_rules(const AttentionProblem& problem, const HeadAddress& at) {
  const bool has_rules = !problem.stack.blocks.empty() && counts_positions(problem, at);
  return has_rules ? &problem.stack.blocks[at.layer].rules : nullptr;
}

bool rotates_somewhere(const AttentionProblem& problem) {
  const auto turns = [](const TransformerBlock& block) {
    return block.rules.position && is_turned(*block.rules.position);
  };
  return is_turned(problem.position) || std::ranges::any_of(problem.stack.blocks, turns);
}

// Maps computed when read need a norm per row, and packed keys and values.
std::uint64_t bytes_behind_maps(const AttentionProblem& problem) {
  constexpr std::size_t kNormBytes = 17;
  if (materialises_maps(problem)) return 0;
  const AttentionShape& s = problem.shape;
  return saturating_sum(
      {element_count({s.layers, s.samples, s.heads, s.n_q, kNormBytes}),
       element_count({s.layers, s.samples, s.kv_heads, s.n_k, s.d_k + s.d_v, sizeof(float)})});
}

// Blocks continue with the output of the attention.
bool depends_on_maps(const AttentionProblem& problem, Stage stage, const HeadAddress& at) {
  const auto goes_on = [](Stage other) { return stage_info(other).around_attention(); };
  return stage_info(stage).place == StagePlace::Attention ||
         (stage == Stage::Projected && std::ranges::none_of(stages_of(problem, at), goes_on));
}

}  // namespace

std::span<const AttentionInfo> attentions_of(const AttentionProblem& problem) {
  return attentions_in_order(!problem.encoder_weights.empty(),
                             is_decoder(problem) || !problem.self_weights.empty());
}

const Tensor& given_weights(const AttentionProblem& problem, const HeadAddress& at) {
  const Tensor* const all[kAttentions] = {&problem.weights, &problem.self_weights,
                                          &problem.encoder_weights};
  return *all[among(attentions_of(problem), at).attention];
}

bool is_decoder(const AttentionProblem& problem) { return is_decoder(problem.stack); }

AttentionShape shape_of(const AttentionProblem& problem, const HeadAddress& at) {
  return shape_at(problem.shape, among(attentions_of(problem), at));
}

const Mask& mask_of(const AttentionProblem& problem, const HeadAddress& at) {
  if (!problem.layer_masks.empty() && counts_positions(problem, at)) {
    return problem.layer_masks[at.layer];
  }
  const Mask* const all[kAttentions] = {&problem.mask, &problem.self_mask, &problem.encoder_mask};
  return *all[among(attentions_of(problem), at).attention];
}

bool attends_across(const AttentionProblem& problem, const HeadAddress& at) {
  return attentions_of(problem).size() > 1 && at.attention == kLastAttention;
}

bool joins_two_sequences(const AttentionProblem& problem, const HeadAddress& at) {
  return attentions_of(problem).size() > 1 ? attends_across(problem, at) : problem.cross;
}

bool counts_positions(const AttentionProblem& problem, const HeadAddress& at) {
  return !attends_across(problem, at);
}

const Position& position_of(const AttentionProblem& problem, const HeadAddress& at) {
  if (!counts_positions(problem, at)) return kNoPosition;
  const BlockRules* rules = own_rules(problem, at);
  if (rules == nullptr) return problem.position;
  const Position& position = rules->position ? *rules->position : problem.position;
  return !is_turned(position) && rotates_somewhere(problem) ? unturned() : position;
}

const std::vector<float>& sinks_of(const AttentionProblem& problem, const HeadAddress& at) {
  const BlockRules* rules = own_rules(problem, at);
  return rules == nullptr || rules->sinks.empty() ? problem.scoring.sinks : rules->sinks;
}

AttentionProblem with_layer_masks(AttentionProblem problem) {
  problem.layer_masks.clear();
  const std::vector<TransformerBlock>& blocks = problem.stack.blocks;
  const auto has_window = [](const TransformerBlock& block) {
    return block.rules.window.has_value();
  };
  if (std::ranges::none_of(blocks, has_window)) return problem;
  const Mask& common = mask_of(problem, {.attention = kSelfAttention});
  std::vector<Mask> masks(blocks.size(), common);
  for (std::size_t layer = 0; layer < blocks.size(); ++layer) {
    if (blocks[layer].rules.window) masks[layer].window = blocks[layer].rules.window;
  }
  problem.layer_masks = std::move(masks);
  return problem;
}

std::int64_t first_position(const AttentionProblem& problem, std::size_t sample) {
  const Mask& mask = is_decoder(problem) ? problem.self_mask : problem.mask;
  return mask.offset_of(sample);
}

const Projections& projections_of(const AttentionProblem& problem, const HeadAddress& at) {
  if (problem.stack.blocks.empty()) return problem.projections;
  const TransformerBlock& block = problem.stack.blocks[at.layer];
  return attends_across(problem, at) ? block.cross->projections : block.projections;
}

const ProblemKind kQkvProblems{.stages = attention_stages, .given = given_input};
const ProblemKind kLayerProblems{
    .stages = layer_stages,
    .linear = [](const AttentionProblem& problem, Stage stage, const HeadAddress& at) {
      return projection_of(problem, stage, at);
    }};
const ProblemKind kWeightsProblems{
    .stages = [](const AttentionProblem&,
                 const HeadAddress&) { return std::vector{Stage::Weights}; },
    .given = [](const AttentionProblem& problem,
                Stage stage) { return stage == Stage::Weights ? &problem.weights : nullptr; }};

std::optional<LinearStage> projection_of(const AttentionProblem& problem, Stage stage,
                                         const HeadAddress& at, std::optional<Stage> input,
                                         const Tensor* keys) {
  const Projections& by = projections_of(problem, at);
  const std::size_t heads = problem.shape.heads, kv_heads = problem.shape.kv_heads;
  LinearStage made;
  if (stage == Stage::Query) {
    made = {
        Stage::QueryInput, &problem.query_embeddings, &by.w_q, &by.b_q, heads, "X", "W_Q", "b_Q"};
  } else if (stage == Stage::Key) {
    made = {
        Stage::KeyInput, &problem.key_embeddings, &by.w_k, &by.b_k, kv_heads, "X_K", "W_K", "b_K"};
  } else if (stage == Stage::Value) {
    made = {Stage::ValueInput,
            &problem.value_embeddings,
            &by.w_v,
            &by.b_v,
            kv_heads,
            "X_V",
            "W_V",
            "b_V"};
  } else {
    return std::nullopt;
  }
  if (!is_added(problem.position) || input) made.input = input;
  if (keys != nullptr && stage != Stage::Query) {
    made.input.reset();
    made.rows = keys;
  }
  if (made.input) made.rows = nullptr;
  return made;
}

std::optional<LinearStage> linear_stage(const AttentionProblem& problem, Stage stage,
                                        const HeadAddress& at) {
  if (stage == Stage::Projected) {
    const Projections& by = projections_of(problem, at);
    if (by.w_o.empty()) return std::nullopt;
    std::vector<float> gates = gates_of(problem.what_if, at, problem.shape.heads);
    const char* const input = gates.empty() ? "concat" : "gate · concat";
    return LinearStage{Stage::Concat, nullptr, &by.w_o, &by.b_o,         1,
                       input,         "W_O",   "b_O",   std::move(gates)};
  }
  const auto linear = problem.kind->linear;
  return linear == nullptr ? std::nullopt : linear(problem, stage, at);
}

float scale_of(const AttentionProblem& problem) {
  if (problem.scoring.scale) return *problem.scoring.scale;
  return static_cast<float>(usual_scale(problem.scoring.function, problem.shape.d_k));
}

bool has_scores(const AttentionProblem& problem) {
  return given_tensor(problem, Stage::Weights) == nullptr;
}

bool weighs_scores(const AttentionProblem& problem, const HeadAddress& head) {
  return has_scores(problem) && pattern_of(problem.what_if, head) == nullptr;
}

bool makes_projections(const AttentionProblem& problem) { return problem.kind->given == nullptr; }

const Tensor* given_tensor(const AttentionProblem& problem, Stage stage) {
  const auto given = problem.kind->given;
  return given == nullptr ? nullptr : given(problem, stage);
}

void append(std::vector<Stage>& stages, const std::vector<Stage>& more) {
  stages.insert(stages.end(), more.begin(), more.end());
}

std::vector<Stage> attention_stages(const AttentionProblem& problem, const HeadAddress& at) {
  const bool has_values = problem.shape.d_v > 0;
  std::vector<Stage> stages{Stage::Query, Stage::Key};
  if (has_values) stages.push_back(Stage::Value);
  const Projections& by = projections_of(problem, at);
  if (!by.q_norm.empty()) stages.push_back(Stage::NormedQuery);
  if (!by.k_norm.empty()) stages.push_back(Stage::NormedKey);
  if (is_turned(position_of(problem, at))) append(stages, {Stage::RotatedQuery, Stage::RotatedKey});
  append(stages, {Stage::Scores, Stage::Scaled});
  if (problem.scoring.softcap) stages.push_back(Stage::Softcapped);
  append(stages, {Stage::Masked, Stage::Weights});
  if (has_values) stages.push_back(Stage::Output);
  return stages;
}

std::vector<Stage> joined_attention_stages(const AttentionProblem& problem, const HeadAddress& at) {
  std::vector<Stage> stages = attention_stages(problem, at);
  stages.push_back(Stage::Concat);
  if (problem.shape.d_out > 0) stages.push_back(Stage::Projected);
  return stages;
}

std::vector<Stage> stages_of(const AttentionProblem& problem, const HeadAddress& at) {
  return problem.kind->stages(problem, at);
}

StageShape stage_shape(const AttentionShape& shape, Stage stage) {
  const StageInfo& info = stage_info(stage);
  return {extent_of(shape, info.rows), extent_of(shape, info.columns)};
}

std::size_t layers_of(const AttentionShape& s, Stage stage) {
  return stage == Stage::FinalNorm ? 1 : s.layers;
}

std::size_t heads_of(const AttentionShape& s, Stage stage) {
  const StageInfo& info = stage_info(stage);
  return !info.per_head ? 1 : info.rows_are_keys() ? s.kv_heads : s.heads;
}

Stage unrotated_query_stage(const AttentionProblem& problem, const HeadAddress& at) {
  return projections_of(problem, at).q_norm.empty() ? Stage::Query : Stage::NormedQuery;
}

Stage unrotated_key_stage(const AttentionProblem& problem, const HeadAddress& at) {
  return projections_of(problem, at).k_norm.empty() ? Stage::Key : Stage::NormedKey;
}

Stage query_stage(const AttentionProblem& problem, const HeadAddress& at) {
  const bool turned = is_turned(position_of(problem, at));
  return turned ? Stage::RotatedQuery : unrotated_query_stage(problem, at);
}

Stage key_stage(const AttentionProblem& problem, const HeadAddress& at) {
  const bool turned = is_turned(position_of(problem, at));
  return turned ? Stage::RotatedKey : unrotated_key_stage(problem, at);
}

std::string formula_of(const AttentionProblem& problem, Stage stage) {
  if (const auto own_formula = problem.kind->formula; own_formula != nullptr) {
    std::string own = own_formula(problem, stage);
    if (!own.empty()) return own;
  }
  if (stage == Stage::Projected && !problem.what_if.gates.empty()) {
    return "(gate ⊙ concat) W_O + b_O";
  }
  const Scoring& scoring = problem.scoring;
  if (stage == Stage::Scores) return std::string(scoring_info(scoring.function).formula);
  if (stage == Stage::Scaled) {
    return std::string(scoring_info(scoring.function).formula) + " · " +
           short_text(static_cast<double>(scale_of(problem)));
  }
  if (stage != Stage::Weights || given_tensor(problem, stage) != nullptr) {
    return std::string(stage_info(stage).formula);
  }
  std::string formula(normaliser_info(scoring.normaliser).formula);
  if (scoring.temperature) {
    formula += " with x / " + short_text(static_cast<double>(*scoring.temperature));
  }
  if (!sinks_of(problem, {}).empty()) formula += " with a sink";
  return formula;
}

std::uint64_t saturating_sum(std::initializer_list<std::uint64_t> parts) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t sum = 0;
  for (const std::uint64_t part : parts) sum = sum > kLargest - part ? kLargest : sum + part;
  return sum;
}

bool goes_row_by_row(const AttentionProblem& problem) { return problem.kind->goes_row_by_row; }

bool materialises_maps(const AttentionProblem& problem, const HeadAddress& at) {
  if (goes_row_by_row(problem)) return true;
  const AttentionShape s = shape_of(problem, at);
  const auto maps = static_cast<std::size_t>(
      std::ranges::count_if(stages_of(problem, at), [&](const Stage stage) {
        return stage_info(stage).token_by_token() && given_tensor(problem, stage) == nullptr;
      }));
  return element_count({maps, s.layers, s.samples, s.heads, s.n_q, s.n_k, sizeof(float)}) <=
         problem.most_materialised_map_bytes;
}

std::string why_no_patterns(const AttentionProblem& problem) {
  if (!has_scores(problem)) return "these weights are given; edit them where they are";
  if (goes_row_by_row(problem)) return "states of this model are computed one after another";
  if (materialises_maps(problem)) return "";
  return "there are too many queries and keys to keep all weights in memory";
}

std::string why_no_edges(const AttentionProblem& problem) {
  if (problem.stack.blocks.empty()) return "no later head reads the output of an earlier one";
  if (is_decoder(problem)) return "the sums of this decoder have two attentions";
  if (problem.stack.order != NormOrder::Pre) {
    return "norms behind the heads change all of the sum with the output of one, so that taking it "
           "out would not be exact";
  }
  return why_no_patterns(problem);
}

std::vector<StoredStage> stored_stages(const AttentionProblem& problem) {
  std::vector<StoredStage> stored;
  const std::span<const AttentionInfo> attentions = attentions_of(problem);
  for (const AttentionInfo& info : attentions) {
    const HeadAddress at = info.at();
    const AttentionShape s = shape_of(problem, at);
    for (const Stage stage : stages_of(problem, at)) {
      // Stages around the attentions are stored once.
      const bool again = &info != &attentions.back() && stage_info(stage).around_attention();
      if (again || given_tensor(problem, stage) != nullptr || stage == Stage::Concat) continue;
      if (depends_on_maps(problem, stage, at) && !materialises_maps(problem, at)) continue;
      const StageShape shape = stage_shape(s, stage);
      stored.push_back({stage, element_count({layers_of(s, stage), s.samples, heads_of(s, stage),
                                              shape.rows, shape.cols})});
    }
  }
  return stored;
}

std::uint64_t materialised_bytes(const AttentionProblem& problem) {
  std::uint64_t bytes = bytes_behind_maps(problem);
  for (const StoredStage& stored : stored_stages(problem)) {
    bytes = saturating_sum({bytes, element_count({stored.elements, sizeof(float)})});
  }
  return bytes;
}

std::uint64_t predicted_bytes(const AttentionProblem& problem) {
  const AttentionShape& s = problem.shape;
  const std::size_t inputs = edges_by_input(problem.what_if).size();
  return saturating_sum({materialised_bytes(problem),
                         element_count({inputs, s.samples, s.n_q, s.d_model, sizeof(float)}),
                         has_influence(problem) ? influence_bytes(problem) : 0});
}

std::uint64_t laid_out_bytes(const AttentionProblem& problem) {
  if (!makes_projections(problem)) return 0;
  const AttentionShape& s = problem.shape;
  const std::uint64_t elements =
      std::max({element_count({s.d_model, s.heads, query_columns(s)}),
                element_count({key_embedding_columns(s), s.kv_heads, s.d_k}),
                element_count({value_embedding_columns(s), s.kv_heads, s.d_v}),
                element_count({s.heads, s.d_v, s.d_out}), element_count({s.d_model, s.d_ff})});
  return element_count({elements, sizeof(float)});
}

std::uint64_t scored_multiply_adds(ScoringFunction function, const AttentionShape& s) {
  const ScoringCost score = scoring_info(function).cost(s);
  return saturating_sum(
      {element_count({s.layers, s.samples, s.heads, s.n_q, s.n_k, score.cell + s.d_v}),
       element_count({s.layers, s.samples, s.heads, s.n_q, score.query}),
       element_count({s.layers, s.samples, s.heads, s.n_k, score.key})});
}

std::uint64_t predicted_multiply_adds(ScoringFunction function, const AttentionShape& s) {
  const std::size_t inputs = element_count({s.layers, s.samples});
  return saturating_sum(
      {scored_multiply_adds(function, s),
       element_count({inputs, s.n_q, s.d_model, s.heads, query_columns(s)}),
       element_count({inputs, s.n_k, key_embedding_columns(s), s.kv_heads, s.d_k}),
       element_count({inputs, s.n_k, value_embedding_columns(s), s.kv_heads, s.d_v}),
       element_count({inputs, s.n_q, s.heads, s.d_v, s.d_out}),
       element_count({inputs, s.n_q, s.d_model, s.d_ff, 2})});
}

std::uint64_t attention_multiply_adds(const AttentionProblem& problem) {
  return predicted_multiply_adds(problem.scoring.function, problem.shape);
}

std::uint64_t predicted_multiply_adds(const AttentionProblem& problem) {
  std::uint64_t sum = problem.kind->multiply_adds(problem);
  const std::span<const AttentionInfo> attentions = attentions_of(problem);
  for (const AttentionInfo& earlier : attentions.first(attentions.size() - 1)) {
    AttentionShape shape = shape_of(problem, earlier.at());
    shape.d_ff = 0;  // the feed-forward layer runs once
    sum = saturating_sum({sum, predicted_multiply_adds(problem.scoring.function, shape)});
  }
  return sum;
}

std::uint64_t computing_multiply_adds(const AttentionProblem& problem) {
  return saturating_sum({predicted_multiply_adds(problem),
                         has_influence(problem) ? influence_multiply_adds(problem) : 0});
}

bool has_influence(const AttentionProblem& problem) {
  return problem.kind->derivatives != nullptr &&
         influence_multiply_adds(problem) <= problem.most_influence_steps;
}

std::uint64_t influence_bytes(const AttentionProblem& problem) {
  const ProblemKind& kind = *problem.kind;
  return kind.derivatives == nullptr ? 0 : kind.derivative_bytes(problem);
}

std::uint64_t influence_multiply_adds(const AttentionProblem& problem) {
  const ProblemKind& kind = *problem.kind;
  return kind.derivatives == nullptr ? 0 : kind.derivatives(problem);
}

}  // namespace attn
