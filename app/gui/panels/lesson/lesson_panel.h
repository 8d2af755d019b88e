// Card of a lesson, in place of the tokens: its text, the guess, Back and Next.
#pragma once

#include <cstddef>
#include <string>

#include "gui/panels/controls/controls.h"
#include "session/state.h"

namespace attn::gui {

struct LessonView {
  std::string text;    // as placed
  double width = 0.0;  // units
  PlacedText placed{};
  std::size_t step = 0;   // drawn last
  bool revealed = false;  // then
};

// Probe names: "lesson/text", "lesson/back", "lesson/next", "lesson/restore", "lesson/reveal",
// "lesson/end", "lesson/guess/INDEX".
void lesson_panel(Ui& ui, const AppState& state, LessonView& view);

}  // namespace attn::gui
