#include "gui/shell/menus.h"

#include "gui/panels/controls.h"

namespace attn::gui {
namespace {

void menu_item(Ui& ui, const Action& action) {
  const std::string shortcut = action.shortcuts.empty() ? std::string(action.field_shortcut)
                                                        : shortcut_text(action.shortcuts.front());
  const std::string label = action.label + "###" + action.id;
  const bool chosen = ImGui::MenuItem(label.c_str(), shortcut.c_str(),
                                      action.checked.value_or(false), action.enabled);
  ui.mark("menu/" + action.menu + "/" + action.id, action.label, action.enabled);
  tooltip(ui, action.help);
  if (chosen) action.run(ui);
}

// Everything of one submenu, drawn where its first action stands.
void submenu(Ui& ui, const std::vector<Action>& actions, const std::string& path) {
  const std::string label = path.substr(path.find('/') + 1);
  const bool open = ImGui::BeginMenu(label.c_str());
  ui.mark("menu/" + path);
  if (!open) return;
  for (const Action& action : actions) {
    if (action.menu != path) continue;
    if (action.separated) ImGui::Separator();
    menu_item(ui, action);
  }
  ImGui::EndMenu();
}

void menu(Ui& ui, const std::vector<Action>& actions, std::string_view name) {
  std::vector<std::string> drawn;
  for (const Action& action : actions) {
    const bool below = action.menu.starts_with(std::string(name) + "/");
    if (below) {
      if (!drawn.empty() && drawn.back() == action.menu) continue;
      drawn.push_back(action.menu);
      submenu(ui, actions, action.menu);
    } else if (action.menu == name) {
      if (action.separated) ImGui::Separator();
      menu_item(ui, action);
    }
  }
}

}  // namespace

void menu_bar(Ui& ui, const std::vector<Action>& actions) {
  if (!ImGui::BeginMenuBar()) return;
  for (const std::string_view name : menu_names()) {
    const bool open = ImGui::BeginMenu(std::string(name).c_str());
    ui.mark("menu/" + std::string(name));
    if (!open) continue;
    menu(ui, actions, name);
    ImGui::EndMenu();
  }
  ImGui::EndMenuBar();
}

}  // namespace attn::gui
