// The window of settings: each with what it is, searched by its words, and set back.
#pragma once

#include <string>

#include "gui/panels/controls/field_control.h"
#include "session/state.h"

namespace attn::gui {

struct SettingsView {
  bool was_open = false;
  std::string filter;
  FieldInteractions typing;
};

// Probe names: "settings", "settings/filter", "settings/FIELD", "settings/FIELD/reset",
// "settings/close".
void settings(Ui& ui, const AppState& state, SettingsView& view);

}  // namespace attn::gui
