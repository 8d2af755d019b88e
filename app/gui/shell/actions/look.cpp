// How plots and the window look.
#include <tuple>
#include <utility>

#include "figure/colormap.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/actions/action_lists.h"

namespace attn::gui {

namespace {

void add_pans(Actions& actions, const AppState& state) {
  struct Way {
    const char* id;
    const char* label;
    const char* key;
    double down, right;
  };
  constexpr Way kWays[] = {{"pan_left", "Move left", "Left", 0.0, -0.5},
                           {"pan_right", "Move right", "Right", 0.0, 0.5},
                           {"pan_up", "Move up", "Up", -0.5, 0.0},
                           {"pan_down", "Move down", "Down", 0.5, 0.0}};
  for (const Way& way : kWays) {
    actions.push_back({.id = way.id,
                       .menu = "View/Part in view",
                       .label = way.label,
                       .help = "Half of what is in view; arrows move it by less",
                       .field_shortcut = way.key,
                       .enabled = focused_view(state).options.window.rows > 0.0,
                       .run = sends(command::Pan{way.down, way.right})});
  }
}

void add_part_steps(Actions& actions, const AppState& state) {
  const Trail& trail = trail_in_view(state);
  for (const bool back : {true, false}) {
    const bool possible = !(back ? trail.past : trail.future).empty();
    const char* help = back ? "The part of the matrix that was in view before"
                            : "The part in view that going back has left";
    const char* reason =
        back ? "Nothing else was in view of this matrix before" : "Going back has left nothing";
    actions.push_back(
        {.id = back ? "part_back" : "part_forward",
         .menu = "View/Part in view",
         .label = back ? "View back" : "View forward",
         .help = possible ? help : reason,
         .shortcuts = {{.key = keys::kBackspace, .shift = !back},
                       {.key = back ? keys::kLeft : keys::kRight, .ctrl = true, .alt = true},
                       {.mouse = back ? 3 : 4}},
         .enabled = possible,
         .separated = back,
         .run = sends(command::StepPart{back ? -1 : 1})});
  }
}

void add_visions(Actions& actions, const AppState& state) {
  for (const ColorVisionInfo& info : all_color_visions()) {
    actions.push_back({.id = "simulate/" + std::string(info.name),
                       .menu = "View/Simulate",
                       .label = std::string(info.label),
                       .help = std::string(info.help),
                       .checked = state.preferences.vision == info.vision,
                       .run = sends(command::SetPreference{"simulate", std::string(info.name)})});
  }
}

void add_zooms(Actions& actions, const AppState& state) {
  actions.push_back({.id = "fit",
                     .menu = "View",
                     .label = "Fit",
                     .help = "Shows the whole matrix",
                     .shortcuts = {typed('f')},
                     .enabled = focused_view(state).options.window.rows > 0.0,
                     .separated = true,
                     .run = sends(command::FitWindow{})});
  for (const bool in : {true, false}) {
    actions.push_back(
        {.id = in ? "zoom_in" : "zoom_out",
         .menu = "View/Part in view",
         .label = in ? "Zoom in" : "Zoom out",
         .help = "About the pinned cell, or the middle",
         .shortcuts = in ? std::vector{typed('+'), typed('=')} : std::vector{typed('-')},
         .enabled = in || focused_view(state).options.window.rows > 0.0,
         .run = sends(command::Zoom{in ? 1.25 : 0.8})});
  }
}

void add_seen(Actions& actions, const AppState& state) {
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
                     .enabled = shown_plot_uses(state, Option::Overview),
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
  const bool has_pins = !state.pins.empty() || state.marked_token;
  const command::DismissNotice dismissed{state.notices.empty() ? 0 : state.notices.back().id};
  actions.push_back({.id = "unpin",
                     .menu = "View",
                     .label = "Release pins and marks",
                     .help = "Lets go of the pinned cells and the marked token; then of a message",
                     .shortcuts = {{.key = keys::kEscape}},
                     .enabled = has_pins || !state.notices.empty(),
                     .run = sends(has_pins ? Command(command::Unpin{}) : Command(dismissed))});
}

void add_color_maps(Actions& actions, const AppState& state) {
  actions.push_back({.id = "safe_colors",
                     .menu = "View/Colour map",
                     .label = "Colours safe for colour-blind eyes",
                     .help = "Cividis, and back to the map that was there before",
                     .shortcuts = {typed('C')},
                     .enabled = shown_plot_uses(state, Option::Colormap),
                     .checked = focused_view(state).options.colormap == kSafeColormap,
                     .run = sends(command::ToggleSafeColors{})});
  for (const ColorMapChoice& choice : all_colormap_choices()) {
    actions.push_back({.id = "colormap/" + std::string(choice.name),
                       .menu = "View/Colour map",
                       .label = std::string(choice.label),
                       .help = "Colours of the heatmap",
                       .checked = focused_view(state).options.colormap == choice.name,
                       .run = sends(command::SetOption{"colormap", std::string(choice.name)})});
  }
}

}  // namespace

void add_heatmap_view(Actions& actions, const AppState& state) {
  add_zooms(actions, state);
  add_pans(actions, state);
  add_part_steps(actions, state);
  add_seen(actions, state);
  add_color_maps(actions, state);
}

void add_interface(Actions& actions, const AppState& state) {
  const Preferences& preferences = state.preferences;
  for (const ThemeInfo& theme : all_themes()) {
    if (!theme.of_windows) continue;
    actions.push_back({.id = "theme/" + std::string(theme.name),
                       .menu = "View/Theme",
                       .label = std::string(theme.label),
                       .help = "Colours of the window",
                       .checked = preferences.theme == theme.kind,
                       .run = sends(command::SetTheme{theme.kind})});
  }
  add_visions(actions, state);
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
