// Records where the things of a figure are on screen, for tests and replayed scripts.
#pragma once

#include <string_view>

#include "figure/figure.h"
#include "gui/platform/graphics.h"
#include "gui/ui/probe.h"

namespace attn::gui {

// "ID/cell/ROW,COL" for the first matrix, "ID/map/INDEX/cell/ROW,COL" for each, if they have at
// most 64 × 64 cells, with the number as value; "ID/stage/NAME", "ID/head/INDEX",
// "ID/label/HEAD/NAME", "ID/token/query/INDEX" (or key), with the text as value where it is one.
void record_hits(Probe& probe, std::string_view id, const Figure& figure, const Placement& at);

}  // namespace attn::gui
