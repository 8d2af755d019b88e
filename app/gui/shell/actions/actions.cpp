// Every action, as the state has it.
#include "gui/shell/actions/actions.h"

#include "gui/platform/imgui_compat.h"
#include "gui/shell/actions/action_lists.h"

namespace attn::gui {
namespace {

void add_help(Actions& actions) {
  actions.push_back({.id = "start_page",
                     .menu = "Help",
                     .label = "Start page",
                     .help = "Recent files, and all examples with what they show",
                     .run = sends(command::ShowOverlay{Overlay::Start})});
  actions.push_back({.id = "guide",
                     .menu = "Help",
                     .label = "Guide",
                     .help = "What a document can say, and what every stage and measure is",
                     .run = sends(command::ShowOverlay{Overlay::Guide})});
  actions.push_back({.id = "palette",
                     .menu = "Help",
                     .label = "Command palette…",
                     .help = "Finds any command by its name",
                     .shortcuts = {ctrl_shift('P'), ctrl('K')},
                     .separated = true,
                     .run = sends(command::ShowOverlay{Overlay::Palette})});
  actions.push_back({.id = "shortcuts",
                     .menu = "Help",
                     .label = "Keyboard shortcuts",
                     .help = "Lists every shortcut",
                     .shortcuts = {{.key = keys::kF1}, typed('?')},
                     .run = sends(command::ShowOverlay{Overlay::Shortcuts})});
  actions.push_back({.id = "messages",
                     .menu = "Help",
                     .label = "Messages",
                     .help = "All that the program has said",
                     .run = sends(command::ShowOverlay{Overlay::Messages})});
  actions.push_back({.id = "about",
                     .menu = "Help",
                     .label = "About AttnScope",
                     .help = "Version, libraries and their licences, and what draws the window",
                     .run = sends(command::ShowOverlay{Overlay::About})});
}

constexpr std::string_view kMenus[] = {"File", "Edit", "View", "Help"};

}  // namespace

std::vector<Action> all_actions(const AppState& state) {
  Actions actions;
  add_files(actions, state);
  add_edits(actions, state);
  add_rules(actions, state);
  add_views(actions, state);
  add_walks(actions, state);
  add_comparison(actions, state);
  add_heatmap_view(actions, state);
  add_options(actions, state);
  add_sides(actions, state);
  add_reset_layout(actions);
  add_pane_alone(actions, state);
  add_interface(actions, state);
  add_scale_steps(actions);
  add_help(actions);
  return actions;
}

std::span<const std::string_view> menu_names() { return kMenus; }

}  // namespace attn::gui
