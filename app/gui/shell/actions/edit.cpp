// Undo, the clipboard and the mask.
#include "gui/panels/inspector/inspector.h"
#include "gui/panels/matrices.h"
#include "gui/panels/rules/masks.h"
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

void paste_cells(Ui& ui, const AppState& state) {
  const char* text = ImGui::GetClipboardText();
  ui.send(paste_at_selection(state, text == nullptr ? "" : text));
}

void copy_sentence(Ui& ui, const AppState& state) {
  const std::string sentence = inspected_sentence(state);
  ImGui::SetClipboardText(sentence.c_str());
  ui.send(command::Notify{Notice::Level::Info, "Copied: " + sentence, ""});
}

void add_clipboard(Actions& actions, const AppState& state) {
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
  actions.push_back({.id = "copy_sentence",
                     .menu = "Edit",
                     .label = "Copy sentence",
                     .help = "Copies what the inspector says about the cell",
                     .shortcuts = {ctrl_shift('C')},
                     .enabled = !inspected_cells(state).empty(),
                     .run = [&state](Ui& ui) { copy_sentence(ui, state); }});
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
  add_clipboard(actions, state);
  add_masks(actions, state);
}

}  // namespace attn::gui
