// The small controls of every panel, all alike: each records its probe name, explains itself in a
// tooltip, and returns what the user did.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "gui/ui/context.h"

namespace attn::gui {

enum class ButtonKind {
  Normal,
  Primary,  // what one most likely wants; at most one in a dialog
  Quiet,    // no frame until the pointer is on it
};

struct ButtonOptions {
  ButtonKind kind = ButtonKind::Normal;
  std::string_view tooltip = {};
  std::string_view shortcut = {};  // shown in the tooltip, such as "Ctrl+S"
  bool enabled = true;
  std::string_view disabled_reason = {};  // shown instead of the tooltip
  bool on = false;                        // a toggle that is switched on
  float width = 0.0F;                     // units; 0: as the label needs
};

// What ImGui is to show for an item of that name: "TEXT###NAME".
std::string item_label(std::string_view text, std::string_view name);

// Of a line as text_line() draws it, in pixels.
ImVec2 text_size(std::string_view text);
// In the font of the interface, as an item.
void text_line(std::string_view text);

// True when pressed. Probe: `name`, value "on" or "".
bool button(Ui& ui, std::string_view name, std::string_view label,
            const ButtonOptions& options = {});

// Explains the last item after a short delay; at once and also when the item is disabled for
// `even_disabled`. Probe: "tooltip", value `text`.
void tooltip(Ui& ui, std::string_view text, std::string_view shortcut = {},
             bool even_disabled = false);

// The same for a text that is made only when the item is pointed at.
void tooltip(Ui& ui, const std::function<std::string()>& text);

// The same on one line in any script.
void text_tooltip(Ui& ui, std::string_view text);

// The name of a control, in the line before it.
void control_name(Ui& ui, std::string_view label);

// A switch with a label. The new state when it was changed. Probe: `name`, value "on" or "off".
std::optional<bool> checkbox(Ui& ui, std::string_view name, std::string_view label, bool on,
                             std::string_view explanation = {}, bool enabled = true,
                             std::string_view shortcut = {});

// A check mark without a box, for columns of them, `size_px` large. The new state when it was
// pressed. Probe: `name`, value "on" or "off".
std::optional<bool> tick(Ui& ui, std::string_view name, bool on, ImVec2 size_px,
                         std::string_view explanation = {});

// What a choice means, by its place; "" for what needs no words.
using Explanation = std::function<std::string(std::size_t choice)>;

// One of a few, all in view, each with its tooltip. Probes: "NAME/LABEL", value "on" for the
// selected one.
std::optional<std::size_t> segmented(Ui& ui, std::string_view name,
                                     std::span<const std::string_view> labels, std::size_t selected,
                                     const Explanation& explanation);

// One of a few as words on a line, the selected one underlined. Probes: as segmented().
std::optional<std::size_t> tabs(Ui& ui, std::string_view name,
                                std::span<const std::string_view> labels, std::size_t selected,
                                const Explanation& explanation);

// One of many. Probes: `name` with the selected label as value, "NAME/LABEL" while open.
// `width` in units, 0: the rest of the line.
std::optional<std::size_t> combo(Ui& ui, std::string_view name, std::string_view label,
                                 std::span<const std::string_view> choices, std::size_t selected,
                                 float width = 0.0F, std::string_view explanation = {});

// Why a choice of a menu cannot be made; "" where it can. Asked only while the menu is open.
using ReasonAgainst = std::function<std::string(std::size_t choice)>;

// A combo as a word with a triangle, as wide as the choice and without a frame until the pointer
// is on it; `strong` for what heads a row. A choice with a reason against it is greyed and says it.
// Probes: as combo().
std::optional<std::size_t> word_menu(Ui& ui, std::string_view name,
                                     std::span<const std::string_view> choices,
                                     std::size_t selected, bool strong,
                                     const ReasonAgainst& reason_against = {},
                                     std::string_view explanation = {});
float word_menu_width(Ui& ui, std::string_view choice, bool strong);  // pixels

// A line in any script, cut with "…" to `width_px` and whole in the tooltip.
void elided_text(Ui& ui, std::string_view text, float width_px, Color color, bool bold = false);

// Bold title with air above it. Probe: "section/TITLE".
void section_header(Ui& ui, std::string_view title);
// The same in any script, as tokens are, cut to the room that is left.
void token_header(Ui& ui, std::string_view title);

// A few muted words of a line.
void fragment(Ui& ui, std::string_view words);

// Says in muted words what is missing here and what to do.
void empty_hint(Ui& ui, std::string_view text);

// A number that is changed by a drag.
struct ScalarDrag {
  double from = 0.0, value = 0.0;  // where it began, and where it is, not rounded
  std::uint64_t gesture = 0;
};

// Text being typed: belongs to the interaction, so the caller keeps one per field on screen.
struct FieldInteraction {
  bool editing = false;
  std::string text;
  std::string problem;  // why the text was refused, until it is changed
  bool told = false;    // the problem has been in view
  int last_frame = -2;  // in which the field was drawn
  bool left = false;    // what was refused is given up in the next frame
  ScalarDrag drag{};    // of a number
  Gesture wheel{};
};

struct FieldOptions {
  std::string_view hint = {};     // shown while empty
  std::string_view tooltip = {};  // said even where it is not enabled
  float width = 0.0F;             // units; 0: the rest of the line
  bool enabled = true;
  bool focus = false;         // take the keyboard now
  bool while_typing = false;  // report every change, as filters want
  bool drags = false;         // a press may become a drag of its number (scalar_box())
};

// One line of text; the new text on Enter or on leaving the field, Esc takes it back.
// Probe: `name`, value the text shown.
std::optional<std::string> text_field(Ui& ui, std::string_view name, std::string_view text,
                                      FieldInteraction& interaction,
                                      const FieldOptions& options = {});

// Keeps refused text in its field, to be put right, with the reason: until Esc, a click elsewhere,
// or the field goes out of sight, which bring its value back.
void refuse_text(FieldInteraction& interaction, std::string text, std::string problem);

// Why the text was refused, below the field; a new reason scrolls into view. Nothing without one.
// Probe: "NAME/problem".
void field_problem(Ui& ui, std::string_view name, FieldInteraction& interaction);

// One short sentence for a refused number, to stand at the field.
std::string refusal_text(const Error& error);

// The same for a number, read by parse_number; a refusal is shown below the field. `shown` stands
// in the field while it is not edited.
std::optional<float> number_field(Ui& ui, std::string_view name, std::string_view shown,
                                  FieldInteraction& interaction, const FieldOptions& options = {});

}  // namespace attn::gui
