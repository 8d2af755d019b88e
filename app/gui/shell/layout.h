// Layout of the window: menu bar on top, inputs on the left, plots in the middle, inspector and
// rules on the right, status bar at the bottom; edges can be dragged and the sides folded. Notices
// float above.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "gui/panels/bars.h"
#include "gui/panels/inspector/inspector.h"
#include "gui/panels/lesson/lesson_panel.h"
#include "gui/panels/matrices.h"
#include "gui/panels/model_text.h"
#include "gui/panels/pane/pane.h"
#include "gui/panels/rules/rules.h"
#include "gui/panels/tokens.h"
#include "gui/shell/actions/actions.h"
#include "session/state.h"

namespace attn::gui {

// Times of appearance by id, on the caller's clock.
using NoticeTimes = std::map<std::uint64_t, double>;

// State of the interactions with all panels.
struct PanelViews {
  std::optional<Sides> dragged;  // while an edge is held; on release they become preferences
  ImVec2 plots_corner{0, 0};     // upper right corner of the plots in the last frame, pixels
  DocumentTabView document;
  TokensView tokens;
  ModelTextView model_text;
  LessonView lesson;
  MatricesView matrices;
  PlotsView plots;
  InspectorView inspector;
  RulesView rules;
  NoticeTimes notices;
  std::uint64_t pointed_notice = 0;  // the one in the status bar that the pointer is on; 0: none
  float covered = 0.0F;              // height of the floating notices in the last frame, pixels
};

// Widths of the columns in units for a window of `width` units; 0 for a folded side.
struct Columns {
  float left, middle, right;
};
Columns columns_of(const Sides& sides, float width);

// Fills the screen. Returns whether the running job is to be cancelled. Probe names of the edges:
// "layout/left", "layout/right", "layout/left_top", "layout/right_top".
bool main_window(Ui& ui, const AppState& state, const std::vector<Action>& actions,
                 const JobQueue::Status& job, PanelViews& views);

// Call inside a window with a menu bar. Probe names: "menu/File", "menu/File/open",
// "menu/File/Examples", "menu/File/Examples/Masks/example/sliding-window", "layout/fold_left",
// "layout/fold_right", "palette/open".
void menu_row(Ui& ui, const AppState& state, const std::vector<Action>& actions,
              DocumentTabView& document);

// Opens the context menu requested by a panel (Ui::request_context) at the pointer. Probe names:
// "context/ID".
void context_menu(Ui& ui, const std::vector<Action>& actions);

inline constexpr double kInfoSeconds = 5.0;
inline constexpr float kNoticeWidth = 380.0F;  // units

// Draws notices that stay until dismissed, the newest at the bottom, above the status bar.
// Information, which main_window() shows in the status bar if there is one, disappears after
// kInfoSeconds of any steady clock unless hovered.
// Returns the seconds until the next one disappears, so that a sleeping loop can wake. Probe names:
// "notices", "notice/0", "notice/0/dismiss", "notice/0/copy", the oldest first.
std::optional<double> notices(Ui& ui, const AppState& state, PanelViews& views, double now_seconds);

}  // namespace attn::gui
