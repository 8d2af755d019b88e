// The frame of what lies over the panels, told apart from them by ground, edge and a dimmed screen.
#pragma once

#include <imgui.h>

#include <functional>
#include <string>
#include <utility>

#include "gui/ui/context.h"

namespace attn::gui {

// Whether an open window appears in this frame; keeps in `was_open` what it is in this one.
inline bool appears(bool open, bool& was_open) {
  const bool before = std::exchange(was_open, open);
  return open && !before;
}

struct OverlayPlace {
  ImVec2 at;                 // pixels, of the pivot
  ImVec2 pivot{0.5F, 0.5F};  // 0 … 1 of the window
  ImVec2 size;               // pixels; 0: as the contents need
};

// Takes the keyboard when it appears. Call end_overlay() in any case.
void begin_overlay(Ui& ui, const char* name, const OverlayPlace& place);
void end_overlay();

// In the middle of the screen, no larger than it.
OverlayPlace centred_overlay(const Ui& ui, ImVec2 size_units);

struct CentredWindow {
  const char* name;  // probe names: this, and with "/close"
  const char* title;
  ImVec2 size_units;
  const char* close = "Close";
};

// A window in the middle with a title, what `contents` draws and a button that closes it. True when
// it is to be closed.
bool centred_window(Ui& ui, const CentredWindow& window, const std::function<void()>& contents);

// Why a window cannot apply what is chosen in it; no reason: it can.
struct Obstacle {
  std::string reason = {};
  bool is_mistake = true;  // else there is merely nothing to apply yet
};

// What a window that changes something as a whole shows, and why it cannot be applied as it stands.
struct ApplyContents {
  std::function<bool()> draw;  // true when Enter was pressed in a field
  std::function<Obstacle()> obstacle;
};
enum class ApplyAnswer { None, Apply, Cancel };

// A window in the middle with a title, what `contents` draws, and below it the obstacle, "Apply"
// (Enter, where no control has the focus) and the button that closes it (Esc). Applies nothing as
// long as there is an obstacle. Probe names: NAME, "NAME/reason", "NAME/apply", "NAME/close".
ApplyAnswer apply_window(Ui& ui, const CentredWindow& window, const ApplyContents& contents);

}  // namespace attn::gui
