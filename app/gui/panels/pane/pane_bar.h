// The row above a plot: which plot, its most used options, a popup with all of them, and what can
// be done with the pane.
#pragma once

#include <string_view>

#include "gui/panels/pane/pane.h"

namespace attn::gui {

// Probe names: "plot/tab", "plot/values", "plot/colormap", …, "plot/options", "plot/split",
// "plot/maximise", "plot/close". What finds no room is among the options.
void pane_bar(const PaneScope& scope);

}  // namespace attn::gui
