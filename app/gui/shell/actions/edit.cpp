// Actions of the menu Edit: undo, clipboard, masks and other rules, matrix in the spreadsheet.
#include <utility>

#include "base/number_text.h"
#include "gui/panels/inspector/inspector.h"
#include "gui/panels/matrices.h"
#include "gui/panels/rules/rules.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/actions/action_lists.h"
#include "session/command.h"

namespace attn::gui {
namespace {

std::string with_label(const std::string& verb, const std::vector<Snapshot>& snapshots) {
  return snapshots.empty() ? verb : verb + " " + snapshots.back().label;
}

void add_history(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit"};
  menu.add("undo", with_label("Undo", state.history.past), "Undoes the last edit",
           command::StepEdit{-1}, {ctrl('Z')}, {.enabled = !state.history.past.empty()});
  menu.add("redo", with_label("Redo", state.history.future), "Redoes the edit that was undone",
           command::StepEdit{1}, {ctrl('Y'), ctrl_shift('Z')},
           {.enabled = !state.history.future.empty()});
}

// Actions on the marked token.
void add_marked_token(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit/Token"};
  const TokenHit token = state.marked_token.value_or(TokenHit{});
  const std::size_t count = tokens_of(state.document, token.side, token.sample).size();
  const auto add = [&](const char* id, const char* label, const char* help, bool possible,
                       Command command) {
    menu.add(id, label, help, std::move(command), {}, {.enabled = state.marked_token && possible});
  };
  const std::size_t at = token.index;
  add("delete_token", "Delete token", "Deletes the marked token with its numbers", count > 1,
      command::DeleteToken{token.side, at});
  add("move_token_up", "Move token up", "Moves the marked token before the one above it", at > 0,
      command::MoveToken{token.side, at, at - 1});
  add("move_token_down", "Move token down", "Moves the marked token behind the one below it",
      at + 1 < count, command::MoveToken{token.side, at, at + 1});
}

void add_places(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit"};
  menu.add("history", "All edits…", "The list of edits, to go back to any of them",
           command::ShowOverlay{Overlay::History}, {},
           {.enabled = !state.history.past.empty() || !state.history.future.empty()});
  menu.add("find", "Find a token…", "Marks tokens by their text", command::ShowFind{true},
           {ctrl('F')}, {.separated = true});
  for (const int by : {1, -1}) {
    menu.add(by > 0 ? "find_next" : "find_previous", by > 0 ? "Find next" : "Find previous",
             "Marks another token with the text that was searched",
             command::Find{state.find_text, by}, {{.key = keys::kF1 + 2, .shift = by < 0}},
             {.enabled = !state.find_text.empty()});
  }
  menu.add("go_to", "Go to…", "A row, column, cell, head, layer or sample by its number",
           command::ShowOverlay{Overlay::GoTo}, {ctrl('G')});
}

void copy_sentence(Ui& ui, const AppState& state) {
  const std::string sentence = inspected_sentence(state);
  copy_and_notify(ui, sentence, "Copied: " + sentence);
}

void add_clipboard(Actions& actions, const AppState& state, bool inspects) {
  const Menu menu{actions, "Edit"};
  menu.add("copy_cells", "Copy cells", "Copies the selected inputs as tab-separated text",
           [&state](Ui&) { ImGui::SetClipboardText(selected_block_text(state).c_str()); }, {},
           {.field_shortcut = "Ctrl+C", .separated = true});
  menu.add("paste_cells", "Paste cells", "Writes tab-separated numbers at the selected input cell",
           [&state](Ui& ui) { ui.send(paste_at_selection(state, clipboard_text())); }, {},
           {.field_shortcut = "Ctrl+V"});
  for (const bool down : {true, false}) {
    menu.add(down ? "fill_down" : "fill_right", down ? "Fill down" : "Fill right",
             down ? "The first row of the selected inputs in all of their rows"
                  : "The first column of the selected inputs in all columns",
             [&state, down](Ui& ui) { ui.send(fill_selection(state, down)); },
             {ctrl(down ? 'D' : 'R')}, {.enabled = can_fill(state, down)});
  }
  menu.add("copy_sentence", "Copy sentence", "Copies the inspector's sentence about the cell",
           [&state](Ui& ui) { copy_sentence(ui, state); }, {ctrl_shift('C')},
           {.enabled = inspects});
}

void copy_numbers(Ui& ui, const AppState& state, const CopiedPartInfo& part,
                  const NumberFormat& format) {
  const Result<NumberTable> numbers = copied_numbers(state, part.part);
  if (!numbers) {
    return ui.send(command::Notify{Notice::Level::Warning, describe(numbers.error()),
                                   describe_in_full(numbers.error())});
  }
  const std::size_t count = numbers->rows * numbers->cols;
  copy_and_notify(ui, format.write(*numbers),
                  "Copied " + grouped_text(count) + (count == 1 ? " number" : " numbers") + " as " +
                      std::string(format.label));
}

void add_numbers(Actions& actions, const AppState& state, bool inspects) {
  for (const CopiedPartInfo& part : all_copied_parts()) {
    for (const NumberFormat& format : all_number_formats()) {
      Menu{actions, "Edit/Copy numbers/" + std::string(part.label)}.add(
          "copy_numbers/" + std::string(part.name) + "/" + std::string(format.name),
          std::string(part.label) + " as " + std::string(format.label), format.help,
          [&state, &part, &format](Ui& ui) { copy_numbers(ui, state, part, format); }, {},
          {.enabled = state.result != nullptr && (inspects || !part.needs_cell)});
    }
  }
}

void add_picture_and_windows(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit"};
  const bool possible = !state.picture_helper.empty();
  menu.add("copy_figure", "Copy the figure",
           possible ? "As a picture, the same as an export"
                    : "Pictures are copied by xclip or wl-copy: neither is here",
           command::CopyFigure{}, {}, {.enabled = possible && state.result != nullptr});
  menu.add("sentence", "Type a sentence…", "Replaces the tokens by those of a text",
           command::ShowOverlay{Overlay::Sentence}, {ctrl_shift('E')}, {.separated = true});
  menu.add("structure", "Structure…",
           "The kind of model, heads, widths, layers, samples, sequences",
           command::ShowOverlay{Overlay::Structure}, {ctrl_shift('D')});
}

void copy_sum(Ui& ui, const AppState& state, const SumFormat& format) {
  const std::string text = inspected_sum_text(state, format);
  if (text.empty()) {
    return ui.send(
        command::Notify{Notice::Level::Warning, "Nothing is summed up in this cell", ""});
  }
  copy_and_notify(ui, text, "Copied the sum as " + std::string(format.label));
}

void add_sums(Actions& actions, const AppState& state, bool inspects) {
  const Menu menu{actions, "Edit/Copy the sum"};
  for (const SumFormat& format : all_sum_formats()) {
    menu.add("copy_sum/" + std::string(format.name), "As " + std::string(format.label),
             "Copies the sum behind the number of the cell",
             [&state, &format](Ui& ui) { copy_sum(ui, state, format); }, {}, {.enabled = inspects});
  }
}

void add_masks(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit"};
  const bool painting = state.tool == Tool::PaintMask;
  menu.add("causal", "Causal mask", "Hides later keys from each query",
           command::SetCausal{!shown_mask(state).causal}, {typed('c')},
           {.checked = shown_mask(state).causal, .separated = true});
  menu.add("paint_mask", "Paint mask",
           "Click or drag over cells of the heatmap to hide or show them",
           command::SetTool{painting ? Tool::Inspect : Tool::PaintMask}, {typed('m')},
           {.checked = painting});
  menu.add("clear_painted", "Clear painted",
           "Shows every cell that was hidden by hand, in all samples", command::ClearMask{true}, {},
           {.enabled = !shown_mask(state).visible.empty()});
  menu.add("clear_mask", "Clear all masks", "Removes every rule and bias, in all samples",
           command::ClearMask{}, {}, {.enabled = shown_mask(state) != Mask{}});
}

void add_mask_rules(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit/Mask"};
  const Mask& mask = shown_mask(state);
  const bool scored = has_scores(state.document.model);
  const auto add = [&](const char* id, const char* label, const char* help, bool on, bool enabled,
                       Mask (*changed)(const AppState&, bool)) {
    menu.add(id, label, help,
             [&state, changed, on](Ui& ui) {
               ui.send(command::SetMask{changed(state, !on)});  // copied late: a mask may be large
             },
             {}, {.enabled = enabled, .checked = on});
  };
  add("mask/window", "Sliding window", "A query sees only keys near its own position",
      mask.window.has_value(), true, &with_window);
  add("mask/alibi", "ALiBi", "Lowers each score by slope · distance", mask.alibi.has_value(),
      scored, &with_alibi);
  add("mask/relative", "Relative buckets", "Adds a number for the distance, as T5 does",
      mask.relative.has_value(), scored, &with_relative_buckets);
}

void add_scoring(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit/Scoring"};
  const Scoring& scoring = state.document.scoring;
  const bool scored = has_scores(state.document.model);
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    Scoring changed = scoring;
    changed.function = info.function;
    menu.add("scoring/" + std::string(info.name), info.label, info.sentence,
             command::SetScoring{std::move(changed)}, {},
             {.enabled = scored, .checked = scoring.function == info.function});
  }
  for (const NormaliserInfo& info : all_normalisers()) {
    menu.add("normaliser/" + std::string(info.name), info.label, info.sentence,
             command::SetScoring{with_normaliser(scoring, info.normaliser)}, {},
             {.enabled = scored,
              .checked = scoring.normaliser == info.normaliser,
              .separated = &info == &all_normalisers().front()});
  }
}

void add_positions(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit/Positions"};
  const KindInfo& kind = info_of(state.document.model);
  const bool chosen = kind.has_scores && kind.no_positions.empty();
  for (const PositionKindInfo& info : all_position_kinds()) {
    menu.add("position/" + std::string(info.name), info.label, info.sentence,
             command::SetPosition{usual_position(info.kind)}, {},
             {.enabled = chosen, .checked = state.document.position.kind == info.kind});
  }
}

// Shows the inputs, where the name is edited in the header.
void ask_feature_name(Ui& ui, const AppState& state) {
  Sides sides = state.preferences.sides;
  if (std::exchange(sides.left_folded, false)) ui.send(command::SetSides{sides});
  ui.send(command::AskFeatureName{true});
}

void add_inputs(Actions& actions, const AppState& state) {
  const Menu menu{actions, "Edit/Inputs"};
  const MatrixRef& shown = state.grid.matrix;
  const TensorList tensors =
      editable_tensors(state.document, block_of_path(shown.tensor).value_or(shown.at.layer));
  for (const TensorInfo& info : tensors) {
    menu.add("inputs/" + info.label, info.label, "Shows this matrix among the inputs",
             command::SelectMatrix{{info.path, shown.at}}, {},
             {.checked = shown.tensor == info.path});
  }
  const auto fill = [&](const char* id, const char* label, const char* help, Fill kind) {
    menu.add(id, label, help, command::FillMatrix{shown, kind}, {},
             {.enabled = !tensors.empty(), .separated = kind == Fill::RandomNormal});
  };
  menu.add("name_column", "Name the column…",
           "Names the feature of the selected cell's column wherever it occurs; an empty name "
           "removes it",
           [&state](Ui& ui) { ask_feature_name(ui, state); }, {},
           {.enabled = can_name_columns(state), .separated = true});
  fill("fill/random", "Fill at random", "Normally distributed numbers in the matrix that is shown",
       Fill::RandomNormal);
  fill("fill/zeros", "Fill with zeros", "Zeros in the matrix that is shown", Fill::Zeros);
  fill("fill/identity", "Fill with the identity", "Ones on the diagonal, zeros elsewhere",
       Fill::Identity);
}

}  // namespace

void add_edits(Actions& actions, const AppState& state) {
  add_history(actions, state);
  add_marked_token(actions, state);
  add_places(actions, state);
  const bool inspects = !inspected_cells(state).empty();
  add_clipboard(actions, state, inspects);
  add_numbers(actions, state, inspects);
  add_sums(actions, state, inspects);
  add_picture_and_windows(actions, state);
  add_masks(actions, state);
  add_mask_rules(actions, state);
  add_scoring(actions, state);
  add_positions(actions, state);
  add_inputs(actions, state);
}

}  // namespace attn::gui
