// Order of controls and keyboard navigation.
#include "gui/ui/focus.h"

#include <imgui_internal.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "gui/platform/imgui_compat.h"

namespace attn::gui {
namespace {

constexpr int kNextPanel = keys::kF1 + 5;
constexpr std::string_view kPanel = "panel/", kPane = "/pane/";
constexpr std::string_view kNotices = "notices", kMenu = "menu/";

// True if the item is inside of a menu: "menu/File" is in the menu bar, "menu/File/open" in a menu.
bool is_in_menu(std::string_view name) {
  return name.starts_with(kMenu) && name.find('/', kMenu.size()) != std::string_view::npos;
}
bool is_in_menu_row(std::string_view name) { return name.starts_with(kMenu) && !is_in_menu(name); }

template <class Items, class Predicate, class Projection = std::identity>
Items those_of(const Items& all, Predicate wanted, Projection projection = {}) {
  Items found;
  std::ranges::copy_if(all, std::back_inserter(found), wanted, projection);
  return found;
}

// Closes the menus opened from that window; all menus for 0.
void close_menus_over(ImGuiID window) {
  const auto& open = ImGui::GetCurrentContext()->OpenPopupStack;
  int level = window == 0 ? 0 : open.Size;
  for (int i = 0; i < open.Size; ++i) {
    if (open[i].Window != nullptr && open[i].Window->ID == window) level = i + 1;
  }
  if (level < open.Size) ImGui::ClosePopupToLevel(level, true);
}

// Names of child windows contain those of their parents: "main/…/panel/tokens_0A1B2C3D/…". Each
// pane of plots counts as a panel.
std::string panel_of(std::string_view window) {
  const std::size_t at = window.find(kPanel);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = window.substr(at + kPanel.size());
  const std::size_t pane = rest.find(kPane);
  const std::string_view inner = pane == std::string_view::npos ? rest : rest.substr(pane + 1);
  return std::string(inner.substr(0, inner.find('_')));
}

// Items that are not controls or serve the mouse only.
bool takes_no_focus(std::string_view name) {
  return name.starts_with("section/") || name.starts_with("panel/") || name == "tooltip" ||
         name.starts_with("layout/left") || name.starts_with("layout/right");
}

}  // namespace

void FocusOrder::begin_frame(bool plain_keys_taken, bool covered, ImU32 ring, float thickness_px) {
  ring_ = ring;
  thickness_px_ = thickness_px;
  last_ = std::move(items_);
  items_.clear();
  arrived_ = false;
  if (ImGui::GetIO().MouseClicked[0]) {
    shown_ = leaving_ = ignores_pointer_ = false;
    before_menus_.reset();
    beginning_.clear();
  }
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  if (moved.x != 0.0F || moved.y != 0.0F) ignores_pointer_ = false;
  in_menus_ = menu_keys(covered);
  if (!in_menus_) keys(plain_keys_taken);
}

void FocusOrder::keys(bool plain_keys_taken) {
  const ImGuiIO& io = ImGui::GetIO();
  if (key_pressed(kNextPanel) && !io.KeyCtrl) return move(!io.KeyShift, true);
  if (leaves_field(io)) return walk();
  if (plain_keys_taken || io.KeyCtrl || io.KeyAlt) return;
  if (key_pressed(keys::kTab)) return walk();
  if (is_popup_open() && key_pressed(keys::kDown)) return move(true, false);
  if (is_popup_open() && key_pressed(keys::kUp)) return move(false, false);
  if (!shown_) return;
  if (key_pressed(keys::kEnter, false) || key_pressed(keys::kSpace, false))
    press_item(at_.id, at_.types);
}

// Handles keys while a menu is open or the menu bar has the focus.
bool FocusOrder::menu_keys(bool covered) {
  if (leaving_ && !is_popup_open()) leave_menus();
  const ImGuiIO& io = ImGui::GetIO();
  const bool open = is_popup_open() && std::ranges::any_of(last_, is_in_menu, &Item::name);
  const bool there = open || (!covered && !menu_row().empty());
  const bool left = !open && (io.KeyCtrl || key_pressed(kNextPanel));
  if (!there || left) before_menus_.reset();
  if (!there || left) return false;
  if (key_pressed(keys::kMenuRow, false)) {
    if (open || before_menus_) return leave_menus(), true;
    enter_menus();
    focus(menu_row().front());
    return true;
  }
  if (io.KeyAlt && !io.KeyCtrl && !io.KeyShift && find_letter(menu_row())) return true;
  if (!open && !before_menus_) return false;
  if (!io.KeyAlt && !io.KeyCtrl) walk_menus(open);
  return true;
}

void FocusOrder::walk_menus(bool open) {
  const bool right = key_pressed(keys::kRight), down = key_pressed(keys::kDown);
  const Item* const at = item_in_menus();
  if (key_pressed(keys::kEscape, false)) {
    close_menus_over(0);
    leaving_ = true;  // in the next frame, because the newly focused item reads this key too
  } else if (right || key_pressed(keys::kLeft)) {
    step_sideways(open, right);
  } else if (down || key_pressed(keys::kUp)) {
    if (open) return step_in_menu(down);
    if (at != nullptr) open_menu(*at);
  } else if (enter_pressed() || key_pressed(keys::kSpace, false)) {
    if (at != nullptr) press_in_menus(*at);
  } else if (key_pressed(keys::kTab)) {
    if (!open) before_menus_.reset();
    walk();
  } else {
    find_letter(open ? menu_with_focus() : menu_row());
  }
}

void FocusOrder::step_in_menu(bool forward) {
  const std::vector<Item> menu = menu_with_focus();
  if (menu.empty()) return;
  enter_menus();
  const auto at = std::ranges::find(menu, at_.id, &Item::id);
  const std::size_t count = menu.size(), index = static_cast<std::size_t>(at - menu.begin());
  if (at == menu.end()) return focus(forward ? menu.front() : menu.back());
  focus(menu[(index + (forward ? 1 : count - 1)) % count]);
}

// Into or out of a submenu, or to the neighbour in the menu bar, opened if this one is.
void FocusOrder::step_sideways(bool open, bool forward) {
  const Item* const at = item_in_menus();
  if (open && at != nullptr && forward && at->opens) return open_menu(*at);
  const std::string name = at != nullptr ? at->name : open ? menu_with_focus().front().name : "";
  const auto holds = [&name](const Item& menu) { return name.starts_with(menu.name + "/"); };
  if (open && !forward && at != nullptr && at->window != at->root) {
    // The innermost menu is drawn first, and recorded after its items.
    const auto menu = std::ranges::find_if(last_, holds);
    if (menu != last_.end()) return focus(*menu);
  }
  const std::vector<Item> row = menu_row();
  const auto menu =
      std::ranges::find_if(row, [&](const Item& item) { return item.name == name || holds(item); });
  const std::size_t index = menu == row.end() ? 0 : static_cast<std::size_t>(menu - row.begin());
  const Item& next = row[(index + (forward ? 1 : row.size() - 1)) % row.size()];
  open ? open_menu(next) : focus(next);
}

// Cycles through several items with that letter.
bool FocusOrder::find_letter(const std::vector<Item>& items) {
  for (char letter = 'A'; letter <= 'Z'; ++letter) {
    if (!key_pressed(letter, false)) continue;
    const std::vector<Item> found = those_of(items, [&](const Item& item) {
      const char first = item.label.empty() ? '\0' : item.label.front();
      return first == letter || first == letter - 'A' + 'a';
    });
    if (found.empty()) return false;
    const auto at = std::ranges::find(found, at_.id, &Item::id);
    const bool is_last = at == found.end() || at + 1 == found.end();
    found.size() == 1 ? press_in_menus(found.front()) : focus(is_last ? found.front() : *(at + 1));
    return true;
  }
  return false;
}

void FocusOrder::press_in_menus(const Item& item) {
  if (item.opens) return open_menu(item);
  enter_menus();
  press_item(item.id, false);
  before_menus_->typing = false;  // the item may open a field that takes the keyboard
  leaving_ = true;
}

void FocusOrder::open_menu(const Item& menu) {
  enter_menus();
  ignores_pointer_ = true;
  opening_ = menu.name + "/";
  const auto first = std::ranges::find_if(
      last_, [this](const Item& item) { return item.name.starts_with(opening_); });
  if (first == last_.end()) return press_item(menu.id, false);
  opening_.clear();
  focus(*first);
}

void FocusOrder::enter_menus() {
  if (before_menus_) return;
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const bool typing = at_.types && at_.id != 0 && g.ActiveId == at_.id;
  const bool by_mouse = is_popup_open() || g.NavWindow == nullptr;
  before_menus_ = Place{at_, shown_, typing, by_mouse ? 0 : g.NavWindow->ID};
  if (typing) ImGui::ClearActiveID();
}

// Restores the focus from before the menus.
void FocusOrder::leave_menus() {
  close_menus_over(0);
  ignores_pointer_ = false;
  leaving_ = false;
  opening_.clear();
  if (!before_menus_) return;
  const Place place = *std::exchange(before_menus_, std::nullopt);
  at_ = place.item;
  shown_ = place.shown;
  arrived_ = false;
  ImGuiWindow* const window = ImGui::FindWindowByID(place.window);
  if (window != nullptr) ImGui::FocusWindow(window);
  if (place.typing) press_item(place.item.id, true);
}

std::vector<FocusOrder::Item> FocusOrder::menu_row() const {
  return those_of(last_, is_in_menu_row, &Item::name);
}

// Items of the open menu that arrows navigate: the one with the focus, else the first.
std::vector<FocusOrder::Item> FocusOrder::menu_with_focus() const {
  const Item* const at = item_in_menus();
  const bool inside = at != nullptr && is_in_menu(at->name);
  return those_of(last_, [&](const Item& item) {
    return is_in_menu(item.name) && item.window == (inside ? at->window : item.root);
  });
}

const FocusOrder::Item* FocusOrder::item_in_menus() const {
  const auto at = std::ranges::find(last_, at_.id, &Item::id);
  return shown_ && at != last_.end() && at->name.starts_with(kMenu) ? &*at : nullptr;
}

void FocusOrder::walk() {
  take_tab();
  const std::string prefix = std::exchange(beginning_, {});
  const std::vector<Item> items = reachable();
  const auto begins = [&](const Item& item) { return item.name.starts_with(prefix); };
  const auto first = std::ranges::find_if(items, begins);
  if (!prefix.empty() && first != items.end()) return focus(*first);
  move(!ImGui::GetIO().KeyShift, false);
}

// Tab leaves a text field and keeps its text; in the spreadsheet it moves between cells.
bool FocusOrder::leaves_field(const ImGuiIO& io) {
  const bool typing = at_.types && at_.id != 0 && ImGui::GetActiveID() == at_.id;
  if (!typing || io.KeyCtrl || io.KeyAlt || at_.name.starts_with("inputs/grid")) return false;
  if (!key_pressed(keys::kTab)) return false;
  ImGui::ClearActiveID();
  return true;
}

// Controls of the topmost window over the panels, if there is one; notices do not count.
std::vector<FocusOrder::Item> FocusOrder::reachable() const {
  ImGuiID top = 0, notices = 0;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    const auto in_it = [&](const Item& item) { return item.root == window->ID; };
    if (std::string_view(window->Name) == kNotices) {
      notices = window->ID;
    } else if (std::ranges::any_of(last_, in_it)) {
      top = window->ID;
    }
  }
  const auto main = std::ranges::find(last_, "menu/File", &Item::name);
  const bool covered = main == last_.end() || main->root != top;
  return those_of(last_, [&](const Item& item) {
    return item.root == top || (!covered && item.root == notices);
  });
}

void FocusOrder::move(bool forward, bool to_other_panel) {
  const std::vector<Item> items = reachable();
  if (items.empty()) return;
  const auto at = std::ranges::find(items, at_.id, &Item::id);
  const std::size_t count = items.size();
  std::size_t index =
      at == items.end() ? (forward ? count - 1 : 0) : static_cast<std::size_t>(at - items.begin());
  const std::string from = at == items.end() ? "none" : at->panel;
  for (std::size_t i = 0; i < count; ++i) {
    index = (index + (forward ? 1 : count - 1)) % count;
    if (!to_other_panel || items[index].panel != from) break;
  }
  // Moving backwards arrives at the end of a panel; its first control gets the focus.
  while (to_other_panel && index > 0 && items[index - 1].panel == items[index].panel) --index;
  focus(items[index]);
}

void FocusOrder::leave(std::string_view name, bool forward) {
  const auto at = std::ranges::find(last_, name, &Item::name);
  if (at == last_.end()) return;
  at_ = *at;
  move(forward, false);
}

void FocusOrder::focus(const Item& item) {
  beginning_.clear();
  if (is_in_menu(item.name)) close_menus_over(item.window);
  if (item.name.starts_with(kMenu)) ignores_pointer_ = true;
  at_ = item;
  shown_ = arrived_ = true;
}

void FocusOrder::record(std::string_view name, std::string_view label, bool enabled) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImGuiID id = g.LastItemData.ID;
  if (id == 0 || !enabled || takes_no_focus(name)) return;
  ImGuiWindow* window = g.CurrentWindow;
  if (!items_.empty() && items_.back().id == id) return;
  const bool types = (g.LastItemData.InFlags & ImGuiItemFlags_Inputable) != 0;
  items_.push_back(
      {id, std::string(name), panel_of(window->Name), window->ID, window->RootWindow->ID, types});
  if (name.starts_with(kMenu)) {
    items_.back().opens = g.MenusIdSubmittedThisFrame.contains(id);
    items_.back().label = label;
  }
  if (!opening_.empty() && name.starts_with(opening_)) {
    opening_.clear();
    ImGui::ClearActiveID();  // of the item that opened the menu
    focus(items_.back());
  }
  if (g.ActiveId == id || (shown_ && id == at_.id)) at_ = items_.back();
  if (!shown_ || id != at_.id) return;
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
