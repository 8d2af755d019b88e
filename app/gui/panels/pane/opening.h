// Where what is clicked in a plot opens: in a heatmap beside it, or else in the same pane.
#pragma once

#include "gui/panels/pane/pane.h"

namespace attn::gui {

void open_stage(const PaneScope& scope, Stage stage);
void open_weights(const PaneScope& scope, const HeadAddress& head);

}  // namespace attn::gui
