// The inputs as a spreadsheet: Q, K and V, or embeddings and projections, or given weights.
#pragma once

#include <cstdint>
#include <optional>

#include "gui/panels/controls/controls.h"
#include "gui/ui/grid/grid.h"
#include "session/state.h"

namespace attn::gui {

// What rows and columns are called; kept, because very wide matrices have very many.
struct GridLabels {
  MatrixRef of;
  std::optional<std::uint64_t> version;
  TokenList rows, columns;
};

struct MatricesView {
  GridInteraction grid;
  std::uint64_t document = 0;  // what the interaction belongs to
  MatrixRef grid_of;
  GridLabels labels;
  bool scaling = false;  // the factor is being entered
  bool focus_factor = false;
  FieldInteraction factor;
  float factor_value = 1.0F;  // as dragged or turned; not yet applied
};

// Probe names begin with "inputs/"; cells with "inputs/grid/".
void matrices_panel(Ui& ui, const AppState& state, MatricesView& view);

// The selected block as tab-separated text; empty when the matrix is not there.
std::string selected_block_text(const AppState& state);

// The first row of the selection in all of its rows, or its first column in all columns, where
// there is more than one.
bool can_fill(const AppState& state, bool down);
Command fill_selection(const AppState& state, bool down);

// Whether the columns of the matrix that is shown can be named.
bool can_name_columns(const AppState& state);

// A paste of `text` at the top left of the selection.
Command paste_at_selection(const AppState& state, std::string text);

}  // namespace attn::gui
