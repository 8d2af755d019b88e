// Numbers for the clipboard: a cell, its row or column, or the whole selected matrix.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "numbers/number_table.h"
#include "session/state.h"

namespace attn::gui {

enum class CopiedPart { Cell, Row, Column, Matrix };

struct CopiedPartInfo {
  CopiedPart part;
  std::string_view name;   // "row"
  std::string_view label;  // "Row"
  bool needs_cell;         // hovered or pinned
};
std::span<const CopiedPartInfo> all_copied_parts();

// Larger tables are refused: the clipboard is unsuitable for them.
inline constexpr std::size_t kMostCopiedNumbers = 1'000'000;

// Numbers of the inspected cell, or of the visible matrix without one, with tokens as labels. Usage
// error when there is no such cell or no result, or too many numbers.
Result<NumberTable> copied_numbers(const AppState& state, CopiedPart part);

}  // namespace attn::gui
