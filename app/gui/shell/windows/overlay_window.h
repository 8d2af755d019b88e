// Frame of windows over the panels: background, border and a dimmed screen.
#pragma once

#include <imgui.h>

#include <functional>
#include <string>
#include <utility>

#include "gui/ui/context.h"

namespace attn::gui {

// Whether an open window appears in this frame; updates `was_open`.
inline bool appears(bool open, bool& was_open) {
  const bool before = std::exchange(was_open, open);
  return open && !before;
}

struct OverlayPlace {
  ImVec2 at;                 // pixels, position of the pivot
  ImVec2 pivot{0.5F, 0.5F};  // 0 … 1 of the window
  ImVec2 size;               // pixels; 0: fits the contents
};

// Takes the keyboard when it appears. end_overlay() must follow.
void begin_overlay(Ui& ui, const char* name, const OverlayPlace& place);
void end_overlay();

// Pixels to scroll by the keys of this frame: a line for arrows, a page for Page Up and Down.
float scrolled_by_keys(float line_px, float page_px);

// Centred on the screen and limited to its size.
OverlayPlace centred_overlay(const Ui& ui, ImVec2 size_units);

struct CentredWindow {
  const char* name;  // probe name, and prefix of "/close"
  const char* title;
  ImVec2 size_units;
  const char* close = "Close";
};

// A centred window with a title, `contents` and a close button. Returns whether it is to be closed.
bool centred_window(Ui& ui, const CentredWindow& window, const std::function<void()>& contents);

// Why a window cannot apply its choices; without a reason it can.
struct Obstacle {
  std::string reason = {};
  bool is_mistake = true;  // false: there is merely nothing to apply yet
};

// Contents of a window that applies several changes at once, and what prevents it.
struct ApplyContents {
  std::function<bool()> draw;  // returns whether Enter was pressed in a field
  std::function<Obstacle()> obstacle;
};
enum class ApplyAnswer { None, Apply, Cancel };

// A centred window with a title, `contents`, and below them the obstacle, "Apply" (Enter, if no
// control has the focus) and the close button (Esc). Never applies while there is an obstacle.
// Probe names: NAME, "NAME/reason", "NAME/apply", "NAME/close".
ApplyAnswer apply_window(Ui& ui, const CentredWindow& window, const ApplyContents& contents);

}  // namespace attn::gui
