// The open document in the menu row: its title, whether it has unsaved edits, and what it is about.
#pragma once

#include <string_view>

#include "gui/panels/controls.h"
#include "session/state.h"

namespace attn::gui {

inline constexpr float kTabPadding = 12.0F;  // of its title, units
inline constexpr std::string_view kUnsavedMark = " •";

// The title while it is edited in place.
struct DocumentTabView {
  bool renaming = false;
  bool appeared = false;
  FieldInteraction title;
};

// In the menu row, at most `width_px` wide; a double-click edits the title. Probe:
// "document/title", value the title.
void document_tab(Ui& ui, const AppState& state, DocumentTabView& view, float width_px);

}  // namespace attn::gui
