// Numbers for the clipboard: a cell, its row or column, or the whole matrix that is looked at.
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
  bool needs_cell;         // that is pointed at or pinned
};
std::span<const CopiedPartInfo> all_copied_parts();

// Above it, a clipboard is no way to hand numbers over.
inline constexpr std::size_t kMostCopiedNumbers = 1'000'000;

// Of the cell that is inspected, or the matrix in view where none is: with the tokens as labels.
// Usage when there is no such cell, no result, or too much of it.
Result<NumberTable> copied_numbers(const AppState& state, CopiedPart part);

}  // namespace attn::gui
