// Selection on a figure: scrolling and choosing tokens, pinning links, opening heads and stages.
#pragma once

#include <optional>

#include "gui/panels/pane/pane.h"
#include "gui/ui/canvas.h"

namespace attn::gui {

// The token under the pointer, if the plot can show the links of a single token.
std::optional<TokenHit> pointed_token(const PlotEntry& plot, const CanvasEvents& events);

// A hovered token label is marked while hovered, a clicked one until another is clicked; plots that
// show the links of a single token choose it instead.
void label_events(const PaneScope& scope, const CanvasEvents& events);

// A drag, or the wheel at the end of the page, scrolls the tokens of the side under the pointer, or
// of both between them. A click on a token shows only its links, or all again; a click on a link
// pins it.
void choice_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events);

// A click opens the head in the heatmap; with Shift it is compared with the selected one in another
// pane. In the focused pane arrows select neighbouring heads, scrolled into view, and Enter opens
// the selected one. Call after the canvas, in its window.
void head_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events);

void open_stage(const PaneScope& scope, Stage stage);
void open_weights(const PaneScope& scope, const HeadAddress& head);

}  // namespace attn::gui
