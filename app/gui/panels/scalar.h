// Numbers that are changed without typing: by dragging their label or their box, or by the wheel
// with Ctrl over either. Every field of one number goes through here.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "gui/ui/widgets.h"

namespace attn::gui {

struct ScalarLimits {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool whole = false;        // no fractions
  bool above_least = false;  // `least` itself is not taken
  std::string_view unit{};   // what it counts, such as "points"; empty: it has no unit
};

// What a step of a drag, or a notch of the wheel, adds: 1, or the power of ten that is about a
// fiftieth of the range, or a tenth of the number's first digit, whichever is smaller.
double step_of(const ScalarLimits& limits, double value);

// `help`, what is taken and its unit, in one line: "Digits of numbers (0 to 9, digits)".
std::string with_limits(std::string_view help, const ScalarLimits& limits);

// The number that the text is, also as a sum such as 2*3, as a field reads it; the text itself
// where it is none.
std::string evaluated_text(const std::string& text, bool whole);

// The label of a number, as text in a row; dragged sideways it changes the number, one step every 4
// units, with Shift or Alt a tenth of it. Returns the new number within the limits when it is
// another; ui.field_gesture then names the drag. No number (as of an option that is left out), or
// not `enabled`: only a label. Probe: "NAME/label".
std::optional<double> scalar_label(Ui& ui, std::string_view name, std::string_view label,
                                   std::string_view help, const ScalarLimits& limits,
                                   std::optional<double> value, FieldInteraction& interaction,
                                   bool enabled = true);

// The same by a drag of the item drawn last, such as a switch whose label it is: `dragged` says
// that it was a drag, which must not switch it when the button goes up.
struct DraggedItem {
  std::optional<double> number;
  bool dragged = false;
};
DraggedItem scalar_item(Ui& ui, const ScalarLimits& limits, std::optional<double> value,
                        FieldInteraction& interaction);

// The same by a drag in the box of a field, the item drawn last (FieldOptions::drags), which must
// not have the keyboard, and by the wheel with Ctrl over it.
std::optional<double> scalar_box(Ui& ui, const ScalarLimits& limits, std::optional<double> value,
                                 FieldInteraction& interaction, bool enabled = true);

// A number as a field writes it.
std::string scalar_text(double value, bool whole);

}  // namespace attn::gui
