// Edits of recurrent encoder–decoders as wholes.
#include "document/edit/recurrent.h"

#include <utility>

#include "document/edit.h"
#include "document/edit/features.h"
#include "document/generate.h"
#include "document/inconsistencies.h"

namespace attn {

void complete_recurrent(Recurrent& model, const RecurrentWidths& widths, std::uint64_t seed,
                        std::vector<std::string>& made, StepCount* count) {
  model.cell = widths.cell;
  model.asks = widths.asks;
  // A model that begins by a map goes on to, also where it could do without.
  const bool maps_initial = !model.w_initial.empty() || !model.b_initial.empty();
  for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
    Tensor& tensor = info.write(model);
    const Shape shape = recurrent_shape(info, widths);
    if (tensor.shape() != shape) tensor = Tensor();
    const bool wanted = maps_initial && info.name == "w_initial";
    if (!tensor.empty() || shape.empty() || (may_be_absent(info, widths) && !wanted)) continue;
    const std::string name =
        (info.cell.empty() ? "" : std::string(info.cell) + " ") + std::string(info.name);
    tensor = generated_projection(seed, name, shape[0], shape[1], count);
    made.push_back(name);
  }
}

namespace {

std::string reason_not_to_recur(const Document& document, const ModelChoice& choice) {
  const bool fits = std::holds_alternative<RecurrentModel>(document.model) &&
                    std::get<RecurrentChoice>(choice).hidden > 0;
  return fits ? "" : "This document has no recurrent encoder–decoder to change";
}

Result<Document> applied_recurrent(const Document& document, const ModelChoice& of_kind) {
  const auto& choice = std::get<RecurrentChoice>(of_kind);
  Document changed = document;
  auto& model = std::get<RecurrentModel>(changed.model);
  RecurrentWidths widths = widths_of(model);
  // Cells of different widths keep them until the number of units is changed.
  if (choice.hidden != widths.decoder) {
    widths.encoder = widths.decoder = choice.hidden;
    if (widths.backward > 0) widths.backward = choice.hidden;
  }
  widths.cell = choice.cell;
  widths.asks = choice.asks;
  if (!choice.bidirectional) widths.backward = 0;
  if (choice.bidirectional && widths.backward == 0) widths.backward = widths.encoder;
  widths.d_out = !choice.outputs ? 0 : widths.d_out > 0 ? widths.d_out : widths.decoder;
  std::vector<std::string> made;
  complete_recurrent(model.recurrent, widths, changed.seed, made);
  if (scoring_info(changed.scoring.function).needs_equal_widths &&
      widths.decoder != widths.encoder_width()) {
    changed.scoring.function = kScoringOfAnyWidths;
  }
  complete_scoring(changed.scoring, shape_of(changed), changed.seed);
  fit_features(changed);
  return if_consistent(std::move(changed));
}

}  // namespace

const ModelEdit kRecurrentEdit{"change encoder–decoder", std::holds_alternative<RecurrentChoice>,
                               reason_not_to_recur, applied_recurrent};

}  // namespace attn
