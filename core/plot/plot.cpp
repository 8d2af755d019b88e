// What every plot asks of its options before it draws.
#include "plot/plot.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace attn {
namespace {

std::size_t clamped(std::size_t index, std::size_t count) {
  return std::min(index, count > 0 ? count - 1 : 0);
}

// The stage that is there and nearest in the order of computation; the later one of two.
Stage nearest_stage(Stage wanted, const std::vector<Stage>& stages) {
  const auto distance = [&](Stage s) {
    return std::abs(static_cast<int>(s) - static_cast<int>(wanted));
  };
  Stage best = stages.empty() ? wanted : stages.front();
  for (const Stage stage : stages) {
    if (distance(stage) <= distance(best)) best = stage;
  }
  return best;
}

}  // namespace

PlotOptions fitted_to(const PlotOptions& options, const AttentionResult& whole) {
  PlotOptions fitted = options;
  const AttentionResult& result = whole.attended(options.attention);
  const AttentionShape& shape = result.shape();
  if (!result.has(fitted.stage)) {
    fitted.stage = nearest_stage(fitted.stage, result.stages());
  }
  HeadAddress& head = fitted.at;
  head.layer = clamped(head.layer, shape.layers);
  head.sample = clamped(head.sample, shape.samples);
  head.head = clamped(head.head, shape.heads);
  return fitted;
}

std::string moved_stage(const PlotOptions& options, const AttentionResult& result) {
  const Stage shown = fitted_to(options, result).stage;
  if (shown == options.stage) return "";
  return "There is no stage “" + std::string(stage_info(options.stage).label) + "” here; “" +
         std::string(stage_info(shown).label) + "” is shown";
}

}  // namespace attn
