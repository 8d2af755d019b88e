// Controls for any described field: a check box, a list, or a text field that says what it refuses;
// and numbers that are changed without typing, by dragging their label or their box, or by the
// wheel with Ctrl over either. Every field of one number goes through here.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
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

// What is being typed, by probe name.
using FieldInteractions = std::map<std::string, FieldInteraction, std::less<>>;

// A field and its value, whatever they are of.
struct FieldValue {
  std::string label, help;
  FieldKind kind = FieldKind::Text;
  std::vector<std::string_view> choices;  // as the field names them
  std::vector<std::string> words;         // as people read them
  std::string text;                       // the value
  // Why another text cannot be the value; ok when it can.
  std::function<Status(const std::string&)> check;
  ScalarLimits limits{};  // of a number
  bool moves = true;      // which drags and the wheel change
};

inline bool is_number(FieldKind kind) {
  return kind == FieldKind::Integer || kind == FieldKind::Number;
}

template <class Options>
FieldValue value_of(const Field<Options>& field, const Options& options) {
  FieldValue value{control_label(field.name, field.label),
                   std::string(field.help),
                   field.kind,
                   field.choices,
                   choice_words(field),
                   field.get(options),
                   {},
                   {},
                   true};
  value.check = [&field, options](const std::string& text) {
    Options tried = options;
    return field.set(tried, text, Spelling::Field);
  };
  if (field.minimum != 0.0 || field.maximum != 0.0) {
    value.limits.least = field.minimum;
    value.limits.most = field.maximum;
  }
  value.limits.whole = field.kind == FieldKind::Integer;
  value.limits.unit = field.unit;
  return value;
}

// Where the value stands among the choices.
std::size_t chosen_index(const FieldValue& field);

struct FieldLook {
  float width = 0.0F;          // units; 0: the rest of the line
  std::string_view hint = {};  // shown while empty
  bool focus = false;          // take the keyboard now
};

// The new value once it is one that the field takes; what it refuses stays in the control with the
// reason. Probe: `name`.
std::optional<std::string> field_control(Ui& ui, std::string_view name, const FieldValue& field,
                                         FieldInteractions& typing, const FieldLook& look = {});

// Its label, which drags a number. The new value.
std::optional<std::string> field_label(Ui& ui, std::string_view name, const FieldValue& field,
                                       FieldInteractions& typing);

// The same behind its label, which stands `label_width` units wide.
std::optional<std::string> field_row(Ui& ui, std::string_view name, const FieldValue& field,
                                     FieldInteractions& typing, float label_width,
                                     const FieldLook& look = {});

}  // namespace attn::gui
