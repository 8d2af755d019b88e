// List of edits and list of messages.
#include <string>
#include <vector>

#include "gui/panels/controls/controls.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/shell/windows/overlays.h"
#include "gui/ui/style.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// State `index` of the document, with the edit that led to it.
void edit_row(Ui& ui, const std::string& label, std::size_t index, std::size_t current) {
  const bool present = index == current;
  ImGui::PushID(static_cast<int>(index));
  const ImVec2 size(0, ImGui::GetFrameHeight());
  ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, ImVec2(0.0F, 0.5F));
  const std::string title = control_label(label, {});
  const std::string text = item_label(ui.text(Wording::Label, title), title);
  const bool chosen = ImGui::Selectable(text.c_str(), present, 0, size);
  ImGui::PopStyleVar();
  ImGui::PopID();
  ui.mark("history/" + std::to_string(index), label);
  tooltip(ui, present ? "The current document" : "Brings the document back to this state");
  const int by = static_cast<int>(index) - static_cast<int>(current);
  if (chosen && !present) ui.send(command::StepEdit{by});
}

// From the first state to the last one that redo restores.
void edit_rows(Ui& ui, const AppState& state) {
  const std::vector<Snapshot>&past = state.history.past, &future = state.history.future;
  if (past.empty() && future.empty()) {
    return empty_hint(ui, "Nothing was edited yet");
  }
  edit_row(ui, "original", 0, past.size());
  for (std::size_t i = 0; i < past.size(); ++i) edit_row(ui, past[i].label, i + 1, past.size());
  for (std::size_t i = 0; i < future.size(); ++i) {
    edit_row(ui, future[future.size() - 1 - i].label, past.size() + 1 + i, past.size());
  }
}

const char* level_word(Notice::Level level) {
  if (level == Notice::Level::Error) return "Error";
  return level == Notice::Level::Warning ? "Warning" : "";
}

Color level_ink(const Ui& ui, Notice::Level level) {
  const UiColors colors = ui_colors(ui.theme);
  if (level == Notice::Level::Error) return colors.error;
  return level == Notice::Level::Warning ? colors.warning : colors.muted;
}

std::string whole_text(const Notice& notice) {
  return notice.details.empty() ? notice.text : notice.details;
}

void message_row(Ui& ui, const Notice& notice, std::size_t index) {
  const std::string name = "messages/" + std::to_string(index);
  const std::string level = level_word(notice.level);
  std::string text = level.empty() ? notice.text : level + ": " + notice.text;
  if (notice.count > 1) text += " ×" + std::to_string(notice.count);
  const float copy = button_width(ui, "Copy") + ImGui::GetStyle().ItemSpacing.x;
  ImGui::BeginGroup();
  rich_text(ui, text, kTextSize, level_ink(ui, notice.level),
            ImGui::GetContentRegionAvail().x - copy);
  ImGui::EndGroup();
  ui.mark(name, notice.text);
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - copy);
  if (button(ui, name + "/copy", "Copy",
             {.kind = ButtonKind::Quiet, .tooltip = "Copies the message with its details"})) {
    ImGui::SetClipboardText(whole_text(notice).c_str());
  }
  ImGui::Separator();
}

void message_rows(Ui& ui, const AppState& state) {
  if (state.messages.empty()) return empty_hint(ui, "There are no messages yet");
  if (button(ui, "messages/copy_all", "Copy all", {.tooltip = "Copies all messages"})) {
    std::string text;
    for (const Notice& notice : state.messages) text += whole_text(notice) + "\n";
    ImGui::SetClipboardText(text.c_str());
  }
  for (std::size_t i = state.messages.size(); i-- > 0;) message_row(ui, state.messages[i], i);
}

}  // namespace

void history_list(Ui& ui, const AppState& state) {
  closable_overlay(ui, state, Overlay::History, {"history", "Edits", ImVec2(420, 520)},
                   [&](bool) { edit_rows(ui, state); });
}

void message_list(Ui& ui, const AppState& state) {
  closable_overlay(ui, state, Overlay::Messages, {"messages", "Messages", ImVec2(560, 520)},
                   [&](bool) { message_rows(ui, state); });
}

}  // namespace attn::gui
