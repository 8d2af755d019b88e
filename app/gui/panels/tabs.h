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

float text_width(const Ui& ui, std::string_view text);  // of a tab, pixels

// The name as far as a tab of that width has room for it, with the mark of unsaved changes.
std::string tab_text(const Ui& ui, const std::string& name, bool is_unsaved, float width_px);

// In the menu row, at most `width_px` wide; a double-click edits the title. Probe:
// "document/title", value its name.
void document_tab(Ui& ui, const AppState& state, DocumentTabView& view, float width_px);

// One tab for each document, the one that is looked at among them (document_tab), and "+" for a new
// one, on one line of `width_px`. A middle click or the cross closes. Probe names: "tabs/INDEX"
// (value "on" for the one looked at), "tabs/INDEX/close", "tabs/new".
void tab_row(Ui& ui, const AppState& state, DocumentTabView& view, float width_px);

}  // namespace attn::gui
