// Small controls used by every panel: each records its probe name, has a tooltip, and returns the
// user's action.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "gui/ui/text_input.h"

namespace attn::gui {

enum class ButtonKind {
  Normal,
  Primary,  // the most likely choice; at most one in a dialog
  Quiet,    // no frame unless hovered
};

struct ButtonOptions {
  ButtonKind kind = ButtonKind::Normal;
  std::string_view tooltip = {};
  std::string_view shortcut = {};  // shown in the tooltip, such as "Ctrl+S"
  bool enabled = true;
  std::string_view disabled_reason = {};  // replaces the tooltip
  bool on = false;                        // state of a toggle
  float width = 0.0F;                     // units; 0: fits the label
  std::optional<Command> sends = {};      // when it is pressed
};

// `text` for ImGui's fonts: with the letters of its indices and exponents (formula_runs), and
// without a line break before "%".
std::string typeset(std::string_view text);

// Label of an ImGui item with that name: "TEXT###NAME", typeset.
std::string item_label(std::string_view text, std::string_view name);

// Copies `text` and reports it by a notice.
void copy_and_notify(Ui& ui, const std::string& text, const std::string& notice);

// Text of the clipboard; empty when it has none.
std::string clipboard_text();

// Size of a line drawn by text_line(), in pixels.
ImVec2 text_size(std::string_view text);
// Draws a line in the interface's font as an item, typeset.
void text_line(std::string_view text);

// True when pressed. Probe: `name`, value "on" or "".
bool button(Ui& ui, std::string_view name, std::string_view label,
            const ButtonOptions& options = {});

// A row of an open menu, which closes when it is chosen: returns true then. Probe: as button().
bool menu_item(Ui& ui, std::string_view name, std::string_view label,
               const ButtonOptions& options = {});

// A button that the caller draws.
struct DrawnButton {
  bool pressed, hovered;
  ImVec2 min, max;
  ImVec2 middle() const { return ImVec2((min.x + max.x) / 2, (min.y + max.y) / 2); }
};
// Probe: `name`, value `value`.
DrawnButton drawn_button(Ui& ui, std::string_view name, ImVec2 size_px, std::string_view value = {},
                         bool enabled = true);

// Tooltip of the last item after a short delay; with `even_disabled`, at once and for disabled
// items too. Probe: "tooltip", value `text`.
void tooltip(Ui& ui, std::string_view text, std::string_view shortcut = {},
             bool even_disabled = false);

// Tooltip with a text that is made on hover only.
void tooltip(Ui& ui, const std::function<std::string()>& text);

// Tooltip of one line in any script.
void text_tooltip(Ui& ui, std::string_view text);

// Label of a control, in the line before it.
void control_name(Ui& ui, std::string_view label);

// A switch with a label. Returns the new state on a change. Probe: `name`, value "on" or "off".
std::optional<bool> checkbox(Ui& ui, std::string_view name, std::string_view label, bool on,
                             std::string_view explanation = {}, std::string_view shortcut = {});

// A check mark without a box, `size_px` large. Returns the new state when pressed. Probe: `name`,
// value "on" or "off".
std::optional<bool> tick(Ui& ui, std::string_view name, bool on, ImVec2 size_px,
                         std::string_view explanation = {});

// Tooltip of a choice by index; "" for none.
using Explanation = std::function<std::string(std::size_t choice)>;

// Choice among a few visible labels. Probes: "NAME/LABEL", value "on" for the selected one.
std::optional<std::size_t> segmented(Ui& ui, std::string_view name,
                                     std::span<const std::string_view> labels, std::size_t selected,
                                     const Explanation& explanation);

// Choice among a few words on a line, the selected one underlined. Probes: as segmented().
std::optional<std::size_t> tabs(Ui& ui, std::string_view name,
                                std::span<const std::string_view> labels, std::size_t selected,
                                const Explanation& explanation);

// Tooltips of choices, in order.
Explanation explained(std::initializer_list<const char*> sentences);

// Choice from a list. Probes: `name` with the selected label as value, "NAME/LABEL" while open.
// `width` in units, 0: the rest of the line.
std::optional<std::size_t> combo(Ui& ui, std::string_view name,
                                 std::span<const std::string_view> choices, std::size_t selected,
                                 float width = 0.0F, std::string_view explanation = {});

// Why a choice has no effect; "" if it has one. Called only while the menu is open.
using ReasonAgainst = std::function<std::string(std::size_t choice)>;

// A combo drawn as a word with a triangle, as wide as the choice and without a frame unless
// hovered; `strong` is for the head of a row. Choices without effect are muted and show their
// reason as a tooltip. Probes: as combo().
std::optional<std::size_t> word_menu(Ui& ui, std::string_view name,
                                     std::span<const std::string_view> choices,
                                     std::size_t selected, bool strong,
                                     const ReasonAgainst& reason_against = {},
                                     std::string_view explanation = {});
float word_menu_width(Ui& ui, std::string_view choice);  // pixels
// Draws such a word, whose rows `list` draws while it is open.
void word_menu(Ui& ui, std::string_view name, std::string_view choice, bool strong,
               std::string_view explanation, const std::function<void()>& list);

// A line in any script, shortened with "…" to `width_px`, with the full text as tooltip.
void elided_text(Ui& ui, std::string_view text, float width_px, Color color, bool bold = false);

// Bold title with padding above. Probe: "section/TITLE".
void section_header(Ui& ui, std::string_view title);

// A few words in the muted colour.
void fragment(Ui& ui, std::string_view words);

// Wrapped at the right end of the window, in the interface's font.
void wrapped_text(std::string_view text, Color color);
// Explains in the muted colour why the panel is empty and how to fill it. Probe: `name`, if any.
void empty_hint(Ui& ui, std::string_view text, std::string_view name = {});
// Text in the error colour. Probe: `name`.
void problem_text(Ui& ui, std::string_view text, std::string_view name);

// State of a field on screen; the caller keeps one per field.
struct FieldInteraction {
  bool editing = false;
  std::string text;
  std::string problem;  // why the text was rejected, until it is changed
  bool problem_shown = false;
  int last_frame = -2;       // in which the field was drawn
  bool left = false;         // rejected text is dropped in the next frame
  bool entered = false;      // by Enter, so that rejected text stays in hand
  bool takes_focus = false;  // in the next frame
  ScalarDrag drag{};         // of a number
  Gesture wheel{};
};

struct FieldOptions {
  float width = 0.0F;          // units; 0: the rest of the line
  std::string_view hint = {};  // shown while empty
  std::string_view tooltip = {};
  bool focus = false;         // take the keyboard in this frame
  bool drags = false;         // a press may drag its number (scalar_box())
  bool keeps_blanks = false;  // line breaks and tabs that are pasted stay in the text
  bool shows_problem = true;  // below a field_control(); else the caller calls field_problem()
};

// One line of text. Returns the new text on Enter or when the field is left; Esc restores it.
// Probe: `name`, value the text shown.
std::optional<std::string> text_field(Ui& ui, std::string_view name, std::string_view text,
                                      FieldInteraction& interaction,
                                      const FieldOptions& options = {});

// Keeps rejected text and its reason in the field for correction: until Esc, a click elsewhere, or
// hiding the field, which restore the value.
void refuse_text(FieldInteraction& interaction, std::string text, std::string problem);

// Draws the reason for the rejection below the field; a new reason is scrolled into view. Nothing
// without one. Probe: "NAME/problem".
void field_problem(Ui& ui, std::string_view name, FieldInteraction& interaction);

// One short sentence about a rejected number, for display at the field.
std::string refusal_text(const Error& error);

}  // namespace attn::gui
