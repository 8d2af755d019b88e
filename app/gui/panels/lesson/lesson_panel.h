// Cards in place of the tokens: a lesson with its text, the guess, Back and Next; and the first
// steps.
#pragma once

#include <cstddef>
#include <string>

#include "gui/panels/controls/controls.h"
#include "session/state.h"

namespace attn::gui {

struct CardText {
  std::string text;    // as placed
  double width = 0.0;  // units
  double size = 0.0;
  PlacedText placed{};
};

struct LessonView {
  CardText words, answer;
  std::size_t step = 0;                    // drawn last
  FirstStep first_step = FirstStep::None;  // drawn last; None: no longer drawn
  std::uint64_t begun_at = 0;  // revision then, of a document that may be edited already
  std::uint64_t document = 0;  // whose lesson was drawn last
  bool revealed = false;       // then
  bool to_answer = false;      // scrolls to the answer until the content has its height
  float content = 0.0F;        // height between head and foot, in pixels; 0: not drawn yet
  float height = 0.0F;         // that the card needs, in units; 0: not drawn yet
  FieldInteraction number{};
};

// Text as wide as the window, under that probe name.
void card_text(Ui& ui, CardText& text, std::string markdown, double size, const char* name);

// Probe names: "lesson/text", "lesson/answer", "lesson/back", "lesson/next", "lesson/after",
// "lesson/restore", "lesson/reveal", "lesson/verdict", "lesson/end", "lesson/guess/INDEX",
// "lesson/guess/number".
void lesson_panel(Ui& ui, const AppState& state, LessonView& view);

// Probe names: "lesson/text", "first_steps/end", "first_steps/lesson", "first_steps/all",
// "first_steps/open".
void first_steps_panel(Ui& ui, const AppState& state, LessonView& view);

// Probe name of the control that the first steps explain, or a step of a lesson until its number is
// changed; "" for none.
std::string meant_control(const AppState& state);
// Frames that control, except under menus. Called last in a frame; needs the probe.
void light_meant_control(const Ui& ui, const AppState& state);

}  // namespace attn::gui
