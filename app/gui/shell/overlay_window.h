// The frame of what lies over the panels, told apart from them by ground, edge and a dimmed screen.
#pragma once

#include <imgui.h>

#include "gui/ui/context.h"

namespace attn::gui {

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

}  // namespace attn::gui
