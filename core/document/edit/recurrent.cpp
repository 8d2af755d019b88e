// Edits of recurrent encoder–decoders as wholes.
#include <utility>

#include "document/edit.h"
#include "document/generate.h"
#include "document/inconsistencies.h"

namespace attn {

RecurrentChoice choice_of(const Recurrent& model) {
  return {model.cell, model.asks, is_bidirectional(model), hidden_columns(model.decoder),
          !model.w_output.empty()};
}

Result<Document> with_recurrent(const Document& document, const RecurrentChoice& choice) {
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
  return if_consistent(std::move(changed));
}

}  // namespace attn
