// A matrix as a spreadsheet: cells tinted by sign and magnitude; drag to change, type to enter.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/tensor.h"
#include "gui/ui/context.h"

namespace attn::gui {

// What the grid shows; borrowed for the frame.
struct GridView {
  MatrixView matrix;
  const std::vector<std::string>* row_labels = nullptr;
  const std::vector<std::string>* column_labels = nullptr;
  Color role;  // tint of the header
  bool editable = true;
  std::size_t row = 0, col = 0;  // cursor
  std::size_t anchor_row = 0, anchor_col = 0;
};

// What the user did; the caller turns it into commands.
struct GridEvents {
  struct CellEdit {
    std::size_t row, col;
    float value;
    std::uint64_t stroke;
  };
  struct CursorMove {
    std::size_t row, col;
    bool extend;
  };
  std::optional<CellEdit> edit;  // typed (stroke 0) or dragged (one stroke per drag)
  std::optional<CursorMove> move;
  std::optional<std::string> refused;  // why the typed text is not a number
  bool copy = false;                   // Ctrl+C on the selection
  bool paste = false;                  // Ctrl+V at the cursor
  bool clear = false;                  // Delete: zeros in the selection
};

// Text being typed and the drag in progress: belongs to the interaction, so the caller keeps one
// per grid on screen.
struct GridInteraction {
  bool editing = false;
  std::string text;
  std::string problem;  // shown at the cell until it is put right or Esc
  std::uint64_t stroke = 0;
  float drag_start = 0.0F;
  bool focus_text = false;
};

// Draws only visible rows and columns, so 100,000 rows are fine.
GridEvents matrix_grid(Ui& ui, const char* id, const GridView& view, GridInteraction& interaction,
                       ImVec2 size_px);

}  // namespace attn::gui
