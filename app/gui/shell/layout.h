// Where everything is in the window: inputs on the left, plots in the middle, inspector and masks
// on the right, notices and one status line below; the edges between them can be dragged.
#pragma once

#include "gui/panels/document_card.h"
#include "gui/panels/inspector.h"
#include "gui/panels/rules.h"
#include "gui/panels/matrices.h"
#include "gui/panels/plots.h"
#include "gui/panels/status_bar.h"
#include "gui/panels/tokens.h"
#include "gui/shell/actions.h"
#include "gui/shell/notices.h"

namespace attn::gui {

// Sizes as chosen by dragging, in units; 0: not dragged yet, so what fits the window.
struct LayoutView {
  float left = 0.0F, right = 0.0F;
  float left_top = 0.0F;         // height of the upper part
  float right_top_share = 0.0F;  // of the height of its column
  // What this panel needed in the last frame, so that it takes no more.
  float tokens_height = 300.0F;
};

// Everything that belongs to interactions of the panels.
struct PanelViews {
  LayoutView layout;
  DocumentCardView document;
  TokensView tokens;
  MatricesView matrices;
  PlotsView plots;
  InspectorView inspector;
  RulesView rules;
  NoticesView notices;
};

// Widths of the columns in units for a window of `width` units: the middle keeps at least 300.
struct Columns {
  float left, middle, right;
};
Columns columns_of(const LayoutView& layout, float width);

struct MainWindowEvents {
  bool cancelled = false;            // the running job is to be
  std::optional<double> wake_after;  // seconds until a notice leaves
};

// Fills the screen. `now_seconds` is any steady clock. Probe names of the edges:
// "layout/left", "layout/right", "layout/left_top", "layout/right_top".
MainWindowEvents main_window(Ui& ui, const AppState& state, const std::vector<Action>& actions,
                             const JobView& job, PanelViews& views, double now_seconds);

}  // namespace attn::gui
