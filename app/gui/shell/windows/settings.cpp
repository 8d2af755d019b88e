// Settings window: one row per described preference.
#include <algorithm>

#include "figure/letters.h"
#include "gui/panels/controls/controls.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/shell/windows/overlays.h"
#include "session/command.h"
#include "session/preferences.h"

namespace attn::gui {
namespace {

constexpr float kSettingLabel = 190.0F, kSettingControl = 170.0F;  // units
constexpr float kMinSettingControl = 60.0F;

bool matches(const FieldValue& field, const std::string& filter) {
  const std::string words = field.label + " " + field.help;
  return folded(words).find(folded(filter)) != std::string::npos;
}

void reset_button(Ui& ui, const Field<Preferences>& field, const std::string& text,
                  const std::string& name) {
  const std::string usual = field.get(Preferences{});
  ImGui::SameLine();
  const float width = button_width(ui, "Reset");
  ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - width);
  if (button(ui, name + "/reset", "Reset",
             {.kind = ButtonKind::Quiet,
              .tooltip = "Back to " + usual,
              .enabled = text != usual,
              .disabled_reason = "This is the default"})) {
    ui.send(command::SetPreference{std::string(field.name), usual});
  }
}

// Units between the label and the reset button.
float control_width(Ui& ui) {
  const float gaps = 2 * ImGui::GetStyle().ItemSpacing.x;
  const float space = ImGui::GetContentRegionAvail().x - button_width(ui, "Reset") - gaps;
  return std::clamp(space / ui.scale - kSettingLabel, kMinSettingControl, kSettingControl);
}

void setting_row(Ui& ui, const AppState& state, SettingsView& view,
                 const Field<Preferences>& field) {
  FieldValue value = value_of(field, state.preferences);
  value.moves = field.name != "scale";  // a drag would move its label away from the pointer
  if (!matches(value, view.filter)) return;
  const std::string name = "settings/" + std::string(field.name);
  const auto text =
      field_row(ui, name, value, view.typing, kSettingLabel, {.width = control_width(ui)});
  if (text) ui.send(command::SetPreference{std::string(field.name), *text});
  reset_button(ui, field, value.text, name);
  empty_hint(ui, value.help);
  ImGui::Spacing();
}

void contents(Ui& ui, const AppState& state, SettingsView& view, bool appearing) {
  if (appearing) {
    view.filter.clear();
    ImGui::SetKeyboardFocusHere();
  }
  line_field(ui, "settings/filter", view.filter, "Search settings", -1.0F);
  tooltip(ui, "Shows the settings with these letters");
  ImGui::Spacing();
  ImGui::BeginChild("settings/rows");
  for (const Field<Preferences>& field : preference_fields()) {
    setting_row(ui, state, view, field);
  }
  ImGui::EndChild();
}

}  // namespace

void settings(Ui& ui, const AppState& state, SettingsView& view) {
  closable_overlay(ui, state, Overlay::Settings, {"settings", "Settings", ImVec2(600, 760)},
                   [&](bool appearing) { contents(ui, state, view, appearing); });
}

}  // namespace attn::gui
