// Actions on masks, scoring, positions and inputs: what their panels offer, by name.
#include "gui/panels/rules/rules.h"

#include <utility>

#include "gui/panels/matrices.h"
#include "gui/panels/rules/masks.h"
#include "gui/shell/actions/action_lists.h"

namespace attn::gui {
namespace {

void add_mask_rules(Actions& actions, const AppState& state) {
  const Mask& mask = shown_mask(state);
  const bool scored = has_scores(state.document.model);
  const auto add = [&](const char* id, const char* label, const char* help, bool on, bool enabled,
                       Mask (*changed)(const AppState&, bool)) {
    actions.push_back({.id = id,
                       .menu = "Edit/Mask",
                       .label = label,
                       .help = help,
                       .enabled = enabled,
                       .checked = on,
                       .run = [&state, changed, on](Ui& ui) {
                         ui.send(command::SetMask{changed(state, !on)});  // a mask may be large
                       }});
  };
  add("mask/window", "Sliding window", "A query sees only keys near its own position",
      mask.window.has_value(), true, &with_window);
  add("mask/alibi", "ALiBi", "Lowers each score by slope · distance", mask.alibi.has_value(),
      scored, &with_alibi);
  add("mask/relative", "Relative buckets", "Adds a number for the distance, as T5 does",
      mask.relative.has_value(), scored, &with_relative_buckets);
}

void add_scoring(Actions& actions, const AppState& state) {
  const Scoring& scoring = state.document.scoring;
  const bool scored = has_scores(state.document.model);
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    Scoring changed = scoring;
    changed.function = info.function;
    actions.push_back({.id = "scoring/" + std::string(info.name),
                       .menu = "Edit/Scoring",
                       .label = std::string(info.label),
                       .help = std::string(info.sentence),
                       .enabled = scored,
                       .checked = scoring.function == info.function,
                       .run = sends(command::SetScoring{std::move(changed)})});
  }
  for (const NormaliserInfo& info : all_normalisers()) {
    actions.push_back(
        {.id = "normaliser/" + std::string(info.name),
         .menu = "Edit/Scoring",
         .label = std::string(info.label),
         .help = std::string(info.sentence),
         .enabled = scored,
         .checked = scoring.normaliser == info.normaliser,
         .separated = &info == &all_normalisers().front(),
         .run = sends(command::SetScoring{with_normaliser(scoring, info.normaliser)})});
  }
}

void add_positions(Actions& actions, const AppState& state) {
  const KindInfo& kind = info_of(state.document.model);
  const bool chosen = kind.has_scores && kind.no_positions.empty();
  for (const PositionKindInfo& info : all_position_kinds()) {
    actions.push_back({.id = "position/" + std::string(info.name),
                       .menu = "Edit/Positions",
                       .label = std::string(info.label),
                       .help = std::string(info.sentence),
                       .enabled = chosen,
                       .checked = state.document.position.kind == info.kind,
                       .run = sends(command::SetPosition{usual_position(info.kind)})});
  }
}

// In its header among the inputs, which must be in view.
void ask_feature_name(Ui& ui, const AppState& state) {
  Sides sides = state.preferences.sides;
  if (std::exchange(sides.left_folded, false)) ui.send(command::SetSides{sides});
  ui.send(command::AskFeatureName{});
}

void add_inputs(Actions& actions, const AppState& state) {
  const MatrixRef& shown = state.grid.matrix;
  const TensorList tensors =
      editable_tensors(state.document, block_of_path(shown.tensor).value_or(shown.at.layer));
  for (const TensorInfo& info : tensors) {
    actions.push_back({.id = "inputs/" + info.label,
                       .menu = "Edit/Inputs",
                       .label = info.label,
                       .help = "Shows this matrix among the inputs",
                       .checked = shown.tensor == info.path,
                       .run = sends(command::SelectMatrix{{info.path, shown.at}})});
  }
  const auto fill = [&](const char* id, const char* label, const char* help, Fill kind) {
    actions.push_back({.id = id,
                       .menu = "Edit/Inputs",
                       .label = label,
                       .help = help,
                       .enabled = !tensors.empty(),
                       .separated = kind == Fill::RandomNormal,
                       .run = sends(command::FillMatrix{shown, kind})});
  };
  actions.push_back({.id = "name_column",
                     .menu = "Edit/Inputs",
                     .label = "Name the column…",
                     .help = "What the feature in the column of the selected cell stands for, "
                             "wherever it occurs; an empty name takes it away",
                     .enabled = can_name_columns(state),
                     .separated = true,
                     .run = [&state](Ui& ui) { ask_feature_name(ui, state); }});
  fill("fill/random", "Fill at random", "Normally distributed numbers in the matrix that is shown",
       Fill::RandomNormal);
  fill("fill/zeros", "Fill with zeros", "Zeros in the matrix that is shown", Fill::Zeros);
  fill("fill/identity", "Fill with the identity", "Ones on the diagonal, zeros elsewhere",
       Fill::Identity);
}

}  // namespace

void add_rules(Actions& actions, const AppState& state) {
  add_mask_rules(actions, state);
  add_scoring(actions, state);
  add_positions(actions, state);
  add_inputs(actions, state);
}

}  // namespace attn::gui
