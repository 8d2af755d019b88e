// What the program has to say, floating above the panels at the lower right: it moves nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "gui/ui/context.h"
#include "session/state.h"

namespace attn::gui {

struct NoticesView {
  std::map<std::uint64_t, double>
      since;  // by id, when it appeared in seconds of the caller's clock
};

inline constexpr double kInfoSeconds = 5.0;
inline constexpr float kNoticeWidth = 380.0F;  // units

// The newest at the bottom, `below_px` pixels above the window's lower edge. Information leaves by
// itself after kInfoSeconds unless the pointer is on it; the rest stays until dismissed. Returns
// after how many seconds the next one leaves, so that a sleeping loop can wake. Probe names:
// "notices", "notice/0", "notice/0/dismiss", "notice/0/copy", the oldest first.
std::optional<double> notices(Ui& ui, const AppState& state, NoticesView& view, double now_seconds,
                              float below_px);

}  // namespace attn::gui
