// Cells by keyboard: arrows walk the pinned one, or move the part in view.
#pragma once

#include "gui/panels/pane/pane.h"

namespace attn::gui {

// Whether keys without Ctrl or Alt mean this pane: it has the focus, and nothing covers it or takes
// them itself.
bool has_plain_keys(const PaneScope& scope);

// Arrows walk the first pin, with Shift a second one; Home and End go to the ends of its row. With
// no pin they move the part in view, and of a matrix that is seen whole pin its first cell.
// `matrix`: whose cells the plot shows; null: none.
void cell_keys(const PaneScope& scope, const MatrixItem* matrix);

}  // namespace attn::gui
