// Keyboard navigation of all controls: Tab in drawing order, F6 between panels, Enter or Space to
// press; Alt or F10 enters the menus, navigated by arrows and letters. ImGui 1.86 itself reaches
// text fields only.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::gui {

// One per window. UI thread only. Controls register by Ui::mark(); disabled ones are skipped.
class FocusOrder {
 public:
  // Moves the focus by the keys of this frame among the controls of the last one; call before
  // anything is drawn. `plain_keys_taken`: a text field or spreadsheet uses Tab, Enter and Space
  // itself; `covered`: a window lies over the menus.
  void begin_frame(bool plain_keys_taken, bool covered, ImU32 ring, float thickness_px);

  // Registers the last ImGui item as `name`. The focused one gets its ring, and is scrolled into
  // view when the focus has just arrived. `label` is matched by letters in menus.
  void record(std::string_view name, std::string_view label, bool enabled);

  // The next Tab goes to the first control with a name that begins with `prefix`, unless the focus
  // moves before.
  void begin_at(std::string prefix) { beginning_ = std::move(prefix); }

  // Gives the focus to the next control that is drawn under a name that begins with `prefix`.
  void arrive_at(std::string prefix) { opening_ = std::move(prefix); }

  // Moves the focus to the control behind that one, or before it: Tab leaves a spreadsheet.
  void leave(std::string_view name, bool forward);

  // True if the menus use the keys of this frame; other handlers must ignore them.
  bool in_menus() const { return in_menus_; }

  // True if the menus are navigated by keys, so that a resting pointer opens nothing.
  bool ignores_pointer() const { return ignores_pointer_; }

  // Name of the control with visible focus; empty without one.
  std::string focused() const { return shown_ ? at_.name : ""; }

 private:
  struct Item {
    ImGuiID id = 0;
    std::string name;
    std::string panel;       // such as "tokens"; empty in menu bar and status line
    ImGuiID window = 0;      // that contains it
    ImGuiID root = 0;        // over the panels, such as a popup
    bool types = false;      // a text field
    bool opens = false;      // a menu
    std::string label = {};  // of a menu or a menu item
  };
  // Focus before the menus were entered.
  struct Place {
    Item item;
    bool shown = false;
    bool typing = false;  // the text field had the keyboard
    ImGuiID window = 0;
  };

  void keys(bool plain_keys_taken);
  bool menu_keys(bool covered);
  void walk_menus(bool open);
  void step_in_menu(bool forward);
  void step_sideways(bool open, bool forward);
  bool find_letter(const std::vector<Item>& items);
  void press_in_menus(const Item& item);
  void open_menu(const Item& menu);
  void enter_menus();
  void leave_menus();
  std::vector<Item> menu_row() const;
  std::vector<Item> menu_with_focus() const;
  const Item* item_in_menus() const;
  void walk();
  bool leaves_field(const ImGuiIO& io);
  void move(bool forward, bool to_other_panel);
  void focus(const Item& item);
  std::vector<Item> reachable() const;

  std::vector<Item> items_, last_;
  Item at_;  // the focused control
  bool shown_ = false, arrived_ = false;
  std::optional<Place> before_menus_;
  std::string beginning_;  // prefix of the control to which the next Tab goes
  std::string opening_;    // name prefix of the items of the menu that opens
  bool in_menus_ = false, leaving_ = false,
       ignores_pointer_ = false;  // `leaving_`: the menus close once the pressed item has acted
  ImU32 ring_ = 0;
  float thickness_px_ = 1.0F;
};

}  // namespace attn::gui
