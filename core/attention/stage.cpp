#include "attention/stage.h"

#include <algorithm>
#include <array>

namespace attn {
namespace {

constexpr std::array<StageInfo, 11> kStages{{
    {Stage::Query, "q", "Query", "Q", "What each position looks for", false, true},
    {Stage::Key, "k", "Key", "K", "What each position offers to be found by", false, true},
    {Stage::Value, "v", "Value", "V", "What each position hands over when attended to", false,
     true},
    {Stage::Scores, "scores", "Scores", "QKᵀ", "How well each query matches each key", true, true},
    {Stage::Scaled, "scaled", "Scaled", "QKᵀ · scale",
     "Scores times the scale, so that their spread does not grow with d_k", true, true},
    {Stage::Softcapped, "softcapped", "Softcapped", "c · tanh(x / c)",
     "Scaled scores squeezed into (-c, c)", true, true},
    {Stage::Masked, "masked", "Masked", "x + bias, hidden: -∞",
     "What goes into the softmax: bias added, hidden cells at -∞", true, true},
    {Stage::Weights, "weights", "Weights", "softmax(x)",
     "The share of each query's attention that each key gets; rows sum to 1", true, true},
    {Stage::Output, "output", "Output", "weights · V", "The values, averaged with the weights",
     false, true},
    {Stage::Concat, "concat", "Concat", "[head 1 … head h]", "The heads' outputs side by side",
     false, false},
    {Stage::Projected, "projected", "Projected", "concat · W_o + b_o",
     "The heads' outputs mixed into the width of the model", false, false},
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
