// Inspector of the hovered or pinned cell: its sentence, its row, its q·k product by dimension and
// the chain of numbers from score to weight.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gui/panels/controls/controls.h"
#include "gui/panels/inspector/inspector_numbers.h"
#include "gui/panels/inspector/inspector_sum.h"
#include "session/state.h"

namespace attn::gui {

struct InspectorView {
  bool by_position = false;  // order of the row's bars; else largest first
  InspectedMemo memo;
};

// The inspected cells: hovered first, then pinned; cells outside of the result are left out.
std::vector<CellHit> inspected_cells(const AppState& state);

// Sentence of the first inspected cell; empty without one.
std::string inspected_sentence(const AppState& state);

// Derivation of the first cell's number in one of all_sum_formats(); empty when there is none.
std::string inspected_sum_text(const AppState& state, const SumFormat& format);

// Probe names begin with "inspector/".
void inspector_panel(Ui& ui, const AppState& state, InspectorView& view);

}  // namespace attn::gui
