// Input of the inspector's sections, and the sections. Internal to the inspector.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "gui/panels/inspector/inspector_numbers.h"
#include "session/state.h"

namespace attn::gui {

struct InspectorView;

// Everything that the sections read.
struct Inspection {
  Ui& ui;
  const Document& document;
  const AttentionResult& result;
  std::vector<CellHit> cells;
  const std::vector<CellHit>& pins;
  const InspectedNumbers& numbers;
  const Derivations* derivations = nullptr;

  const CellHit& focus() const { return cells.front(); }

  // Name of the cell's mark in the heatmap.
  std::string tag(std::size_t index) const {
    const auto pin = std::find(pins.begin(), pins.end(), cells[index]);
    if (pin == pins.end()) return "Pointer";
    return "Pin " + std::to_string(pin - pins.begin() + 1);
  }
};

// From query and key to the weight, one column per inspected cell. Probes:
// "inspector/chain/scores".
void sum_section(Inspection& in);
// Summands of a number of the output. Probes: "inspector/output/0".
void output_section(Inspection& in);
// Row of the cell as bars, with its entropy. Probes: "inspector/row/0", "inspector/entropy".
void line_section(Inspection& in, InspectorView& view);
// Summands of the score. Probes: "inspector/product/0".
void product_section(Inspection& in);

}  // namespace attn::gui
