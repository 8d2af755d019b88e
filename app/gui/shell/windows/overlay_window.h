// Frame of windows over the panels: background, border and a dimmed screen.
#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <string>

#include "gui/ui/context.h"

namespace attn::gui {

struct OverlayWindow {
  const char* name;             // probe name, and prefix of those of its buttons
  const char* title = nullptr;  // null: none
  ImVec2 size_units{};          // limited to the screen's
  const char* close = "Close";  // label of the button that closes it
  float top = -1.0F;            // share of the screen above it; negative: centred
};

// Begins the window, which takes the keyboard when it appears; returns whether it does in this
// frame. ImGui::End() must follow.
bool begin_overlay(Ui& ui, const OverlayWindow& window);

// True if the button that closes the window was pressed, or Esc. Probe name: "NAME/close".
bool is_closed(Ui& ui, const std::string& name, const char* label = "Close");

// Pixels to scroll by the keys of this frame: a line for arrows, a page for Page Up and Down.
float scrolled_by_keys(float line_px, float page_px);

struct ListRow {
  std::string_view value;  // of its probe
  std::string_view help;
  bool selected = false, enabled = true;
  float inset = 4.0F, spare = 4.0F;  // units, left of the text and of the height
  std::optional<Color> ink{};
};

// A row of a list; a text that had to be shortened is in its tooltip. Returns whether it was
// clicked. Probe: `name`.
bool list_row(Ui& ui, const std::string& name, std::string_view text, const ListRow& row);

// Why a window cannot apply its choices; without a reason it can.
struct Obstacle {
  std::string reason = {};
  bool is_mistake = true;  // false: there is merely nothing to apply yet
};

// Draws `contents` of a window that applies several changes at once, which return whether Enter was
// pressed in a field; below them the obstacle, "Apply" (Enter, if no control has the focus) and the
// close button (Esc), which closes it; and ends the window. Returns whether to apply, never while
// there is an obstacle. Probe names: NAME, "NAME/reason", "NAME/apply", "NAME/close".
bool end_with_apply_button(Ui& ui, const OverlayWindow& window,
                           const std::function<bool()>& contents,
                           const std::function<Obstacle()>& obstacle);

}  // namespace attn::gui
