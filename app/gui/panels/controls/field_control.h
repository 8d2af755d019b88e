// Controls for described fields: a checkbox, a list, or a text field that explains rejected input;
// numbers that can be dragged by their label or box, or changed by Ctrl and the wheel; and rows of
// a panel with one setting each. Every number field uses these controls.
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
  bool above_least = false;  // `least` itself is excluded
  std::string_view unit{};   // such as "points"; empty: no unit
};

// Change per step of a drag or notch of the wheel: 1 for whole numbers; else the power of ten that
// is about a fiftieth of the range, or a tenth of the number's first digit, whichever is smaller.
double step_of(const ScalarLimits& limits, double value);

// `help` with limits and unit in one line: "Digits of numbers (0 to 9, digits)".
std::string with_limits(std::string_view help, const ScalarLimits& limits);

// The number as a field writes it, also of an expression such as 2*3; the text itself if it is not
// a number.
std::string evaluated_text(const std::string& text, bool whole);

// Label of a number in a row. Dragging it sideways changes the number by one step per 4 units, or a
// tenth of a step with Shift or Alt. Returns the new number within the limits when it changed;
// ui.field_gesture is then the drag. Without a number (an absent option) only a label. Probe:
// "NAME/label".
std::optional<double> scalar_label(Ui& ui, std::string_view name, std::string_view label,
                                   std::string_view help, const ScalarLimits& limits,
                                   std::optional<double> value, FieldInteraction& interaction);

// Drag by the box of a field, which is the last item (FieldOptions::drags) and must not have the
// keyboard, and change by Ctrl and the wheel over it.
std::optional<double> scalar_box(Ui& ui, const ScalarLimits& limits, std::optional<double> value,
                                 FieldInteraction& interaction);

// Reason why the text is no number or expression of numbers; empty if it is.
std::string number_problem(const std::string& text);

// States of fields by probe name.
using FieldInteractions = std::map<std::string, FieldInteraction, std::less<>>;

struct FieldValue {
  std::string label{}, help{};
  FieldKind kind = FieldKind::Text;
  std::vector<std::string_view> choices{};  // names in documents
  std::vector<std::string> words{};         // labels
  std::string text{};                       // value as text
  // Reason why another text cannot be the value; empty if it can.
  std::function<std::string(const std::string&)> problem{};
  ScalarLimits limits{};  // of a number
  bool moves = true;      // whether drags and the wheel change it
};

inline bool is_number(FieldKind kind) {
  return kind == FieldKind::Integer || kind == FieldKind::Number;
}

template <class Options>
FieldValue value_of(const Field<Options>& field, const Options& options) {
  FieldValue value{.label = control_label(field.name, field.label),
                   .help = std::string(field.help),
                   .kind = field.kind,
                   .choices = field.choices,
                   .words = choice_words(field),
                   .text = field.get(options)};
  value.problem = [&field, options](const std::string& text) -> std::string {
    Options tried = options;
    const Status set = field.set(tried, text, Spelling::Field);
    return set ? "" : control_label(set.error().expected, {});
  };
  if (field.minimum != 0.0 || field.maximum != 0.0) {
    value.limits.least = field.minimum;
    value.limits.most = field.maximum;
  }
  const bool other = field.may_list && std::ranges::count(field.choices, value.text) == 0;
  if (other) value.words.emplace_back("Own colours");
  value.limits.whole = field.kind == FieldKind::Integer;
  value.limits.unit = field.unit;
  return value;
}

// Index of the value among the choices.
std::size_t chosen_index(const FieldValue& field);

// Control of a field. Returns the new value once it is valid; rejected input stays in the control
// with the reason. Probe: `name`.
std::optional<std::string> field_control(Ui& ui, std::string_view name, const FieldValue& field,
                                         FieldInteractions& typing, const FieldOptions& look = {});

// Label of a field, which drags a number. Returns the new value.
std::optional<std::string> field_label(Ui& ui, std::string_view name, const FieldValue& field,
                                       FieldInteractions& typing);

// Label, `label_width` units wide, and control in one row. Returns the new value.
std::optional<std::string> field_row(Ui& ui, std::string_view name, const FieldValue& field,
                                     FieldInteractions& typing, float label_width,
                                     const FieldOptions& look = {});

// --- Rows of a panel: a label or a checkbox, and a field

struct RowWords {
  std::string_view name;    // probe name of the row; its field is NAME/value
  std::string_view label;   // in front of the field
  std::string_view help;    // tooltip
  std::string_view unit{};  // unit of a number, such as "keys"; empty: none
};

// A whole number of at least `least`. Returns the new number; rejected input stays in the field
// with its reason. Without `drags` it can only be typed, for settings where intermediate numbers
// would discard data.
std::optional<std::uint64_t> count_row(Ui& ui, const RowWords& words, std::uint64_t value,
                                       std::uint64_t least, FieldInteractions& fields,
                                       bool drags = true);

// A row for a whole number, or nothing for "no end". The outer optional is empty if nothing
// changed.
std::optional<std::optional<std::uint64_t>> reach_row(Ui& ui, const RowWords& words,
                                                      std::optional<std::uint64_t> value,
                                                      FieldInteractions& fields);

// A row for any number, or one above 0.
std::optional<float> number_row(Ui& ui, const RowWords& words, float value,
                                FieldInteractions& fields, bool above_zero = false);

// A checkbox, and while it is on a number above 0. Switching on sets `usual`.
std::optional<std::optional<float>> optional_number_row(Ui& ui, const RowWords& words,
                                                        std::optional<float> value, float usual,
                                                        FieldInteractions& fields);

// Floats or whole numbers, each read by `parse`, separated by spaces or semicolons; may be empty.
// Typed only.
template <class Number>
std::optional<std::vector<Number>> numbers_row(Ui& ui, const RowWords& words,
                                               const std::vector<Number>& values,
                                               FieldInteractions& fields,
                                               Result<Number> (*parse)(std::string_view));

}  // namespace attn::gui
