// Inputs as a spreadsheet: Q, K and V, or embeddings and projections, or given weights.
#pragma once

#include <cstdint>
#include <optional>

#include "gui/panels/controls/field_control.h"
#include "gui/ui/grid/grid.h"
#include "session/state.h"

namespace attn::gui {

struct MatricesView {
  GridInteraction grid;
  std::uint64_t document = 0;  // document of the interaction
  MatrixRef grid_of;
  // Labels of rows and columns, cached because very wide matrices have very many.
  std::optional<std::uint64_t> labels_version;
  TokenList rows, columns;
  bool scaling = false;  // the factor field is open
  bool focus_factor = false;
  FieldInteractions factor;
  float factor_value = 1.0F;  // as dragged or typed; not yet applied
};

// Probe names begin with "inputs/"; those of cells with "inputs/grid/".
void matrices_panel(Ui& ui, const AppState& state, MatricesView& view);

// Selected block as tab-separated text; empty without a matrix.
std::string selected_block_text(const AppState& state);

// Repeats the first row (`down`) or first column of the selection in all of its rows or columns;
// possible if there are several.
bool can_fill(const AppState& state, bool down);
Command fill_selection(const AppState& state, bool down);

// True if the columns of the shown matrix can be named.
bool can_name_columns(const AppState& state);

// Pastes `text` at the top left of the selection.
Command paste_at_selection(const AppState& state, std::string text);

}  // namespace attn::gui
