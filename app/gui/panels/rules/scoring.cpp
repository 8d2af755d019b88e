// Shows and edits the scoring function, its numbers and the normaliser.
#include "gui/panels/rules/scoring.h"

#include "attention/problem.h"
#include "base/number_text.h"
#include "gui/panels/controls.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// Sends the document's scoring with one part changed.
template <class Member, class Value>
void change(Ui& ui, const AppState& state, Member Scoring::*member, Value value) {
  Scoring scoring = state.document.scoring;
  scoring.*member = std::move(value);
  ui.send(command::SetScoring{std::move(scoring), ui.field_gesture});
}

void function_rows(Ui& ui, const AppState& state) {
  const Scoring& scoring = state.document.scoring;
  const ScoringFunctionInfo* chosen =
      choice_row(ui, {"scoring/function", "", "How a query and a key make a score"},
                 all_scoring_functions(), scoring_info(scoring.function));
  if (chosen != nullptr) change(ui, state, &Scoring::function, chosen->function);
}

void scale_row(Ui& ui, const AppState& state, ScoringView& view) {
  const Scoring& scoring = state.document.scoring;
  const double usual = usual_scale(scoring.function, shape_of(state.document).d_k);
  const bool by_root = scoring_info(scoring.function).scaled_by_width;
  const std::string label = by_root ? "Scale 1/√d_k = " + short_text(usual) : "Scale 1";
  if (const auto on = checkbox(ui, "scoring/usual_scale", label, !scoring.scale.has_value(),
                               "The usual scale; switch off to enter another")) {
    change(ui, state, &Scoring::scale, *on ? std::nullopt : std::optional(by_root ? 1.0F : 0.5F));
  }
  if (!scoring.scale) return;
  if (const auto scale =
          number_row(ui, {"scoring/scale", "Scale", "Scores are multiplied by it", "a factor"},
                     *scoring.scale, view.fields)) {
    change(ui, state, &Scoring::scale, std::optional(*scale));
  }
}

void normaliser_rows(Ui& ui, const AppState& state, ScoringView& view) {
  const Scoring& scoring = state.document.scoring;
  const NormaliserInfo* chosen =
      choice_row(ui, {"scoring/normaliser", "", "How the scores of a row become weights"},
                 all_normalisers(), normaliser_info(scoring.normaliser));
  if (chosen != nullptr) {
    ui.send(command::SetScoring{with_normaliser(scoring, chosen->normaliser)});
  }
  if (const auto temperature = optional_number_row(ui,
                                                   {"scoring/temperature", "Temperature",
                                                    "What goes in is divided by it: below 1 "
                                                    "sharpens, above 1 flattens"},
                                                   scoring.temperature, 0.5F, view.fields)) {
    change(ui, state, &Scoring::temperature, *temperature);
  }
  if (!normaliser_info(scoring.normaliser).takes_sinks) return;
  const RowWords sinks{"scoring/sinks", "Sinks",
                       "Logits beside the keys that take a share of the softmax: one for all "
                       "heads, or one per head"};
  if (const auto values = numbers_row(ui, sinks, scoring.sinks, view.fields)) {
    change(ui, state, &Scoring::sinks, *values);
  }
}

}  // namespace

Scoring with_normaliser(Scoring scoring, Normaliser normaliser) {
  scoring.normaliser = normaliser;
  if (!normaliser_info(normaliser).takes_sinks) scoring.sinks.clear();
  return scoring;
}

void scoring_panel(Ui& ui, const AppState& state, ScoringView& view) {
  if (!has_scores(state.document.model)) {
    return empty_hint(ui, "This document gives finished weights: nothing is scored here.");
  }
  function_rows(ui, state);
  scale_row(ui, state, view);
  if (const auto softcap = optional_number_row(
          ui, {"scoring/softcap", "Softcap", "Keeps scores within ±c by c · tanh(x / c)"},
          state.document.scoring.softcap, 30.0F, view.fields)) {
    change(ui, state, &Scoring::softcap, *softcap);
  }
  section_header(ui, "Normaliser");
  normaliser_rows(ui, state, view);
}

}  // namespace attn::gui
