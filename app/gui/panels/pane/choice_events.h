// What is chosen on a figure: tokens that are in view or whose links alone are drawn, links that
// are pinned, heads and stages that are opened.
#pragma once

#include <optional>

#include "gui/panels/pane/pane.h"
#include "gui/ui/canvas.h"

namespace attn::gui {

// The token under the pointer, where the plot shows the links of one token alone.
std::optional<TokenHit> pointed_token(const PlotEntry& plot, const CanvasEvents& events);

// A token pointed at by its label is marked as long as the pointer is there, one that is clicked
// until another is; plots that show the links of one token choose it instead.
void label_events(const PaneScope& scope, const CanvasEvents& events);

// A drag, and the wheel where the page scrolls no further, bring other tokens into view: of the
// side that the pointer is on, between the sides of both. A click on a token shows the links of
// that token alone, and of all again; on a link it pins it.
void choice_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events);

// A click opens the head in the heatmap, with Shift it is compared with the one looked at, in
// another pane. Where the pane has the focus, arrows walk to the heads beside the one looked at,
// which is scrolled into view, and Enter opens it. After the canvas, in its window.
void head_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events);

void open_stage(const PaneScope& scope, Stage stage);
void open_weights(const PaneScope& scope, const HeadAddress& head);

}  // namespace attn::gui
