// The open documents in a row of tabs.
#pragma once

#include "gui/panels/document_tab.h"

namespace attn::gui {

// One tab for each document, the one that is looked at among them (document_tab), and "+" for a new
// one, on one line of `width_px`. A middle click or the cross closes. Probe names: "tabs/INDEX"
// (value "on" for the one looked at), "tabs/INDEX/close", "tabs/new".
void tab_row(Ui& ui, const AppState& state, DocumentTabView& view, float width_px);

}  // namespace attn::gui
