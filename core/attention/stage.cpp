#include "attention/stage.h"

#include <algorithm>
#include <array>

namespace attn {
namespace {

constexpr std::array<StageInfo, kStageCount> kStages{{
    {Stage::QueryInput, "query_input", "Query input", "X + P",
     "Embeddings of the queries with their positions added", StageRole::Query, "d_model", false},
    {Stage::KeyInput, "key_input", "Key input", "X_K + P",
     "Embeddings of the keys with their positions added", StageRole::Key, "d_model", false},
    {Stage::ValueInput, "value_input", "Value input", "X_V + P",
     "Embeddings of the values with their positions added", StageRole::Value, "d_model", false},
    {Stage::Query, "q", "Query", "Q", "What each position looks for", StageRole::Query, "d_k",
     true},
    {Stage::Key, "k", "Key", "K", "What each position offers to be found by", StageRole::Key, "d_k",
     true},
    {Stage::Value, "v", "Value", "V", "What each position hands over when attended to",
     StageRole::Value, "d_v", true},
    {Stage::RotatedQuery, "q_rotated", "Rotated query", "R(pos) Q",
     "Queries with their columns turned in pairs by their position", StageRole::Query, "d_k", true},
    {Stage::RotatedKey, "k_rotated", "Rotated key", "R(pos) K",
     "Keys with their columns turned in pairs by their position", StageRole::Key, "d_k", true},
    {Stage::Scores, "scores", "Scores", "QKᵀ", "How well each query matches each key",
     StageRole::Scores, "n_k", true},
    {Stage::Scaled, "scaled", "Scaled", "QKᵀ · scale",
     "Scores times the scale, so that their spread does not grow with d_k", StageRole::Scores,
     "n_k", true},
    {Stage::Softcapped, "softcapped", "Softcapped", "c · tanh(x / c)",
     "Scaled scores squeezed into (-c, c)", StageRole::Scores, "n_k", true},
    {Stage::Masked, "masked", "Masked", "x + bias, hidden: -∞",
     "What goes into the softmax: bias added, hidden cells at -∞", StageRole::Scores, "n_k", true},
    {Stage::Weights, "weights", "Weights", "softmax(x)",
     "The share of each query's attention that each key gets", StageRole::Scores, "n_k", true},
    {Stage::Output, "output", "Output", "weights · V", "The values, averaged with the weights",
     StageRole::Output, "d_v", true},
    {Stage::Concat, "concat", "Concat", "[head 1 … head h]", "The heads' outputs side by side",
     StageRole::Output, "h·d_v", false},
    {Stage::Projected, "projected", "Projected", "concat · W_o + b_o",
     "The heads' outputs mixed into the width of the model", StageRole::Output, "d_out", false},
}};

}  // namespace

std::span<const StageInfo> all_stages() { return kStages; }

const StageInfo& stage_info(Stage stage) { return kStages[static_cast<std::size_t>(stage)]; }

std::optional<Stage> stage_named(std::string_view name) {
  const auto found = std::ranges::find(kStages, name, &StageInfo::name);
  if (found == kStages.end()) return std::nullopt;
  return found->stage;
}

}  // namespace attn
