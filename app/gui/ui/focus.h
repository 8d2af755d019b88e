// Walking all controls by keyboard: Tab in the order in which they are drawn, F6 from panel to
// panel, Enter or Space to press; Alt or F10 leads to the menus, whose items arrows and letters
// walk. ImGui 1.86 itself reaches text fields only.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::gui {

// Of one window. UI thread only. Controls take part by Ui::mark(); what is disabled does not.
class FocusOrder {
 public:
  // Before anything is drawn: moves by the keys of this frame among the controls of the last one.
  // `plain_keys_taken`: a text field or spreadsheet wants Tab, Enter and Space itself; `covered`: a
  // window lies over the menus.
  void begin_frame(bool plain_keys_taken, bool covered, ImU32 ring, float thickness_px);

  // The last ImGui item, drawn under `name`. The one with the focus gets its ring, and is scrolled
  // into view when the focus has just come. `label` is what letters find in menus.
  void record(std::string_view name, std::string_view label, bool enabled);

  // The keys of this frame are those of the menus: nothing else is to act on them.
  bool in_menus() const { return in_menus_; }

  // Keys walk the menus: what is under a pointer that rests does not open.
  bool pointer_aside() const { return pointer_aside_; }

  // The name of the control with a visible focus; empty without one.
  const std::string& focused() const { return shown_ ? name_ : nothing_; }

 private:
  struct Item {
    ImGuiID id = 0;
    std::string name;
    std::string panel;       // of the frame: "tokens"; empty in menu row and status line
    ImGuiID window = 0;      // that it is in
    ImGuiID root = 0;        // window over the panels, such as a popup
    bool types = false;      // a text field
    bool opens = false;      // a menu
    std::string label = {};  // of a menu or an item of one
  };
  // Where the focus was before it went to the menus.
  struct Place {
    ImGuiID id = 0;
    std::string name;
    bool types = false, shown = false;
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
  void leave_menus(bool types_again);
  std::vector<Item> menu_row() const;
  std::vector<Item> menu_with_focus() const;
  const Item* item_in_menus() const;
  void walk();
  bool leaves_field(const ImGuiIO& io);
  void move(bool forward, bool to_other_panel);
  void focus(const Item& item);
  std::vector<Item> reachable() const;

  std::vector<Item> items_, last_;
  ImGuiID id_ = 0;
  std::string name_, nothing_;
  bool types_ = false;  // into the control with the focus one types
  bool shown_ = false, arrived_ = false;
  std::optional<Place> before_menus_;
  std::string opening_;  // what names of the items of the menu begin with that opens
  bool in_menus_ = false, leaving_ = false,
       pointer_aside_ = false;  // it is left when its item has acted
  ImU32 ring_ = 0;
  float thickness_px_ = 1.0F;
};

}  // namespace attn::gui
