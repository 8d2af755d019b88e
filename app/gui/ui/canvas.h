// Shows a figure and says what the pointer does on it, in terms of hit ids.
#pragma once

#include <imgui.h>

#include <optional>
#include <span>
#include <string_view>

#include "figure/figure.h"
#include "gui/platform/graphics.h"
#include "gui/ui/context.h"
#include "gui/ui/probe.h"

namespace attn::gui {

struct CanvasEvents {
  bool hovered = false;
  Point pointer;                 // figure units
  HitId under_pointer;           // monostate when nothing or not hovered
  std::optional<HitId> pressed;  // left button went down here this frame
  std::optional<HitId> clicked;  // pressed and released without a drag
  bool shift = false;
  bool double_clicked = false;
  bool dragging = false;     // left button held and moved since it was pressed here
  Point drag_delta;          // units since the last frame
  bool released = false;     // left button went up after a press here
  double wheel = 0.0;        // notches, up positive
  double wheel_right = 0.0;  // of a second wheel or two fingers, to the right positive
  bool ctrl = false;
  bool middle_dragging = false;  // middle button held and moved; drag_delta as of the left one
};

// Paints `figures` over each other at the cursor (the first gives size and hits), as one ImGui item
// named `id`. `size_px` is the item's size; figures are placed at its top left, `ui.scale` pixels
// per unit. Records "id" and hit rectangles for the probe.
CanvasEvents canvas(Ui& ui, const char* id, std::span<const Figure* const> figures, ImVec2 size_px);

// Only the painting, for icons and tests.
void paint(Ui& ui, ImDrawList& list, const Figure& figure, const Placement& at);

}  // namespace attn::gui
