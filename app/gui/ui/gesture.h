// Which of many small changes are one gesture, as the turns of a wheel are: one step of undoing, or
// of going back.
#pragma once

#include <imgui.h>

#include <cstdint>

#include "gui/ui/context.h"

namespace attn::gui {

// A gesture without beginning or end, such as turning a wheel, as long as it goes on.
struct Gesture {
  std::uint64_t number = 0;
  double last = -1e9;  // seconds of ImGui's clock
};

// The gesture of what is done now: that of what was done less than half a second ago, else a new
// one.
inline std::uint64_t gesture_of(Gesture& gesture, Ui& ui) {
  constexpr double kPause = 0.5;
  const double now = ImGui::GetTime();
  if (now - gesture.last > kPause) gesture.number = ui.new_gesture();
  gesture.last = now;
  return gesture.number;
}

}  // namespace attn::gui
