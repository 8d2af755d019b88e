// The order of controls, and the keys that walk it.
#include "gui/ui/focus.h"

#include <imgui_internal.h>

#include <algorithm>
#include <iterator>

#include "gui/platform/imgui_compat.h"

namespace attn::gui {
namespace {

constexpr int kNextPanel = keys::kF1 + 5;
constexpr std::string_view kPanel = "panel/", kPane = "/pane/";
constexpr std::string_view kNotices = "notices";

// Names of child windows are those of all that hold them: "main/…/panel/tokens_0A1B2C3D/…". Each
// pane among the plots is a panel too.
std::string panel_of(std::string_view window) {
  const std::size_t at = window.find(kPanel);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = window.substr(at + kPanel.size());
  const std::size_t pane = rest.find(kPane);
  const std::string_view inner = pane == std::string_view::npos ? rest : rest.substr(pane + 1);
  return std::string(inner.substr(0, inner.find('_')));
}

// What only looks like a control, or belongs to the mouse.
bool takes_no_focus(std::string_view name) {
  return name.starts_with("section/") || name.starts_with("panel/") || name == "tooltip" ||
         name.starts_with("layout/left") || name.starts_with("layout/right");
}

}  // namespace

void FocusOrder::begin_frame(bool plain_keys_taken, ImU32 ring, float thickness_px) {
  ring_ = ring;
  thickness_px_ = thickness_px;
  last_ = std::move(items_);
  items_.clear();
  arrived_ = false;
  if (ImGui::GetIO().MouseClicked[0]) shown_ = false;
  keys(plain_keys_taken);
}

void FocusOrder::keys(bool plain_keys_taken) {
  const ImGuiIO& io = ImGui::GetIO();
  if (key_pressed(kNextPanel) && !io.KeyCtrl) return move(!io.KeyShift, true);
  if (alt_released()) {
    const auto menu = std::ranges::find(last_, "menu/File", &Item::name);
    if (menu != last_.end()) return focus(*menu);
  }
  if (leaves_field(io)) return walk();
  if (plain_keys_taken || io.KeyCtrl || io.KeyAlt) return;
  const bool in_popup =
      ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (key_pressed(keys::kTab)) return walk();
  if (in_popup && key_pressed(keys::kDown)) return move(true, false);
  if (in_popup && key_pressed(keys::kUp)) return move(false, false);
  if (!shown_) return;
  if (key_pressed(keys::kEnter, false) || key_pressed(keys::kSpace, false)) press_item(id_, types_);
}

void FocusOrder::walk() {
  take_tab();
  move(!ImGui::GetIO().KeyShift, false);
}

// Tab leads out of a text field, which keeps what was typed; in the spreadsheet it leads on by
// cell.
bool FocusOrder::leaves_field(const ImGuiIO& io) {
  const bool typing = types_ && id_ != 0 && ImGui::GetActiveID() == id_;
  if (!typing || io.KeyCtrl || io.KeyAlt || name_.starts_with("inputs/grid")) return false;
  if (!key_pressed(keys::kTab)) return false;
  ImGui::ClearActiveID();
  return true;
}

// Alt was pressed and let go without anything else in between, which leads to the menus.
bool FocusOrder::alt_released() {
  const bool alone = only_key_down(keys::kLeftAlt) && !ImGui::IsAnyMouseDown();
  if (alone && key_pressed(keys::kLeftAlt, false)) alt_alone_ = true;
  if (alone || !alt_alone_) return false;
  alt_alone_ = false;
  return !ImGui::GetIO().KeyAlt;
}

// Those of the window on top, when one lies over the panels; notices cover nothing.
std::vector<FocusOrder::Item> FocusOrder::reachable() const {
  ImGuiID top = 0, aside = 0;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    const auto in_it = [&](const Item& item) { return item.root == window->ID; };
    if (std::string_view(window->Name) == kNotices) {
      aside = window->ID;
    } else if (std::ranges::any_of(last_, in_it)) {
      top = window->ID;
    }
  }
  const auto main = std::ranges::find(last_, "menu/File", &Item::name);
  const bool covered = main == last_.end() || main->root != top;
  std::vector<Item> items;
  std::ranges::copy_if(last_, std::back_inserter(items), [&](const Item& item) {
    return item.root == top || (!covered && item.root == aside);
  });
  return items;
}

void FocusOrder::move(bool forward, bool to_other_panel) {
  const std::vector<Item> items = reachable();
  if (items.empty()) return;
  const auto at = std::ranges::find(items, id_, &Item::id);
  const std::size_t count = items.size();
  std::size_t index =
      at == items.end() ? (forward ? count - 1 : 0) : static_cast<std::size_t>(at - items.begin());
  const std::string from = at == items.end() ? "none" : at->panel;
  for (std::size_t i = 0; i < count; ++i) {
    index = (index + (forward ? 1 : count - 1)) % count;
    if (!to_other_panel || items[index].panel != from) break;
  }
  // Backwards one arrives at the end of a panel: its first control is meant.
  while (to_other_panel && index > 0 && items[index - 1].panel == items[index].panel) --index;
  focus(items[index]);
}

void FocusOrder::focus(const Item& item) {
  id_ = item.id;
  name_ = item.name;
  types_ = item.types;
  shown_ = arrived_ = true;
}

void FocusOrder::record(std::string_view name, bool enabled) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImGuiID id = g.LastItemData.ID;
  if (id == 0 || !enabled || takes_no_focus(name)) return;
  ImGuiWindow* window = g.CurrentWindow;
  if (!items_.empty() && items_.back().id == id) return;
  const bool types = (g.LastItemData.InFlags & ImGuiItemFlags_Inputable) != 0;
  items_.push_back({id, std::string(name), panel_of(window->Name), window->RootWindow->ID, types});
  if (g.ActiveId == id) {
    id_ = id;
    name_ = name;
    types_ = types;
  }
  if (!shown_ || id != id_) return;
  name_ = name;
  if (arrived_) {
    ImGui::FocusWindow(window);
    ImGui::ScrollToItem(ImGuiScrollFlags_KeepVisibleEdgeY | ImGuiScrollFlags_KeepVisibleEdgeX);
  }
  const ImRect rect = g.LastItemData.Rect;
  const float out = thickness_px_;
  window->DrawList->AddRect(ImVec2(rect.Min.x - out, rect.Min.y - out),
                            ImVec2(rect.Max.x + out, rect.Max.y + out), ring_, 2 * out + 1, 0,
                            thickness_px_);
}

}  // namespace attn::gui
