// What the panels share beyond the controls of ui/widgets.h: text in any script that wraps, arrows,
// items that flow into lines, role colours, lists of what is counted.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>

#include "document/edit.h"
#include "gui/ui/context.h"
#include "gui/ui/text_input.h"
#include "gui/ui/widgets.h"
#include "session/state.h"

namespace attn::gui {

inline constexpr double kTextSize = 14.0;  // units, of text in any script

// What was said in a line of a terminal, as a sentence of its own: with a capital, unless it begins
// with a name as documents write it.
std::string as_sentence(std::string text);

// Wrapped, in the colour of errors.
void problem_text(Ui& ui, std::string_view text);
// Any script, shaped, wrapped to `width_px` or, without one, to the width available; one item.
void rich_text(Ui& ui, std::string_view text, double size, Color color, float width_px = 0.0F);
// How high that is.
float rich_text_height(Ui& ui, std::string_view text, double size, float width_px);
// A token made visible and cut in its middle to `width_px` pixels.
std::string fitted_token(const Ui& ui, std::string_view token, float width_px);
// Draws such a text in the middle of a row of `height_px` that begins at `at`.
void draw_in_row(Ui& ui, std::string_view text, ImVec2 at, float height_px, Color color);

bool arrow_button(Ui& ui, ImGuiDir direction, std::string_view name, bool enabled,
                  std::string_view help);

// A coloured line below the last item: what it belongs to.
void role_mark(const Ui& ui, Color role);

// A field whose text the caller keeps, for typing that is read as it happens; `drag` as in
// text_input().
TextInputResult line_field(Ui& ui, std::string_view name, std::string& text, const char* hint,
                           float width_px, TextSelection select = TextSelection::End,
                           const ScalarDrag* drag = nullptr);

// Of a button with the label, in pixels.
float button_width(Ui& ui, std::string_view label);

// Puts items side by side and begins a new line when the next one would not fit.
class Flow {
 public:
  void next(float width_px);
  float room() const;  // pixels left on the present line

 private:
  bool first_ = true;
};

// Enter of the main block or of the keypad went down in this frame.
bool enter_pressed();

// Nothing is drawn when there is only one to choose from.
void sample_selector(Ui& ui, const AppState& state, std::string_view name);

// A list "Head 1", "Head 2", …, counted as sentences and titles do: returns the chosen index.
std::optional<std::size_t> numbered_choice(Ui& ui, std::string_view name, const char* noun,
                                           std::size_t count, std::size_t current);
float numbered_choice_width(Ui& ui, const char* noun, std::size_t count);  // pixels

}  // namespace attn::gui
