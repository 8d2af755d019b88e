// How plots and the window look.
#include <tuple>
#include <utility>

#include "figure/colormap.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/actions/action_lists.h"

namespace attn::gui {

void add_heatmap_view(Actions& actions, const AppState& state) {
  actions.push_back({.id = "fit",
                     .menu = "View",
                     .label = "Fit",
                     .help = "Shows the whole matrix",
                     .shortcuts = {typed('f')},
                     .enabled = focused_view(state).options.window.rows > 0.0,
                     .separated = true,
                     .run = sends(command::FitWindow{})});
  actions.push_back({.id = "values",
                     .menu = "View",
                     .label = "Values in the cells",
                     .help = "Numbers in the cells, when they fit",
                     .shortcuts = {typed('v')},
                     .checked = focused_view(state).options.values,
                     .run = sends(flipped(state, "values"))});
  actions.push_back({.id = "overview",
                     .menu = "View",
                     .label = "Overview in a corner",
                     .help = "All of the matrix, small, while only a part of it is in view",
                     .shortcuts = {typed('o')},
                     .enabled = shown_plot_uses(state, "overview"),
                     .checked = focused_view(state).options.overview,
                     .run = sends(flipped(state, "overview"))});
  actions.push_back({.id = "own_range",
                     .menu = "View",
                     .label = "Range of this head",
                     .help = "Colours of the weights from the smallest to the largest of this head",
                     .shortcuts = {typed('r')},
                     .enabled = focused_view(state).options.stage == Stage::Weights,
                     .checked = focused_view(state).options.range == ColorSpan::Head,
                     .run = sends(flipped(state, "own_range"))});
  actions.push_back({.id = "unpin",
                     .menu = "View",
                     .label = "Release pins",
                     .help = "Lets go of the pinned cells",
                     .shortcuts = {{.key = keys::kEscape}},
                     .enabled = !state.pins.empty(),
                     .run = sends(command::Unpin{})});
  for (const ColorMapChoice& choice : all_colormap_choices()) {
    actions.push_back({.id = "colormap/" + std::string(choice.name),
                       .menu = "View/Colour map",
                       .label = std::string(choice.label),
                       .help = "Colours of the heatmap",
                       .checked = focused_view(state).options.colormap == choice.name,
                       .run = sends(command::SetOption{"colormap", std::string(choice.name)})});
  }
}

void add_interface(Actions& actions, const AppState& state) {
  const Preferences& preferences = state.preferences;
  for (const auto& [id, label, theme] :
       {std::tuple{"dark", "Dark", ThemeKind::Dark}, {"light", "Light", ThemeKind::Light}}) {
    actions.push_back({.id = std::string("theme/") + id,
                       .menu = "View/Theme",
                       .label = label,
                       .help = "Colours of the window",
                       .checked = preferences.theme == theme,
                       .run = sends(command::SetTheme{theme})});
  }
  for (const auto& [label, scale] : {std::pair{"Automatic", 0.0},
                                     {"100 %", 1.0},
                                     {"125 %", 1.25},
                                     {"150 %", 1.5},
                                     {"200 %", 2.0}}) {
    actions.push_back({.id = "scale/" + std::to_string(static_cast<int>(scale * 100)),
                       .menu = "View/Interface scale",
                       .label = label,
                       .help = scale == 0.0 ? "As the display says" : "Size of texts and controls",
                       .checked = preferences.scale == scale,
                       .run = sends(command::SetInterfaceScale{scale})});
  }
}

}  // namespace attn::gui
