// Undo, the clipboard and the mask.
#include "base/number_text.h"
#include "gui/panels/copying.h"
#include "gui/panels/inspector/inspector.h"
#include "gui/panels/matrices.h"
#include "gui/panels/rules/masks.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/actions/action_lists.h"

namespace attn::gui {
namespace {

std::string with_label(const std::string& verb, const std::vector<Snapshot>& snapshots) {
  return snapshots.empty() ? verb : verb + " " + snapshots.back().label;
}

void add_history(Actions& actions, const AppState& state) {
  actions.push_back({.id = "undo",
                     .menu = "Edit",
                     .label = with_label("Undo", state.history.past),
                     .help = "Takes the last edit back",
                     .shortcuts = {ctrl('Z')},
                     .enabled = !state.history.past.empty(),
                     .run = sends(command::Undo{})});
  actions.push_back({.id = "redo",
                     .menu = "Edit",
                     .label = with_label("Redo", state.history.future),
                     .help = "Does again what was taken back",
                     .shortcuts = {ctrl('Y'), ctrl_shift('Z')},
                     .enabled = !state.history.future.empty(),
                     .run = sends(command::Redo{})});
}

// What is done with the token that is marked in its list or at a plot.
void add_marked_token(Actions& actions, const AppState& state) {
  const TokenHit token = state.marked_token.value_or(TokenHit{});
  const std::size_t count = tokens_of(state.document, token.side, token.sample).size();
  const auto add = [&](const char* id, const char* label, const char* help, bool possible,
                       Command command) {
    actions.push_back({.id = id,
                       .menu = "Edit/Token",
                       .label = label,
                       .help = help,
                       .enabled = state.marked_token && possible,
                       .run = sends(std::move(command))});
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
  actions.push_back({.id = "history",
                     .menu = "Edit",
                     .label = "All edits…",
                     .help = "The list of edits, to go back to any of them",
                     .enabled = !state.history.past.empty() || !state.history.future.empty(),
                     .run = sends(command::ShowOverlay{Overlay::History})});
  actions.push_back({.id = "find",
                     .menu = "Edit",
                     .label = "Find a token…",
                     .help = "Marks tokens by their text",
                     .shortcuts = {ctrl('F')},
                     .separated = true,
                     .run = sends(command::ShowFind{true})});
  for (const int by : {1, -1}) {
    actions.push_back({.id = by > 0 ? "find_next" : "find_previous",
                       .menu = "Edit",
                       .label = by > 0 ? "Find next" : "Find previous",
                       .help = "Marks another token with the text that was searched",
                       .shortcuts = {{.key = keys::kF1 + 2, .shift = by < 0}},
                       .enabled = !state.find.text.empty(),
                       .run = sends(command::Find{state.find.text, by})});
  }
  actions.push_back({.id = "go_to",
                     .menu = "Edit",
                     .label = "Go to…",
                     .help = "A row, column, cell, head, layer or sample by its number",
                     .shortcuts = {ctrl('G')},
                     .run = sends(command::ShowOverlay{Overlay::GoTo})});
}

void paste_cells(Ui& ui, const AppState& state) {
  const char* text = ImGui::GetClipboardText();
  ui.send(paste_at_selection(state, text == nullptr ? "" : text));
}

void copy_sentence(Ui& ui, const AppState& state) {
  const std::string sentence = inspected_sentence(state);
  ImGui::SetClipboardText(sentence.c_str());
  ui.send(command::Notify{Notice::Level::Info, "Copied: " + sentence, ""});
}

void add_clipboard(Actions& actions, const AppState& state, bool inspects) {
  actions.push_back(
      {.id = "copy_cells",
       .menu = "Edit",
       .label = "Copy cells",
       .help = "Copies the selected inputs as tab-separated text",
       .field_shortcut = "Ctrl+C",
       .separated = true,
       .run = [&state](Ui&) { ImGui::SetClipboardText(selected_block_text(state).c_str()); }});
  actions.push_back({.id = "paste_cells",
                     .menu = "Edit",
                     .label = "Paste cells",
                     .help = "Writes tab-separated numbers at the selected input cell",
                     .field_shortcut = "Ctrl+V",
                     .run = [&state](Ui& ui) { paste_cells(ui, state); }});
  for (const bool down : {true, false}) {
    actions.push_back({.id = down ? "fill_down" : "fill_right",
                       .menu = "Edit",
                       .label = down ? "Fill down" : "Fill right",
                       .help = down ? "The first row of the selected inputs in all of their rows"
                                    : "The first column of the selected inputs in all columns",
                       .shortcuts = {ctrl(down ? 'D' : 'R')},
                       .enabled = can_fill(state, down),
                       .run = [&state, down](Ui& ui) { ui.send(fill_selection(state, down)); }});
  }
  actions.push_back({.id = "copy_sentence",
                     .menu = "Edit",
                     .label = "Copy sentence",
                     .help = "Copies what the inspector says about the cell",
                     .shortcuts = {ctrl_shift('C')},
                     .enabled = inspects,
                     .run = [&state](Ui& ui) { copy_sentence(ui, state); }});
}

void copy_numbers(Ui& ui, const AppState& state, const CopiedPartInfo& part,
                  const NumberFormat& format) {
  const Result<NumberTable> numbers = copied_numbers(state, part.part);
  if (!numbers) {
    return ui.send(command::Notify{Notice::Level::Warning, describe(numbers.error()),
                                   describe_in_full(numbers.error())});
  }
  ImGui::SetClipboardText(format.write(*numbers).c_str());
  const std::size_t count = numbers->rows * numbers->cols;
  ui.send(command::Notify{Notice::Level::Info,
                          "Copied " + grouped_text(count) + (count == 1 ? " number" : " numbers") +
                              " as " + std::string(format.label),
                          ""});
}

void add_numbers(Actions& actions, const AppState& state, bool inspects) {
  for (const CopiedPartInfo& part : all_copied_parts()) {
    for (const NumberFormat& format : all_number_formats()) {
      actions.push_back(
          {.id = "copy_numbers/" + std::string(part.name) + "/" + std::string(format.name),
           .menu = "Edit/Copy numbers/" + std::string(part.label),
           .label = std::string(part.label) + " as " + std::string(format.label),
           .help = std::string(format.help),
           .enabled = state.result != nullptr && (inspects || !part.needs_cell),
           .run = [&state, &part, &format](Ui& ui) { copy_numbers(ui, state, part, format); }});
    }
  }
}

void add_picture(Actions& actions, const AppState& state) {
  const bool possible = !state.picture_helper.empty();
  actions.push_back({.id = "copy_figure",
                     .menu = "Edit",
                     .label = "Copy the figure",
                     .help = possible ? "As a picture, the same as an export"
                                      : "Pictures are copied by xclip or wl-copy: neither is here",
                     .enabled = possible && state.result != nullptr,
                     .run = sends(command::CopyFigure{})});
}

void copy_sum(Ui& ui, const AppState& state, const SumFormat& format) {
  const std::string text = inspected_sum_text(state, format);
  if (text.empty()) {
    return ui.send(
        command::Notify{Notice::Level::Warning, "Nothing is summed up in this cell", ""});
  }
  ImGui::SetClipboardText(text.c_str());
  ui.send(
      command::Notify{Notice::Level::Info, "Copied the sum as " + std::string(format.label), ""});
}

void add_sums(Actions& actions, const AppState& state, bool inspects) {
  for (const SumFormat& format : all_sum_formats()) {
    actions.push_back({.id = "copy_sum/" + std::string(format.name),
                       .menu = "Edit/Copy the sum",
                       .label = "As " + std::string(format.label),
                       .help = "Copies how the number of the cell came about",
                       .enabled = inspects,
                       .run = [&state, &format](Ui& ui) { copy_sum(ui, state, format); }});
  }
}

void add_what_it_is_built_of(Actions& actions) {
  actions.push_back({.id = "sentence",
                     .menu = "Edit",
                     .label = "Type a sentence…",
                     .help = "Replaces the tokens by those of a text",
                     .shortcuts = {ctrl_shift('E')},
                     .separated = true,
                     .run = sends(command::ShowOverlay{Overlay::Sentence})});
  actions.push_back({.id = "structure",
                     .menu = "Edit",
                     .label = "Structure…",
                     .help = "The kind of model, heads, widths, layers, samples, sequences",
                     .shortcuts = {ctrl_shift('D')},
                     .run = sends(command::ShowOverlay{Overlay::Structure})});
}

void add_masks(Actions& actions, const AppState& state) {
  const bool painting = state.tool == Tool::PaintMask;
  actions.push_back({.id = "causal",
                     .menu = "Edit",
                     .label = "Causal mask",
                     .help = "Hides later keys from each query",
                     .shortcuts = {typed('c')},
                     .checked = shown_mask(state).causal,
                     .separated = true,
                     .run = sends(command::SetCausal{!shown_mask(state).causal})});
  actions.push_back({.id = "paint_mask",
                     .menu = "Edit",
                     .label = "Paint mask",
                     .help = "Click or drag over cells of the heatmap to hide or show them",
                     .shortcuts = {typed('m')},
                     .checked = painting,
                     .run = sends(command::SetTool{painting ? Tool::Inspect : Tool::PaintMask})});
  actions.push_back({.id = "clear_painted",
                     .menu = "Edit",
                     .label = "Clear painted",
                     .help = "Shows every cell that was hidden by hand, in all samples",
                     .enabled = !shown_mask(state).visible.empty(),
                     .run = sends(command::ClearPainted{})});
  actions.push_back({.id = "clear_mask",
                     .menu = "Edit",
                     .label = "Clear all masks",
                     .help = "Removes every rule and bias, in all samples",
                     .enabled = shown_mask(state) != Mask{},
                     .run = sends(command::ClearMask{})});
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
  add_picture(actions, state);
  add_what_it_is_built_of(actions);
  add_masks(actions, state);
}

}  // namespace attn::gui
