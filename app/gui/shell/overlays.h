// What lies over the panels: notices, questions, the list of shortcuts, about.
#pragma once

#include <imgui.h>

#include <map>
#include <optional>
#include <vector>

#include "gui/shell/actions.h"

namespace attn::gui {

// When each notice was first shown, in seconds of the caller's clock.
struct NoticesView {
  std::map<std::uint64_t, double> shown_since;
};

inline constexpr double kInfoSeconds = 6.0;

// Of the panel whose lower edge the notices stand on, in pixels.
struct NoticesPlace {
  ImVec2 min, max;
};

// Stacked over the lower edge of the plot, so that no control is covered; readable as long as
// needed: information leaves by itself after kInfoSeconds unless the pointer is on it, the rest
// stays until dismissed. Returns after how many seconds the next one leaves, so that a sleeping
// loop can wake. Probe names: "notice/0", "notice/0/dismiss", "notice/0/copy", the oldest first.
std::optional<double> notices(Ui& ui, const AppState& state, NoticesView& view,
                              const NoticesPlace& place, double now_seconds);

// The one modal thing: a decision. Probe names: "question", "question/save", "question/discard",
// "question/cancel", "question/overwrite".
void question(Ui& ui, const AppState& state);

// Probe names: "shortcuts", "shortcuts/close".
void shortcut_list(Ui& ui, const AppState& state, const std::vector<Action>& actions);

// Probe names: "about", "about/close".
void about(Ui& ui, const AppState& state);

}  // namespace attn::gui
