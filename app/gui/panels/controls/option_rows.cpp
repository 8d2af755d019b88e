// Rows of settings: numbers, lists and choices, with error messages.
#include "gui/panels/controls/option_rows.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "base/number_text.h"
#include "gui/panels/controls/controls.h"
#include "gui/panels/controls/field_control.h"
#include "numbers/read_numbers.h"

namespace attn::gui {
namespace {

constexpr float kFieldWidth = 72.0F;       // units
constexpr std::size_t kMaxInField = 1000;  // numbers

// Continues beside the last item, or below it when less than `width` units are left.
void beside(const Ui& ui, float width) {
  ImGui::SameLine();
  if (ImGui::GetContentRegionAvail().x < ui.px(width)) ImGui::NewLine();
}

std::string value_name(const RowWords& words) { return std::string(words.name) + "/value"; }

// Label of a number, which drags it.
std::optional<double> dragging_label(Ui& ui, const RowWords& words, const ScalarLimits& limits,
                                     std::optional<double> value, FieldInteractions& fields) {
  const std::string name = value_name(words);
  const auto dragged = scalar_label(ui, name, words.label, words.help, limits, value, fields[name]);
  beside(ui, kFieldWidth);
  return dragged;
}

// A text field whose text `read` parses or rejects with a reason.
template <class Value, class Read>
std::optional<Value> parsed_field(Ui& ui, std::string_view name, const std::string& shown,
                                  FieldInteractions& fields, const FieldOptions& options,
                                  Read read) {
  FieldInteraction& field = fields[std::string(name)];
  const std::optional<std::string> text = text_field(ui, name, shown, field, options);
  std::optional<Value> value;
  if (text) {
    std::string problem;
    value = read(*text, problem);
    if (!value) refuse_text(field, *text, std::move(problem));
  }
  field_problem(ui, name, field);
  return value;
}

// A number field, also changed by drags, the wheel and `dragged`, the drag by its label. `hint` is
// shown while the field is empty.
template <class Value, class Read>
std::optional<Value> scalar_field(Ui& ui, const RowWords& words, const ScalarLimits& limits,
                                  std::optional<double> value, const std::string& shown,
                                  std::string_view hint, FieldInteractions& fields,
                                  std::optional<double> dragged, Read read) {
  const std::string name = value_name(words), help = with_limits(words.help, limits);
  const FieldOptions options{
      .hint = hint, .tooltip = help, .width = kFieldWidth, .drags = value.has_value()};
  const auto typed = parsed_field<Value>(ui, name, shown, fields, options, read);
  const auto moved = scalar_box(ui, limits, value, fields[name]);
  if (!dragged && !moved) return typed;
  return read(scalar_text(dragged ? *dragged : *moved, limits.whole), fields[name].problem);
}

ScalarLimits positive(const RowWords& words) {
  return {.least = 0.0, .above_least = true, .unit = words.unit};
}

std::optional<float> number_above(const std::string& text, const ScalarLimits& limits,
                                  std::string& problem) {
  const Result<float> number = evaluate_number(text);
  if (number.ok() && static_cast<double>(*number) > limits.least) return *number;
  problem =
      number.ok() ? "A number above " + plain_text(limits.least) : refusal_text(number.error());
  return std::nullopt;
}

std::optional<float> float_field(Ui& ui, const RowWords& words, const ScalarLimits& limits,
                                 float value, FieldInteractions& fields,
                                 std::optional<double> dragged) {
  return scalar_field<float>(ui, words, limits, static_cast<double>(value),
                             scalar_text(static_cast<double>(value), false), {}, fields, dragged,
                             [&](const std::string& text, std::string& problem) {
                               return number_above(text, limits, problem);
                             });
}

std::optional<float> float_row(Ui& ui, const RowWords& words, const ScalarLimits& limits,
                               float value, FieldInteractions& fields) {
  const auto dragged = dragging_label(ui, words, limits, static_cast<double>(value), fields);
  return float_field(ui, words, limits, value, fields, dragged);
}

ScalarLimits whole_from(std::uint64_t least, const RowWords& words) {
  return {.least = static_cast<double>(least), .whole = true, .unit = words.unit};
}

// Nothing for a number that a double does not represent exactly; it can be typed only.
std::optional<double> exact_number(std::uint64_t value) {
  constexpr std::uint64_t kMaxExact = std::uint64_t{1} << 53U;
  return value <= kMaxExact ? std::optional(static_cast<double>(value)) : std::nullopt;
}

std::optional<std::uint64_t> whole_number(const std::string& text, std::uint64_t least,
                                          std::string& problem) {
  const Result<std::int64_t> number = parse_integer(evaluated_text(text, true));
  if (number.ok() && *number >= 0 && static_cast<std::uint64_t>(*number) >= least) {
    return static_cast<std::uint64_t>(*number);
  }
  problem = "A whole number from " + std::to_string(least) + " on";
  return std::nullopt;
}

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t") == text.npos; }

std::string item_text(float value) { return shortest_text(value); }
std::string item_text(std::int64_t value) { return std::to_string(value); }

template <class Number>
std::string joined(const std::vector<Number>& values) {
  std::string text;
  for (const Number value : values) text += (text.empty() ? "" : " ") + item_text(value);
  return text;
}

// The numbers of a text, each parsed by `parse`.
template <class Number>
std::optional<std::vector<Number>> numbers_of(const std::string& text, std::string& problem,
                                              Result<Number> (*parse)(std::string_view)) {
  std::vector<Number> values;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = text.find_first_not_of(" \t;", at);
    if (begin == text.npos) break;
    const std::size_t end = std::min(text.find_first_of(" \t;", begin), text.size());
    const Result<Number> number = parse(std::string_view(text).substr(begin, end - begin));
    if (!number) {
      problem = refusal_text(number.error());
      return std::nullopt;
    }
    values.push_back(*number);
    at = end;
  }
  return values;
}

template <class Number>
std::optional<std::vector<Number>> list_row(Ui& ui, const RowWords& words,
                                            const std::vector<Number>& values,
                                            FieldInteractions& fields,
                                            Result<Number> (*parse)(std::string_view)) {
  constexpr bool kWhole = std::is_integral_v<Number>;
  const std::string help = std::string(words.help) + (kWhole ? " (whole numbers" : " (numbers") +
                           ", with blanks or semicolons between them)";
  control_name(ui, words.label);
  tooltip(ui, help);
  beside(ui, kFieldWidth);
  if (values.size() > kMaxInField) {
    const std::string count = grouped_text(values.size()) + " numbers, too many to change here";
    empty_hint(ui, count);
    ui.mark(value_name(words), count);
    return std::nullopt;
  }
  return parsed_field<std::vector<Number>>(ui, value_name(words), joined(values), fields,
                                           {.hint = "None", .tooltip = help},
                                           [parse](const std::string& text, std::string& problem) {
                                             return numbers_of(text, problem, parse);
                                           });
}

}  // namespace

std::optional<std::uint64_t> count_row(Ui& ui, const RowWords& words, std::uint64_t value,
                                       std::uint64_t least, FieldInteractions& fields, bool drags) {
  const ScalarLimits limits = whole_from(least, words);
  const auto number = drags ? exact_number(value) : std::nullopt;
  const auto dragged = dragging_label(ui, words, limits, number, fields);
  return scalar_field<std::uint64_t>(ui, words, limits, number, std::to_string(value), {}, fields,
                                     dragged,
                                     [least](const std::string& text, std::string& problem) {
                                       return whole_number(text, least, problem);
                                     });
}

std::optional<std::optional<std::uint64_t>> reach_row(Ui& ui, const RowWords& words,
                                                      std::optional<std::uint64_t> value,
                                                      FieldInteractions& fields) {
  using Reach = std::optional<std::uint64_t>;
  const ScalarLimits limits = whole_from(0, words);
  const auto number = value ? exact_number(*value) : std::nullopt;
  const auto dragged = dragging_label(ui, words, limits, number, fields);
  return scalar_field<Reach>(
      ui, words, limits, number, value ? std::to_string(*value) : "", "No end", fields, dragged,
      [](const std::string& text, std::string& problem) -> std::optional<Reach> {
        if (is_blank(text)) return Reach{};
        const std::optional<std::uint64_t> whole = whole_number(text, 0, problem);
        return whole ? std::optional<Reach>(whole) : std::nullopt;
      });
}

std::optional<std::optional<float>> optional_number_row(Ui& ui, const RowWords& words,
                                                        std::optional<float> value, float usual,
                                                        FieldInteractions& fields) {
  const ScalarLimits limits = positive(words);
  const auto on =
      checkbox(ui, words.name, words.label, value.has_value(), with_limits(words.help, limits));
  const auto shown = value ? std::optional(static_cast<double>(*value)) : std::nullopt;
  const DraggedItem drag = scalar_item(ui, limits, shown, fields[value_name(words)]);
  if (on && !drag.dragged) {
    fields.erase(value_name(words));
    return *on ? std::optional<float>(usual) : std::optional<float>();
  }
  if (!value) return std::nullopt;
  beside(ui, kFieldWidth);
  if (const auto number = float_field(ui, words, limits, *value, fields, drag.number)) {
    return number;
  }
  return std::nullopt;
}

std::optional<float> positive_row(Ui& ui, const RowWords& words, float value,
                                  FieldInteractions& fields) {
  return float_row(ui, words, positive(words), value, fields);
}

std::optional<float> number_row(Ui& ui, const RowWords& words, float value,
                                FieldInteractions& fields) {
  return float_row(ui, words, {.unit = words.unit}, value, fields);
}

std::optional<std::vector<float>> numbers_row(Ui& ui, const RowWords& words,
                                              const std::vector<float>& values,
                                              FieldInteractions& fields) {
  return list_row(ui, words, values, fields, &parse_number);
}

std::optional<std::vector<std::int64_t>> integers_row(Ui& ui, const RowWords& words,
                                                      const std::vector<std::int64_t>& values,
                                                      FieldInteractions& fields) {
  return list_row(ui, words, values, fields, &parse_integer);
}

void formula_lines(Ui& ui, std::string_view formula, std::string_view sentence) {
  rich_text(ui, formula, kTextSize, ui.colors().ink);
  rich_text(ui, ui.text(Wording::Explanation, sentence), kTextSize - 1, ui.colors().muted);
}

}  // namespace attn::gui
