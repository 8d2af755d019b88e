// Row of tabs of the open documents.
#pragma once

#include <string_view>

#include "gui/panels/controls/controls.h"
#include "session/state.h"

namespace attn::gui {

inline constexpr float kTabPadding = 12.0F;  // around its title, units
inline constexpr std::string_view kUnsavedMark = " •";

// Title being edited in place.
struct DocumentTabView {
  bool renaming = false;
  bool appeared = false;
  FieldInteraction title;
};

// A tab per document and "+" for a new one, on one line of `width_px`. A middle click or the cross
// closes a tab. Probe names: "tabs/INDEX" (value "on" for the selected one), "tabs/INDEX/close",
// "tabs/new".
void tab_row(Ui& ui, const AppState& state, DocumentTabView& view, float width_px);

}  // namespace attn::gui
