// Where everything is in the window: a menu row, inputs on the left, plots in the middle, inspector
// and rules on the right, one status line below; the edges between them can be dragged, the sides
// fold away. Notices float above.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gui/panels/inspector/inspector.h"
#include "gui/panels/matrices.h"
#include "gui/panels/pane/plots.h"
#include "gui/panels/rules/rules.h"
#include "gui/panels/status_bar.h"
#include "gui/panels/tabs.h"
#include "gui/panels/tokens.h"
#include "gui/shell/actions/actions.h"
#include "gui/ui/context.h"
#include "session/state.h"

namespace attn::gui {

// Of the notices that float above the panels.
struct NoticesView {
  std::map<std::uint64_t, double>
      since;  // by id, when it appeared in seconds of the caller's clock
};

struct LayoutView {
  std::optional<Sides> dragged;  // while an edge is held; then they become preferences
  ImVec2 plots_corner{0, 0};     // as drawn
  // What this panel needed in the last frame, so that it takes no more.
  float tokens_height = 300.0F;
};

// Everything that belongs to interactions of the panels.
struct PanelViews {
  LayoutView layout;
  DocumentTabView document;
  TokensView tokens;
  MatricesView matrices;
  PlotsView plots;
  InspectorView inspector;
  RulesView rules;
  NoticesView notices;
};

// Widths of the columns in units for a window of `width` units; 0 for a side that is folded.
struct Columns {
  float left, middle, right;
};
Columns columns_of(const Sides& sides, float width);

struct MainWindowEvents {
  bool cancelled = false;            // the running job is to be
  std::optional<double> wake_after;  // seconds until a notice leaves
  ImVec2 plots_corner{0, 0};         // the upper right one of the room for plots, pixels
};

// Fills the screen. `now_seconds` is any steady clock. Probe names of the edges:
// "layout/left", "layout/right", "layout/left_top", "layout/right_top".
MainWindowEvents main_window(Ui& ui, const AppState& state, const std::vector<Action>& actions,
                             const JobView& job, PanelViews& views, double now_seconds);

// Inside a window with a menu bar. Probe names: "menu/File", "menu/File/open",
// "menu/File/Examples", "menu/File/Examples/Masks/example/sliding-window",
// "layout/fold_left", "layout/fold_right", "palette/open".
void menu_row(Ui& ui, const AppState& state, const std::vector<Action>& actions,
              DocumentTabView& document);

// Opens the menu that a panel has asked for (Ui::ask_context), at the pointer, with actions of the
// table. Probe names: "context/ID".
void context_menu(Ui& ui, const std::vector<Action>& actions);

inline constexpr double kInfoSeconds = 5.0;
inline constexpr float kNoticeWidth = 380.0F;  // units

// The newest at the bottom, `below_px` pixels above the window's lower edge. Information leaves by
// itself after kInfoSeconds unless the pointer is on it; the rest stays until dismissed. Returns
// after how many seconds the next one leaves, so that a sleeping loop can wake. Probe names:
// "notices", "notice/0", "notice/0/dismiss", "notice/0/copy", the oldest first.
std::optional<double> notices(Ui& ui, const AppState& state, NoticesView& view, double now_seconds,
                              float below_px);

}  // namespace attn::gui
