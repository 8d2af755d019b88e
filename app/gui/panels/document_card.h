// What is open: its title, what to look at, and the examples to go on with.
#pragma once

#include "gui/panels/controls.h"
#include "session/state.h"

namespace attn::gui {

struct DocumentCardView {
  FieldInteraction title;
};

// Probe names begin with "document/": "document/title", "document/examples".
void document_card(Ui& ui, const AppState& state, DocumentCardView& view);

}  // namespace attn::gui
