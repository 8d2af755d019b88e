// The plots in tabs, with the toolbar of the heatmap and what the pointer does on each of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gui/panels/controls.h"
#include "gui/panels/figure_cache.h"
#include "gui/panels/option_rows.h"
#include "session/state.h"

namespace attn::gui {

// A stroke of the mask tool: one undo step, every cell it touches gets the same state.
struct PaintStroke {
  std::uint64_t stroke = 0;
  bool visible = false;
  HeadAddress head;
  std::size_t row = 0, col = 0;  // last cell painted
};

struct PlotsView {
  FigureCache figure;
  std::vector<CellHit> pins_before_click;  // a double-click leads back to them
  bool second_click = false;               // of a double-click; it pins nothing
  std::optional<PaintStroke> paint;
  std::optional<double> older_since;  // since when the figure is of an older state, seconds
  std::optional<MatrixId> dragged;    // the matrix that a drag began on
  FieldInteraction residual;          // what is being typed there
  FieldInteractions fields;           // and in the rows of other options
};

// True when the present panel has so little room that the plot needs all of it.
bool is_compact_panel(const Ui& ui);

// Probe names begin with "plot/": "plot/tab/heatmap" ("plot/tab" as a drop-down),
// "plot/heatmap" (the canvas), "plot/heatmap/cell/ROW,COL",
// "plot/derived/matrix", "plot/derived/residual", "plot/kernel/value".
void plots_panel(Ui& ui, const AppState& state, PlotsView& view);

}  // namespace attn::gui
