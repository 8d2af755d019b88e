// The cell under the pointer or pinned: its sentence, its row, its q·k product by dimension and the
// chain of numbers from score to weight.
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
  bool by_position = false;  // order of the row's bars; otherwise largest first
  InspectedMemo memo;
};

// The cells to look at, the most important first: hovered, then pinned; none that is not there.
std::vector<CellHit> inspected_cells(const AppState& state);

// The sentence of the first of them; empty when there is none or no result.
std::string inspected_sentence(const AppState& state);

// How its number came about, in one of all_sum_formats(); empty where nothing is known of that.
std::string inspected_sum_text(const AppState& state, const SumFormat& format);

// Probe names begin with "inspector/".
void inspector_panel(Ui& ui, const AppState& state, InspectorView& view);

}  // namespace attn::gui
