// Controls shared by panels beyond those of ui/widgets.h: wrapped text in any script, arrows,
// flowing items, role colours, numbered lists.
#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "gui/platform/imgui_compat.h"
#include "gui/ui/context.h"
#include "gui/ui/markdown.h"
#include "gui/ui/text_input.h"
#include "gui/ui/widgets.h"
#include "session/state.h"

namespace attn::gui {

inline constexpr double kTextSize = 14.0;  // units, of text in any script

// Height of problem_text() with spacing, in pixels; 0 for an empty text.
float problem_height(std::string_view text);
// Shaped text in any script as one item, wrapped to `width_px`, or to the available width by
// default.
void rich_text(Ui& ui, std::string_view text, double size, Color color, float width_px = 0.0F);
// Height of rich_text() with these arguments, in pixels.
float rich_text_height(Ui& ui, std::string_view text, double size, float width_px);
// A token with visible spaces, shortened in its middle to `width_px` pixels.
std::string fitted_token(const Ui& ui, std::string_view token, float width_px);
// Draws a text vertically centred in a row of `height_px` that begins at `at`.
// A `formula` has its indices.
void draw_in_row(Ui& ui, std::string_view text, ImVec2 at, float height_px, Color color,
                 bool formula = false);

// Fills a bar that goes from `at` to the right, or to the left for a negative length: at least a
// pixel, and nothing for 0. Sizes are pixels.
void fill_bar(const Ui& ui, ImVec2 at, float length, float height, Color color);

// Draws a cell of placed Markdown from `at` on. Links within the text ("#the-view") have the accent
// and call `link` with their place; other links are plain text.
using DrawLink = std::function<void(const PlacedRun& run, ImVec2 at)>;
void draw_cell(Ui& ui, const PlacedItem& item, const PlacedCell& cell, ImVec2 at,
               const DrawLink& link);
// The bullet of a list item that begins at `at`; nothing for others.
void draw_bullet(Ui& ui, const PlacedItem& item, ImVec2 at);

// An edge between two parts, next to each other if `beside`, else one below the other, with a line
// at `line_at` 0 … 1 across it. Returns how far it was dragged across in this frame, in pixels.
// Probe: `name`.
float dragged_edge(Ui& ui, const std::string& name, ImVec2 size, bool beside, float line_at,
                   std::string_view help, std::string_view value = {});

bool arrow_button(Ui& ui, ImGuiDir direction, std::string_view name, bool enabled,
                  std::string_view help);
// Arrows to the previous and the next match of a search, right of the last item. Returns -1 or 1
// when one is pressed, else 0. Probes: "NAME/previous", "NAME/next".
int match_arrows(Ui& ui, const std::string& name, bool enabled, const std::string& next_key);

// A field with a text owned by the caller and read while it is typed, with a tooltip; a negative
// width is subtracted from the rest of the line; `drag` as in text_input().
TextInputResult line_field(Ui& ui, std::string_view name, std::string& text, const char* hint,
                           std::string_view help, float width_px,
                           TextSelection select = TextSelection::End,
                           const ScalarDrag* drag = nullptr);

// A button at the right end of the last line, or below it if there is no space, with `padding_px`
// around its label.
bool button_beside(Ui& ui, std::string_view name, std::string_view label, std::string_view help,
                   float padding_px = ImGui::GetStyle().FramePadding.x);

// Width of a button with the label, in pixels.
float button_width(Ui& ui, std::string_view label);

// Places items in a line and begins a new line when the next one does not fit.
struct Flow {
  bool first = true;
  void next(float width_px);
  float space() const;  // pixels left on the current line
};

// A list "Head 1", "Head 2", …, numbered like sentences and titles, also layers by their numbers.
// Returns the chosen index.
std::optional<std::size_t> numbered_choice(Ui& ui, std::string_view name, const char* noun,
                                           const AttentionShape& layers, std::size_t current);
float numbered_choice_width(Ui& ui, const char* noun, const AttentionShape& layers);  // pixels

}  // namespace attn::gui
