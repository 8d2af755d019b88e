// The figure of a pane, and what the pointer means on it.
#pragma once

#include "gui/panels/pane/pane.h"
#include <string>

#include "gui/panels/pane/pane.h"
#include "gui/ui/canvas.h"

namespace attn::gui {

// What a tag says of a drawn cell: the number that stands there, or that a rule hides it. Pooled
// cells have no number of their own.
struct TagWords {
  std::string names;   // "“it” → “animal”"
  std::string number;  // "0.617"; may be empty
};
// Of a token at the edge of a plot: which it is, and its place.
TagWords tag_words(const PaneScope& scope, const TokenHit& token);
TagWords tag_words(const PaneScope& scope, const Figure& figure, const CellHit& cell);

// While the pointer is on a cell and nothing is dragged. Probe: "plot/tag", value of both.
void pointer_tag(const PaneScope& scope, const Figure& figure, const CanvasEvents& events);

// Fills the room that is left. Probe names: "plot/heatmap" (the canvas),
// "plot/heatmap/cell/ROW,COL", "plot/problem", "plot/computing".
void pane_canvas(const PaneScope& scope);

}  // namespace attn::gui
