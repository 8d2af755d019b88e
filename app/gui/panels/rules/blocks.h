// What is around the attention of transformer blocks: norms, activation, how many blocks.
#pragma once

#include "gui/panels/controls/option_rows.h"
#include "session/state.h"

namespace attn::gui {

bool has_blocks(const Document& document);

// Probe names begin with "blocks/": "blocks/order/Pre", "blocks/activation", "blocks/add".
// Precondition: has_blocks.
void blocks_panel(Ui& ui, const AppState& state, FieldInteractions& fields);

}  // namespace attn::gui
