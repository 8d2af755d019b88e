// Actions that walk what is looked at, and those of the window's frame.
#include <algorithm>

#include "base/number_text.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/actions/action_lists.h"

namespace attn::gui {
namespace {

void add_stage_step(Actions& actions, const AppState& state, bool forward) {
  const std::vector<Stage>& stages = shown_result(state).stages();
  const auto at = std::ranges::find(stages, focused_view(state).options.stage);
  const auto index = static_cast<std::size_t>(at - stages.begin());
  const bool possible = at != stages.end() && (forward ? index + 1 < stages.size() : index > 0);
  const Stage next = possible ? stages[forward ? index + 1 : index - 1] : stages.front();
  actions.push_back({.id = forward ? "next_stage" : "previous_stage",
                     .menu = "View/Stage",
                     .label = forward ? "Next stage" : "Previous stage",
                     .help = "Walks the stages in order of computation",
                     .shortcuts = {{.key = forward ? keys::kRight : keys::kLeft, .alt = true}},
                     .enabled = possible,
                     .separated = !forward,
                     .run = sends(command::SelectStage{next})});
}

void add_layers(Actions& actions, const AppState& state) {
  const std::size_t layers = shown_shape(state).layers;
  const auto add = [&](const char* id, const char* label, int key, std::size_t by) {
    HeadAddress address = focused_view(state).options.at;
    address.layer = (address.layer + by) % std::max<std::size_t>(layers, 1);
    actions.push_back({.id = id,
                       .menu = "View/Layer",
                       .label = label,
                       .help = "Shows the same head of another layer",
                       .shortcuts = {{.key = key}},
                       .enabled = layers > 1 && why_idle(state, "layer").empty(),
                       .run = sends(command::SelectHead{address})});
  };
  add("previous_layer", "Previous layer", keys::kPageUp, std::max<std::size_t>(layers, 1) - 1);
  add("next_layer", "Next layer", keys::kPageDown, 1);
}

void add_samples(Actions& actions, const AppState& state) {
  const std::size_t samples = shown_shape(state).samples;
  for (std::size_t sample = 0; sample < samples && samples > 1; ++sample) {
    HeadAddress address = focused_view(state).options.at;
    const bool shown = address.sample == sample;
    address.sample = sample;
    actions.push_back({.id = "sample/" + std::to_string(sample),
                       .menu = "View/Sample",
                       .label = "Sample " + std::to_string(sample + 1),
                       .help = "Shows this sample",
                       .checked = shown,
                       .run = sends(command::SelectHead{address})});
  }
}

constexpr double kScales[] = {0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0};

// The next larger or smaller scale; the same at either end.
double next_scale(double scale, bool larger) {
  constexpr double kSame = 0.01;
  if (larger) {
    const auto next = std::ranges::find_if(kScales, [&](double s) { return s > scale + kSame; });
    return next == std::end(kScales) ? std::min(scale, kLargestScale) : *next;
  }
  double smaller = scale;
  for (const double known : kScales) {
    if (known < scale - kSame) smaller = known;
  }
  return smaller;
}

}  // namespace

void add_walks(Actions& actions, const AppState& state) {
  if (state.result) {
    add_stage_step(actions, state, false);
    add_stage_step(actions, state, true);
  }
  add_layers(actions, state);
  add_samples(actions, state);
}

void add_sides(Actions& actions, const AppState& state) {
  const auto side = [&](const char* id, const char* label, const char* help, char key,
                        bool Sides::*folded) {
    Sides sides = state.preferences.sides;
    sides.*folded = !state.plot_alone && !(sides.*folded);
    actions.push_back({.id = id,
                       .menu = "View",
                       .label = label,
                       .help = help,
                       .shortcuts = {ctrl(key)},
                       .checked = sides.*folded,
                       .separated = key == 'B',
                       .run = sends(command::SetSides{sides})});
  };
  side("left_side", "Left side", "Shows or folds tokens and inputs", 'B', &Sides::left_folded);
  side("right_side", "Right side", "Shows or folds inspector and rules", 'J', &Sides::right_folded);
}

void add_reset_layout(Actions& actions) {
  actions.push_back(
      {.id = "reset_layout",
       .menu = "View",
       .label = "Reset layout",
       .help = "One pane with what is looked at, and both sides as at the first start",
       .run = sends(command::ResetLayout{})});
}

void add_pane_alone(Actions& actions, const AppState& state) {
  const bool alone = state.plot_alone;
  actions.push_back({.id = "pane_alone",
                     .menu = "View",
                     .label = "Show only the plot",
                     .help = "Folds both sides and shows one pane alone, or brings all back",
                     .shortcuts = {{.key = keys::kF1 + 10}},
                     .checked = alone,
                     .run = sends(command::ShowPlotAlone{!alone})});
}

void add_scale_steps(Actions& actions) {
  const auto add = [&](const char* id, const char* label, const std::vector<Shortcut>& keys,
                       auto scale) {
    actions.push_back({.id = id,
                       .menu = "View/Interface scale",
                       .label = label,
                       .help = "Size of texts and controls",
                       .shortcuts = keys,
                       .separated = std::string_view(id) == "scale/larger",
                       .run = [scale](Ui& ui) {
                         ui.send(command::SetPreference{"scale", plain_text(scale(ui))});
                       }});
  };
  add("scale/larger", "Larger",
      {ctrl(keys::kEqual), ctrl_shift(keys::kEqual), ctrl(keys::kKeypadAdd)},
      [](const Ui& ui) { return next_scale(static_cast<double>(ui.scale), true); });
  add("scale/smaller", "Smaller", {ctrl(keys::kMinus), ctrl(keys::kKeypadSubtract)},
      [](const Ui& ui) { return next_scale(static_cast<double>(ui.scale), false); });
  add("scale/usual", "As the display says", {ctrl('0')}, [](const Ui& /*ui*/) { return 0.0; });
}

}  // namespace attn::gui
