// Walking all controls by keyboard: Tab in the order in which they are drawn, F6 from panel to
// panel, Enter or Space to press. ImGui 1.86 itself reaches text fields only.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

namespace attn::gui {

// Of one window. UI thread only. Controls take part by Ui::mark(); what is disabled does not.
class FocusOrder {
 public:
  // Before anything is drawn: moves by the keys of this frame among the controls of the last one.
  // `plain_keys_taken`: a text field or spreadsheet wants Tab, Enter and Space itself.
  void begin_frame(bool plain_keys_taken, ImU32 ring, float thickness_px);

  // The last ImGui item, drawn under `name`. The one with the focus gets its ring, and is scrolled
  // into view when the focus has just come.
  void record(std::string_view name, bool enabled);

  // The name of the control with a visible focus; empty without one.
  const std::string& focused() const { return shown_ ? name_ : nothing_; }

 private:
  struct Item {
    ImGuiID id = 0;
    std::string name;
    std::string panel;   // of the frame: "tokens"; empty in menu row and status line
    ImGuiID root = 0;    // window over the panels, such as a popup
    bool types = false;  // a text field
  };

  void keys(bool plain_keys_taken);
  bool alt_released();
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
  bool alt_alone_ = false;
  ImU32 ring_ = 0;
  float thickness_px_ = 1.0F;
};

}  // namespace attn::gui
