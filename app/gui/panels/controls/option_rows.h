// Rows of a panel with one setting each: a label or a checkbox, and a field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gui/panels/controls/field_control.h"
#include "gui/ui/widgets.h"

namespace attn::gui {

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

// A whole number, or nothing for "no end". The outer optional tells whether it changed.
std::optional<std::optional<std::uint64_t>> reach_row(Ui& ui, const RowWords& words,
                                                      std::optional<std::uint64_t> value,
                                                      FieldInteractions& fields);

// A number above 0.
std::optional<float> positive_row(Ui& ui, const RowWords& words, float value,
                                  FieldInteractions& fields);

// Any number.
std::optional<float> number_row(Ui& ui, const RowWords& words, float value,
                                FieldInteractions& fields);

// A checkbox, and while it is on a number above 0. Switching on sets `usual`.
std::optional<std::optional<float>> optional_number_row(Ui& ui, const RowWords& words,
                                                        std::optional<float> value, float usual,
                                                        FieldInteractions& fields);

// Numbers separated by spaces or semicolons; may be empty. Typed only.
std::optional<std::vector<float>> numbers_row(Ui& ui, const RowWords& words,
                                              const std::vector<float>& values,
                                              FieldInteractions& fields);
// Whole numbers separated by spaces or semicolons; may be empty. Typed only.
std::optional<std::vector<std::int64_t>> integers_row(Ui& ui, const RowWords& words,
                                                      const std::vector<std::int64_t>& values,
                                                      FieldInteractions& fields);

// Choice from a table of rows with label, formula and sentence, with the latter two shown below.
template <class Info>
const Info* choice_row(Ui& ui, const RowWords& words, std::span<const Info> table,
                       const Info& selected);

// Formula and sentence of the choice.
void formula_lines(Ui& ui, std::string_view formula, std::string_view sentence);

template <class Info>
const Info* choice_row(Ui& ui, const RowWords& words, std::span<const Info> table,
                       const Info& selected) {
  const auto current = static_cast<std::size_t>(&selected - table.data());
  const std::optional<std::size_t> chosen =
      combo(ui, words.name, words.label, labels_of(table), current, 0.0F, words.help);
  formula_lines(ui, selected.formula, selected.sentence);
  return chosen ? &table[*chosen] : nullptr;
}

}  // namespace attn::gui
