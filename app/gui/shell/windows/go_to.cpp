// The field for a place, with what it means below it.
#include "gui/shell/windows/go_to.h"

#include <utility>

#include "gui/panels/controls.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/windows/overlay_window.h"
#include "session/command.h"
#include "session/place.h"

namespace attn::gui {
namespace {

std::string reason(const Error& error) {
  return control_label(error.message, {}) + (error.hint.empty() ? "" : "; " + error.hint);
}

void meaning(Ui& ui, const GoToView& view, const AppState& state,
             const Result<command::GoTo>& place) {
  const bool typed = !view.text.empty();
  const std::string text = place ? place_text(state, *place)
                           : typed
                               ? reason(place.error())
                               : "A row, “row, column”, or words: head 3, layer 2 head 1, key 4";
  ImGui::PushTextWrapPos(0.0F);
  rich_text(ui, ui.say(Wording::Explanation, text), kTextSize,
            place ? ui.colors().ink : ui.colors().muted);
  ImGui::PopTextWrapPos();
  ui.mark("go_to/meaning", text);
}

// True when the window is to close.
bool contents(Ui& ui, const AppState& state, GoToView& view, bool appearing) {
  if (appearing || std::exchange(view.focus, false)) ImGui::SetKeyboardFocusHere();
  const TextInputResult typed =
      line_field(ui, "go_to/place", view.text, "Row, column or head", -1.0F);
  tooltip(ui, "A number, a pair of them, or words such as “head 3”");
  const Result<command::GoTo> place = parse_place(state, view.text);
  meaning(ui, view, state, place);
  ImGui::Spacing();
  const bool pressed = button(ui, "go_to/go", "Go",
                              {.kind = ButtonKind::Primary,
                               .tooltip = "Brings the place into view, and pins a cell",
                               .shortcut = "Enter",
                               .enabled = place.ok(),
                               .disabled_reason = "Name a place first"});
  if ((pressed || typed.entered) && place) {
    ui.send(command::GoTo{*place});
    return true;
  }
  view.focus = typed.entered;
  return typed.cancelled || key_pressed(keys::kEscape, false);
}

}  // namespace

void go_to(Ui& ui, const AppState& state, GoToView& view) {
  const bool open = state.overlay == Overlay::GoTo;
  const bool appearing = open && !view.was_open;
  view.was_open = open;
  if (!open) return;
  if (appearing) view.text.clear();
  OverlayPlace place = centred_overlay(ui, ImVec2(440, 150));
  place.at.y = ImGui::GetIO().DisplaySize.y * 0.12F;
  place.pivot.y = 0.0F;
  begin_overlay(ui, "go_to", place);
  section_header(ui, "Go to");
  const bool close = contents(ui, state, view, appearing);
  end_overlay();
  if (close) ui.send(command::ShowOverlay{});
}

}  // namespace attn::gui
