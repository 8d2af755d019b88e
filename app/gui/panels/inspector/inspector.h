// Inspector of the hovered or pinned cell: its sentence, its row, its q·k product by dimension and
// the chain of numbers from score to weight; and numbers for the clipboard.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gui/panels/controls/controls.h"
#include "gui/panels/inspector/inspector_numbers.h"
#include "gui/panels/inspector/inspector_sum.h"
#include "numbers/number_table.h"
#include "session/state.h"

namespace attn::gui {

struct InspectorView {
  bool by_position = false;  // order of the row's bars; else largest first
  InspectorCache memo;
};

// The inspected cells: hovered first, then pinned; cells outside of the result are left out.
std::vector<CellHit> inspected_cells(const AppState& state);

// Sentence of the first inspected cell; empty without one.
std::string inspected_sentence(const AppState& state);

// Derivation of the first cell's number in one of all_sum_formats(); empty when there is none.
std::string inspected_sum_text(const AppState& state, const SumFormat& format);

// Probe names begin with "inspector/".
void inspector_panel(Ui& ui, const AppState& state, InspectorView& view);

enum class CopiedPart { Cell, Row, Column, Matrix };

struct CopiedPartInfo {
  CopiedPart part;
  std::string_view name;   // "row"
  std::string_view label;  // "Row"
  bool needs_cell;         // hovered or pinned
};
std::span<const CopiedPartInfo> all_copied_parts();

// Larger tables are refused: the clipboard is unsuitable for them.
inline constexpr std::size_t kMaxCopiedNumbers = 1'000'000;

// Numbers of the inspected cell, or of the visible matrix without one, with tokens as labels. Usage
// error when there is no such cell or no result, or too many numbers.
Result<NumberTable> copied_numbers(const AppState& state, CopiedPart part);

}  // namespace attn::gui
