// Which actions belong to what, and their menu.
#include "gui/shell/context_menu.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "gui/shell/menus.h"
#include "gui/ui/widgets.h"

namespace attn::gui {
namespace {

// Names of actions; one that ends in '/' stands for all that begin with it, as a menu of their own.
constexpr std::string_view kPlot[] = {
    "copy_sentence", "copy_numbers/", "copy_sum/",  "copy_figure", "-",     "unpin", "fit",
    "zoom_in",       "zoom_out",      "-",          "go_to",       "find",  "-",     "split_right",
    "split_down",    "maximise_pane", "close_pane", "-",           "export"};
constexpr std::string_view kTokens[] = {"delete_token",
                                        "move_token_up",
                                        "move_token_down",
                                        "-",
                                        "sentence",
                                        "structure",
                                        "-",
                                        "find",
                                        "-",
                                        "unpin",
                                        "-",
                                        "undo",
                                        "redo"};
constexpr std::string_view kTab[] = {"close_document", "close_others", "reopen_document", "-",
                                     "copy_path",      "reload"};
constexpr std::string_view kInputs[] = {"copy_cells",  "paste_cells", "fill_down", "fill_right",
                                        "name_column", "-",           "structure", "-",
                                        "undo",        "redo"};
constexpr std::string_view kStage[] = {"copy_numbers/", "-", "previous_stage",
                                       "next_stage",    "-", "export"};
constexpr std::string_view kInspector[] = {"copy_sentence", "copy_sum/", "copy_numbers/", "-",
                                           "unpin"};

std::span<const std::string_view> entries_of(ContextKind kind) {
  switch (kind) {
    case ContextKind::Plot:
      return kPlot;
    case ContextKind::Tokens:
      return kTokens;
    case ContextKind::Inputs:
      return kInputs;
    case ContextKind::Stages:
      return kStage;
    case ContextKind::Tab:
      return kTab;
    case ContextKind::Inspector:
      break;
  }
  return kInspector;
}

// Submenus carry the last part of the menus that their actions are in.
void entries_below(Ui& ui, const std::vector<Action>& actions, std::string_view prefix) {
  const auto first = std::ranges::find_if(
      actions, [&](const Action& action) { return action.id.starts_with(prefix); });
  if (first == actions.end()) return;
  const std::string label = first->menu.substr(first->menu.find('/') + 1);
  const std::string title = label.substr(0, label.find('/'));
  const bool open = ImGui::BeginMenu(item_label(ui.say(Wording::Label, title), title).c_str());
  ui.mark("context/" + std::string(prefix));
  if (!open) return;
  for (const Action& action : actions) {
    if (action.id.starts_with(prefix)) menu_item(ui, action, "context/");
  }
  ImGui::EndMenu();
}

void entries(Ui& ui, const std::vector<Action>& actions, ContextKind kind) {
  for (const std::string_view entry : entries_of(kind)) {
    if (entry == "-") {
      ImGui::Separator();
    } else if (entry.ends_with('/')) {
      entries_below(ui, actions, entry);
    } else if (const auto action = std::ranges::find(actions, entry, &Action::id);
               action != actions.end()) {
      menu_item(ui, *action, "context/");
    }
  }
}

}  // namespace

void context_menu(Ui& ui, const std::vector<Action>& actions) {
  constexpr const char* kPopup = "context";
  if (ui.context_asked) ImGui::OpenPopup(kPopup);
  ui.context_asked = false;
  if (!ImGui::BeginPopup(kPopup)) return;
  entries(ui, actions, ui.context);
  ImGui::EndPopup();
}

}  // namespace attn::gui
