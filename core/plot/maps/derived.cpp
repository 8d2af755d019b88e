// Matrices made from weights as heatmaps.
#include "plot/maps/derived.h"

#include "base/number_text.h"
#include "engine/matrix/derived.h"
#include "plot/maps/heatmap.h"
#include "plot/needs.h"
#include "plot/parts/tokens.h"

namespace attn {
namespace {

// "Attention rollout of 12 layers, residual share 0.5".
std::string words_for(const AttentionProblem& problem, const PlotOptions& options) {
  const AttentionShape& shape = problem.shape;
  const DerivedInfo& info = derived_info(options.derived);
  const HeadAddress& at = options.at;
  std::string words(info.label);
  words += which_attention(problem, ", ");
  if (info.of_all_layers) {
    words +=
        shape.layers == 1 ? " of one layer" : " of " + std::to_string(shape.layers) + " layers";
    words += numbered("sample", at.sample, shape.samples);
    return words + ", residual share " + short_text(options.residual, 3);
  }
  words += numbered("layer", at.layer, shape.layers) + numbered("sample", at.sample, shape.samples);
  return words + (info.derived == Derived::ValueNorm ? numbered("head", at.head, shape.heads) : "");
}

MatrixId shown_id(const PlotInput& input, const PlotOptions& options) {
  return derived_id(input.result.problem().part, options.derived, options.at, options.residual);
}

}  // namespace

std::vector<Need> derived_needs(const PlotInput& input, const PlotOptions& options) {
  const auto make = [derived = options.derived, at = options.at, residual = options.residual](
                        const Document& /*document*/, const ResultPtr& result, Progress* progress) {
    DerivedOptions how;
    how.residual = residual;
    return derive(result, derived, at, how, progress);
  };
  const AttentionShape& shape = input.result.shape();
  return {need_for(shown_id(input, options), std::string(derived_info(options.derived).label),
                   predicted_steps(shape, options.derived), predicted_bytes(shape, options.derived),
                   make)};
}

Result<Figure> derived_matrix(const PlotInput& input, const PlotOptions& wanted,
                              const TextMetrics& metrics) {
  PlotOptions options = fitted_to(wanted, input.result);
  options.stage = Stage::Weights;
  const MatrixId id = shown_id(input, options);
  const MatrixPtr matrix = matrix_in(input, id);
  if (matrix == nullptr) return why_missing(input, id);
  const HeatmapCaption caption{words_for(input.result.problem(), options),
                               std::string(derived_info(options.derived).quantity)};
  return heatmap(input, *matrix, options, metrics, caption);
}

}  // namespace attn
