// The open documents in a row of tabs.
#pragma once

#include <string_view>

#include "gui/panels/controls/controls.h"
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

// One tab for each document, the one that is looked at among them (document_tab), and "+" for a new
// one, on one line of `width_px`. A middle click or the cross closes. Probe names: "tabs/INDEX"
// (value "on" for the one looked at), "tabs/INDEX/close", "tabs/new".
void tab_row(Ui& ui, const AppState& state, DocumentTabView& view, float width_px);

}  // namespace attn::gui
