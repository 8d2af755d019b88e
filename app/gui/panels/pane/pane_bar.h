// The one row above a plot: which plot, its most used options, all of them, and what can be done
// with the pane.
#pragma once

#include <string_view>

#include "gui/panels/pane/pane.h"

namespace attn::gui {

// Probe names: "plot/tab", "plot/values", "plot/colormap", …, "plot/options", "plot/split",
// "plot/maximise", "plot/close". What finds no room is among the options.
void pane_bar(const PaneScope& scope);

// The control of one field: a check box, a list, or a field that says what it refuses. Probe:
// `name`.
void option_control(const PaneScope& scope, std::string_view name, const Field<ViewOptions>& field,
                    float width);

// Every option that changes the figure, in a popup that "plot/options" opens; the control of each
// is "plot/options/FIELD".
void open_options();
// Likewise, at the option that a command asked for; in the same window as options_popup.
void open_asked_option(const PaneScope& scope);
void options_popup(const PaneScope& scope);

}  // namespace attn::gui
