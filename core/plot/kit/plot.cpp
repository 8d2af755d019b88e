// Clamping of options to a result, and errors of missing references.
#include "plot/kit/plot.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "figure/colormap.h"

namespace attn {
namespace {

std::size_t clamped(std::size_t index, std::size_t count) {
  return std::min(index, count > 0 ? count - 1 : 0);
}

// The available stage nearest in the order of computation; of two the later one.
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

PlotOptions fitted_to(const PlotOptions& options, const AttentionResult& result) {
  PlotOptions fitted = options;
  fitted.at = options.at.among(attentions_of(result.problem()).size());
  const AttentionShape& shape = result.shape();
  if (!result.has(fitted.stage, fitted.at)) {
    fitted.stage = nearest_stage(fitted.stage, result.stages(fitted.at));
  }
  HeadAddress& head = fitted.at;
  head.layer = clamped(head.layer, shape.layers);
  head.sample = clamped(head.sample, shape.samples);
  head.head = clamped(head.head, shape.heads);
  return fitted;
}

bool has_parts_of_rows(const ViewOptions& options) {
  const ColorMap* map = colormap_named(options.colormap);
  const bool diverging = map != nullptr && map->diverging;
  return options.stage == Stage::Weights && !diverging && options.range == ColorSpan::Rows;
}

Status check_index(const std::string& what, std::size_t index, std::size_t count) {
  if (index < count) return ok_status();
  Error error = usage_error("there is no such " + what);
  error.found = std::to_string(index);
  error.expected = "at most " + std::to_string(count - 1) + ", counted from 0";
  return error;
}

std::string moved_stage(const PlotOptions& options, const AttentionResult& result) {
  const Stage shown = fitted_to(options, result).stage;
  if (shown == options.stage) return "";
  return "There is no stage “" + std::string(stage_info(options.stage).label) + "” here; “" +
         std::string(stage_info(shown).label) + "” is shown";
}

NoReference awaited_reference(const std::string& path) {
  return std::make_shared<const Error>(
      usage_error("the reference " + path + " is still being opened and computed"));
}

NoReference missing_reference(const std::string& path, const Error& why) {
  Error error =
      usage_error("the reference " + path + " cannot be compared with: " + why.message,
                  "put the file back, choose another reference, or compare within the document");
  error.file = why.file;
  error.found = why.found;
  error.expected = why.expected;
  return std::make_shared<const Error>(std::move(error));
}

}  // namespace attn
