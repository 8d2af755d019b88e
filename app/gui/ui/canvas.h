// Shows a figure and reports pointer events as hit ids.
#pragma once

#include <imgui.h>

#include <span>

#include "figure/figure.h"
#include "gui/ui/context.h"

namespace attn::gui {

struct CanvasEvents {
  bool hovered = false;
  Point pointer;         // figure units
  HitId under_pointer;   // monostate when there is none or not hovered
  bool pressed = false;  // left button went down here this frame
  bool clicked = false;  // pressed and released without a drag
  bool shift = false;
  bool double_clicked = false;
  bool dragging = false;     // left button held and moved since the press
  Point drag_delta;          // units since the last frame
  bool released = false;     // left button went up after a press here
  double wheel = 0.0;        // notches, positive is up
  double wheel_right = 0.0;  // horizontal wheel or two fingers, positive is right
  bool ctrl = false;
  bool middle_dragging = false;  // middle button held and moved; drag_delta applies to it
};

// Paints `figures` over each other at the cursor, as one ImGui item named `id`; the first gives
// size and hits. `size_px` is the size of the item; figures start at its top left with `ui.scale`
// pixels per unit. Records "id" and hit rectangles for the probe.
CanvasEvents canvas(Ui& ui, const char* id, std::span<const Figure* const> figures, ImVec2 size_px);

// Bounds of two rectangles, and of a path; empty for one without points.
Rect united(const Rect& a, const Rect& b);
Rect path_bounds(const PathItem& path);

// Paints without reading input, for icons and tests. Filled paths are convex.
void paint(Ui& ui, ImDrawList& list, const Figure& figure, const Placement& at);

}  // namespace attn::gui
