// A control for any described field: a check box, a list, or a text field that says what it
// refuses.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "gui/panels/controls/scalar.h"
#include "gui/ui/widgets.h"

namespace attn::gui {

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
