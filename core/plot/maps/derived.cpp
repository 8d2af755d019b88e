// Heatmaps of matrices made from weights.
#include "engine/matrix/derived.h"

#include "base/number_text.h"
#include "engine/matrix/layer_flow.h"
#include "plot/kit/ask.h"
#include "plot/kit/cells.h"
#include "plot/kit/names.h"
#include "plot/maps/heatmap.h"
#include "plot/maps/maps.h"

namespace attn {
namespace {

// "Attention rollout of 12 layers, residual share 0.5".
std::string words_for(const AttentionProblem& problem, const PlotOptions& options) {
  const AttentionShape& shape = problem.shape;
  const DerivedInfo& info = derived_info(options.derived);
  const HeadAddress& at = options.at;
  std::string words(derived_words(problem, options.derived, at).label);
  words += which_attention(problem, at, ", ");
  if (info.of_all_layers) {
    words +=
        shape.layers == 1 ? " of one layer" : " of " + std::to_string(shape.layers) + " layers";
    words += numbered("sample", at.sample, shape.samples);
    words += ", residual share " + short_text(options.residual, 3);
    const bool without_first = options.without_first && options.derived == Derived::Rollout;
    return words + (without_first ? ", first token left out, rows renormalised" : "");
  }
  return words + address_words(shape, at, info.derived == Derived::ValueNorm);
}

DerivedOptions how_to_derive(const DerivedPlotOptions& options) {
  return {options.residual, options.without_first};
}

MatrixId shown_id(const PlotOptions& options) {
  return derived_id(options.derived, options.at, how_to_derive(options));
}

MatrixSource source_of(const PlotOptions& options) {
  return [derived = options.derived, at = options.at, how = how_to_derive(options)](
             const Document& /*document*/, const ResultPtr& result) {
    return derive(result, derived, at, how);
  };
}

// Question for a matrix made of one layer whose weights are not materialised; nothing for others.
std::optional<PooledQuestion> cells_when_read(const FittedView& view) {
  const AttentionResult& result = view.result;
  const PlotOptions& options = view.options;
  const bool is_stored = derived_info(options.derived).of_all_layers ||
                         !result.has(Stage::Weights) || result.range(Stage::Weights, options.at);
  if (is_stored) return std::nullopt;
  const AttentionShape shape = view.shape();
  const std::size_t heads = options.derived == Derived::HeadMean ? shape.heads : 1;
  PooledQuestion question{shown_id(options), result.stage_shape(Stage::Weights, options.at),
                          shape.d_k * heads, shape.n_k, options.pooling};
  question.source = source_of(options);
  question.tops = has_parts_of_rows(options);
  return question;
}

}  // namespace

std::vector<Need> derived_needs(const FittedView& view) {
  const PlotOptions& options = view.options;
  const bool is_for_file = options.is_file();
  const auto make = [derived = options.derived, at = options.at, how = how_to_derive(options),
                     is_for_file](const Document& /*document*/, const ResultPtr& result,
                                  Progress* progress) {
    if (derived == Derived::Flow && !is_for_file) {
      if (const Status soon = check_flow_time(result->shape()); !soon) {
        return Result<MatrixPtr>(soon.error());
      }
    }
    return derive(result, derived, at, how, progress);
  };
  const AttentionShape shape = view.shape();
  const auto cells = cells_when_read(view);
  Need need = need_for(shown_id(options), std::string(derived_info(options.derived).label),
                       predicted_nanoseconds(shape, options.derived),
                       predicted_bytes(shape, options.derived), make);
  if (!cells) return {std::move(need)};
  need.nanoseconds = element_count({shape.n_k, shape.d_v});
  need.bytes = predicted_bytes(shape, Derived::ValueNorm);
  std::vector<Need> needs = heatmap_needs(view, *cells, false);
  needs.insert(needs.begin(), std::move(need));
  return needs;
}

Result<Figure> derived_matrix(const Drawing& drawing) {
  const PlotOptions& options = drawing.options;
  const MatrixId id = shown_id(options);
  const MatrixPtr matrix = matrix_in(drawing, id);
  if (matrix == nullptr) return why_missing(drawing, id);
  const AttentionProblem& problem = drawing.result.problem();
  const DerivedWords words = derived_words(problem, options.derived, options.at);
  const HeatmapCaption caption{words_for(problem, options), std::string(words.quantity), false,
                               cells_when_read(drawing)};
  if (caption.cells) {
    if (const Status known = check_part(drawing, *caption.cells); !known) {
      return known.error();
    }
  }
  return heatmap(drawing, *matrix, caption);
}

}  // namespace attn
