// What the program has to say, in a strip of its own above the status line: it covers nothing, and
// takes room only while there is something to say.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "gui/ui/context.h"
#include "session/state.h"

namespace attn::gui {

struct NoticesView {
  struct Shown {
    double since = 0.0;      // when it appeared, in seconds of the caller's clock
    float height_px = 0.0F;  // as drawn last; 0: not yet
  };
  std::map<std::uint64_t, Shown> shown;  // by the notice's id
};

inline constexpr double kInfoSeconds = 6.0;
inline constexpr float kNoticesMost = 120.0F;  // units; more of them scroll

// Height of the strip with the gap below it in pixels; 0 when there is nothing to say.
float notices_height(const Ui& ui, const AppState& state, const NoticesView& view);

// Draws the strip at the cursor, the newest on top. Information leaves by itself after kInfoSeconds
// unless the pointer is on it; the rest stays until dismissed. Returns after how many seconds the
// next one leaves, so that a sleeping loop can wake. Probe names: "notices", "notice/0",
// "notice/0/dismiss", "notice/0/copy", the oldest first.
std::optional<double> notices(Ui& ui, const AppState& state, NoticesView& view, double now_seconds);

}  // namespace attn::gui
