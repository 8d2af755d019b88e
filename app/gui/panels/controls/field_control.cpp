// Controls of described fields, one per kind. A drag accumulates from its initial number, so that
// rounding loses nothing.
#include "gui/panels/controls/field_control.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/parsed_number.h"
#include "gui/panels/controls/controls.h"
#include "numbers/read_numbers.h"

namespace attn::gui {
namespace {

constexpr double kUnitsPerStep = 4.0, kFinerStep = 0.1, kLargestWhole = 9e15;

bool is_fine() { return ImGui::GetIO().KeyShift || ImGui::GetIO().KeyAlt; }

double power_of_ten_below(double value) { return std::pow(10.0, std::floor(std::log10(value))); }

double within_limits(const ScalarLimits& limits, double value, double step) {
  const double least = limits.above_least ? limits.least + step : limits.least;
  value = std::clamp(value, std::min(least, limits.most), limits.most);
  return limits.whole ? std::round(std::clamp(value, -kLargestWhole, kLargestWhole)) : value;
}

// The number after a change to `value`; nothing when `shown` stays.
std::optional<double> moved(const ScalarLimits& limits, double shown, double value, double step) {
  // A multiple of the step, so that dragging leaves no spurious digits.
  const double rounded = step >= 1.0 ? std::round(value / step) * step
                                     : std::round(value / step) / std::round(1.0 / step);
  const double next = within_limits(limits, rounded, step);
  return next != shown ? std::optional(next) : std::nullopt;
}

// Drags a number while its item is held, once the pointer moved `threshold_px` sideways, and then
// by the whole distance. Text typed elsewhere is committed on the press, so that the drag begins at
// the committed number.
std::optional<double> held_number(Ui& ui, const ScalarLimits& limits, double value,
                                  ScalarDrag& drag, float threshold_px) {
  float way_px = ImGui::GetIO().MouseDelta.x;
  if (drag.gesture == 0) {
    way_px = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0.0F).x;
    drag.from = drag.value = value;
    if (std::abs(way_px) <= threshold_px) return std::nullopt;
    drag.gesture = ui.new_gesture();
  }
  if (way_px == 0.0F) return std::nullopt;
  const double fineness = is_fine() ? kFinerStep : 1.0;
  const double step = step_of(limits, drag.from);
  drag.value += static_cast<double>(way_px / ui.scale) / kUnitsPerStep * step * fineness;
  drag.value = within_limits({limits.least, limits.most, false, false, {}}, drag.value, step);
  ui.field_gesture = drag.gesture;
  return moved(limits, value, drag.value, limits.whole ? 1.0 : step * fineness);
}

// Drag by the last item, such as a switch that is the label of its number. A click leaves
// interaction.drag without a gesture.
std::optional<double> scalar_item(Ui& ui, const ScalarLimits& limits, std::optional<double> value,
                                  FieldInteraction& interaction) {
  if (ImGui::IsItemActivated()) interaction.drag = {};
  if (!value || !ImGui::IsItemActive()) return std::nullopt;
  return held_number(ui, limits, *value, interaction.drag, ImGui::GetIO().MouseDragThreshold);
}

std::optional<double> turned_number(Ui& ui, const ScalarLimits& limits, double value,
                                    FieldInteraction& interaction) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool turned = io.KeyCtrl && io.MouseWheel != 0.0F;
  if (!turned || !ImGui::IsItemHovered()) return std::nullopt;
  ImGui::SetItemUsingMouseWheel();
  ui.field_gesture = gesture_of(interaction.wheel, ui);
  interaction.editing = false;
  const double step = step_of(limits, value) * (is_fine() && !limits.whole ? kFinerStep : 1.0);
  return moved(limits, value, value + static_cast<double>(io.MouseWheel) * step, step);
}

// "0 to 9", "any number".
std::string limits_text(const ScalarLimits& limits) {
  const bool least = std::isfinite(limits.least), most = std::isfinite(limits.most);
  const std::string low = (limits.above_least ? "above " : "") + plain_text(limits.least);
  if (least && most) return low + " to " + plain_text(limits.most);
  if (least) return limits.above_least ? low : "from " + low + " on";
  if (most) return "at most " + plain_text(limits.most);
  return limits.whole ? "any whole number" : "any number";
}

std::optional<std::string> list_control(Ui& ui, std::string_view name, const FieldValue& field,
                                        const FieldOptions& look) {
  const std::vector<std::string_view> words(field.words.begin(), field.words.end());
  const auto chosen = combo(ui, name, words, chosen_index(field), look.width);
  tooltip(ui, field.help);
  const bool changed = chosen && *chosen < field.choices.size();
  return changed ? std::optional(std::string(field.choices[*chosen])) : std::nullopt;
}

std::string scalar_text(double value, bool whole) {
  return whole ? std::to_string(static_cast<std::int64_t>(value))
               : shortest_text(static_cast<float>(value));
}

// Returns nothing for an absent option, a number that only typing changes, or one that a double
// does not represent exactly.
std::optional<double> number_of(const FieldValue& field) {
  constexpr double kMaxExact = 9007199254740992.0;  // 2⁵³
  if (!is_number(field.kind) || !field.moves) return std::nullopt;
  std::optional<double> number;
  if (const auto whole = parse_integer(field.text); field.limits.whole && whole) {
    number = static_cast<double>(*whole);
  } else if (const auto fraction = parse_number(field.text)) {
    number = static_cast<double>(*fraction);
  }
  return number && std::abs(*number) <= kMaxExact ? number : std::nullopt;
}

std::optional<std::string> number_text_of(const FieldValue& field, std::optional<double> moved) {
  if (!moved) return std::nullopt;
  std::string text = scalar_text(*moved, field.limits.whole);
  return field.problem(text).empty() ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<std::string> typed_control(Ui& ui, std::string_view name, const FieldValue& field,
                                         FieldInteractions& typing, const FieldOptions& look) {
  FieldInteraction& interaction = typing[std::string(name)];
  const bool counts = is_number(field.kind);
  FieldOptions options = look;
  options.drags = number_of(field).has_value();
  std::optional<std::string> text = text_field(ui, name, field.text, interaction, options);
  tooltip(ui, counts ? with_limits(field.help, field.limits) : field.help);
  const auto moved =
      counts ? scalar_box(ui, field.limits, number_of(field), interaction) : std::nullopt;
  if (text) {
    const std::string typed =
        std::exchange(*text, counts ? evaluated_text(*text, field.limits.whole) : *text);
    if (std::string problem = field.problem(*text); !problem.empty()) {
      refuse_text(interaction, typed, std::move(problem));
      text.reset();
    }
  }
  if (look.shows_problem) field_problem(ui, name, interaction);
  return moved ? number_text_of(field, moved) : text;
}

// --- Rows of a panel

constexpr float kFieldWidth = 72.0F;       // units
constexpr std::size_t kMaxInField = 1000;  // numbers

std::string value_name(const RowWords& words) { return std::string(words.name) + "/value"; }

// Continues right of the last item, or below it when too little of the line is left.
void beside(const Ui& ui) {
  ImGui::SameLine();
  if (ImGui::GetContentRegionAvail().x < ui.px(kFieldWidth)) ImGui::NewLine();
}

FieldValue described(const RowWords& words, FieldKind kind, std::string text) {
  FieldValue field{.label = std::string(words.label),
                   .help = std::string(words.help),
                   .kind = kind,
                   .text = std::move(text)};
  field.limits.whole = kind == FieldKind::Integer;
  field.limits.unit = words.unit;
  return field;
}

// Label and field of a number. Returns its new text.
std::optional<std::string> labelled_row(Ui& ui, const RowWords& words, const FieldValue& field,
                                        FieldInteractions& fields, std::string_view hint = {}) {
  const std::string name = value_name(words);
  const std::optional<std::string> dragged = field_label(ui, name, field, fields);
  beside(ui);
  const auto typed = field_control(ui, name, field, fields, {.width = kFieldWidth, .hint = hint});
  return dragged ? dragged : typed;
}

std::optional<float> number_in(const std::optional<std::string>& text) {
  return text ? std::optional(*evaluate_number(*text)) : std::nullopt;
}

FieldValue float_value(const RowWords& words, const std::string& text, bool above_zero) {
  FieldValue field = described(words, FieldKind::Number, text);
  field.problem = number_problem;
  if (!above_zero) return field;
  field.limits.least = 0.0;
  field.limits.above_least = true;
  field.problem = [](const std::string& typed) {
    const std::string problem = number_problem(typed);
    return problem.empty() && *evaluate_number(typed) <= 0.0F ? "A number above 0" : problem;
  };
  return field;
}

std::optional<std::uint64_t> whole_number(const std::string& text, std::uint64_t least) {
  const Result<std::int64_t> number = parse_integer(text);
  if (!number || *number < 0) return std::nullopt;
  const auto whole = static_cast<std::uint64_t>(*number);
  return whole >= least ? std::optional(whole) : std::nullopt;
}

FieldValue whole_value(const RowWords& words, std::string text, std::uint64_t least) {
  FieldValue field = described(words, FieldKind::Integer, std::move(text));
  field.limits.least = static_cast<double>(least);
  field.problem = [least](const std::string& typed) {
    return whole_number(typed, least) ? "" : "A whole number from " + std::to_string(least) + " on";
  };
  return field;
}

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t") == text.npos; }

std::string item_text(float value) { return shortest_text(value); }
std::string item_text(std::int64_t value) { return std::to_string(value); }

// The numbers of a text, each parsed by `parse`.
template <class Number>
Result<std::vector<Number>> numbers_of(std::string_view text,
                                       Result<Number> (*parse)(std::string_view)) {
  constexpr std::string_view kBetween = " \t;";
  std::vector<Number> values;
  for (std::size_t at = text.find_first_not_of(kBetween); at != text.npos;
       at = text.find_first_not_of(kBetween, at)) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    const Result<Number> number = parse(text.substr(at, end - at));
    if (!number) return number.error();
    values.push_back(*number);
    at = end;
  }
  return values;
}

}  // namespace

double step_of(const ScalarLimits& limits, double value) {
  constexpr double kOfRange = 0.02, kOfSize = 0.1, kOfNothing = 0.01;
  if (limits.whole) return 1.0;
  const double size = std::isfinite(value) ? std::abs(value) : 0.0;
  const double by_size = size > 0.0 ? kOfSize * power_of_ten_below(size) : kOfNothing;
  if (!std::isfinite(limits.least) || !std::isfinite(limits.most)) return by_size;
  const double by_range =
      power_of_ten_below(kOfRange * std::max(limits.most - limits.least, 1e-30));
  return size > 0.0 ? std::min(by_size, by_range) : by_range;
}

std::string number_problem(const std::string& text) {
  const Result<float> number = evaluate_number(text);
  return number ? "" : refusal_text(number.error());
}

std::string with_limits(std::string_view help, const ScalarLimits& limits) {
  const std::string unit(limits.unit.empty() ? "no unit" : limits.unit);
  return std::string(help) + " (" + limits_text(limits) + ", " + unit + ")";
}

std::string evaluated_text(const std::string& text, bool whole) {
  if (whole ? parse_integer(text).ok() : parse_number(text).ok()) return text;
  const Result<float> number = evaluate_number(text);
  if (!number) return text;
  const auto value = static_cast<double>(*number);
  const bool taken = !whole || (std::isfinite(value) && value == std::round(value) &&
                                std::abs(value) < kLargestWhole);
  return taken ? scalar_text(value, whole) : text;
}

std::optional<double> scalar_box(Ui& ui, const ScalarLimits& limits, std::optional<double> value,
                                 FieldInteraction& interaction) {
  if (ui.probe != nullptr) ui.probe->record_number();
  if (!value) return std::nullopt;
  const bool is_edited = ui.text_edit.field != 0 && ui.text_edit.field == ImGui::GetItemID();
  const auto dragged = is_edited ? std::nullopt : scalar_item(ui, limits, value, interaction);
  return dragged ? dragged : turned_number(ui, limits, *value, interaction);
}

std::optional<double> scalar_label(Ui& ui, std::string_view name, std::string_view label,
                                   std::string_view help, const ScalarLimits& limits,
                                   std::optional<double> value, FieldInteraction& interaction) {
  control_name(ui, label);
  const ImRect box(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  tooltip(ui, with_limits(help, limits));
  const std::string probe = std::string(name) + "/label";
  if (ui.probe != nullptr) ui.probe->record(probe, label);
  if (!value) return std::nullopt;
  const std::optional<double> turned = turned_number(ui, limits, *value, interaction);
  const ImGuiID id = ImGui::GetID(probe.c_str());
  ImGui::KeepAliveID(id);
  bool hovered = false, held = false;
  const bool was_held = ImGui::GetActiveID() == id;
  ImGui::ButtonBehavior(box, id, &hovered, &held);
  if (hovered || held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (!held) return turned;
  if (!was_held) interaction.drag = {};
  return held_number(ui, limits, *value, interaction.drag, 0.0F);
}

std::size_t chosen_index(const FieldValue& field) {
  const auto found = std::ranges::find(field.choices, field.text);
  return static_cast<std::size_t>(found - field.choices.begin());
}

std::optional<std::string> field_control(Ui& ui, std::string_view name, const FieldValue& field,
                                         FieldInteractions& typing, const FieldOptions& look) {
  if (field.kind == FieldKind::Choice) return list_control(ui, name, field, look);
  if (field.kind != FieldKind::Flag) return typed_control(ui, name, field, typing, look);
  const auto on = checkbox(ui, name, field.label, field.text == "true", field.help);
  return on ? std::optional<std::string>(*on ? "true" : "false") : std::nullopt;
}

std::optional<std::string> field_label(Ui& ui, std::string_view name, const FieldValue& field,
                                       FieldInteractions& typing) {
  if (is_number(field.kind)) {
    return number_text_of(field, scalar_label(ui, name, field.label, field.help, field.limits,
                                              number_of(field), typing[std::string(name)]));
  }
  control_name(ui, field.label);
  tooltip(ui, field.help);
  return std::nullopt;
}

std::optional<std::string> field_row(Ui& ui, std::string_view name, const FieldValue& field,
                                     FieldInteractions& typing, float label_width,
                                     const FieldOptions& look) {
  const float begin = ImGui::GetCursorPosX();
  const std::optional<std::string> dragged = field_label(ui, name, field, typing);
  ImGui::SameLine();
  ImGui::SetCursorPosX(std::max(begin + ui.px(label_width), ImGui::GetCursorPosX()));
  ImGui::BeginGroup();
  FieldValue unlabelled = field;
  if (field.kind == FieldKind::Flag) unlabelled.label.clear();
  std::optional<std::string> changed = field_control(ui, name, unlabelled, typing, look);
  ImGui::EndGroup();
  return dragged ? dragged : changed;
}

std::optional<std::uint64_t> count_row(Ui& ui, const RowWords& words, std::uint64_t value,
                                       std::uint64_t least, FieldInteractions& fields, bool drags) {
  FieldValue field = whole_value(words, std::to_string(value), least);
  field.moves = drags;
  const auto text = labelled_row(ui, words, field, fields);
  return text ? whole_number(*text, least) : std::nullopt;
}

std::optional<std::optional<std::uint64_t>> reach_row(Ui& ui, const RowWords& words,
                                                      std::optional<std::uint64_t> value,
                                                      FieldInteractions& fields) {
  FieldValue field = whole_value(words, value ? std::to_string(*value) : "", 0);
  field.problem = [is_no_number = field.problem](const std::string& text) {
    return is_blank(text) ? "" : is_no_number(text);
  };
  const auto text = labelled_row(ui, words, field, fields, "No end");
  if (!text) return std::nullopt;
  return whole_number(*text, 0);
}

std::optional<std::optional<float>> optional_number_row(Ui& ui, const RowWords& words,
                                                        std::optional<float> value, float usual,
                                                        FieldInteractions& fields) {
  const std::string name = value_name(words);
  const FieldValue field = float_value(words, value ? shortest_text(*value) : "", true);
  const auto on = checkbox(ui, words.name, words.label, value.has_value(),
                           with_limits(words.help, field.limits));
  const auto dragged = scalar_item(ui, field.limits, number_of(field), fields[name]);
  if (on && fields[name].drag.gesture == 0) {
    fields.erase(name);
    return *on ? std::optional<float>(usual) : std::optional<float>();
  }
  if (!value) return std::nullopt;
  beside(ui);
  const auto typed = field_control(ui, name, field, fields, {.width = kFieldWidth});
  const auto text = dragged ? number_text_of(field, dragged) : typed;
  if (!text) return std::nullopt;
  return number_in(text);
}

std::optional<float> number_row(Ui& ui, const RowWords& words, float value,
                                FieldInteractions& fields, bool above_zero) {
  const FieldValue field = float_value(words, shortest_text(value), above_zero);
  return number_in(labelled_row(ui, words, field, fields));
}

template <class Number>
std::optional<std::vector<Number>> numbers_row(Ui& ui, const RowWords& words,
                                               const std::vector<Number>& values,
                                               FieldInteractions& fields,
                                               Result<Number> (*parse)(std::string_view)) {
  constexpr bool kWhole = std::is_integral_v<Number>;
  const bool fits = values.size() <= kMaxInField;
  FieldValue field =
      described(words, FieldKind::Text,
                fits ? joined(values, " ", [](Number value) { return item_text(value); }) : "");
  field.help += std::string(kWhole ? " (whole numbers" : " (numbers") +
                ", with blanks or semicolons between them)";
  field.problem = [parse](const std::string& text) -> std::string {
    const auto numbers = numbers_of(text, parse);
    return numbers ? "" : refusal_text(numbers.error());
  };
  const std::string name = value_name(words);
  field_label(ui, name, field, fields);
  beside(ui);
  if (!fits) {
    const std::string count = grouped_text(values.size()) + " numbers, too many to change here";
    empty_hint(ui, count, name);
    return std::nullopt;
  }
  const auto text = field_control(ui, name, field, fields, {.hint = "None"});
  return text ? std::optional(*numbers_of(*text, parse)) : std::nullopt;
}

template std::optional<std::vector<float>> numbers_row(Ui&, const RowWords&,
                                                       const std::vector<float>&,
                                                       FieldInteractions&,
                                                       Result<float> (*)(std::string_view));
template std::optional<std::vector<std::int64_t>> numbers_row(
    Ui&, const RowWords&, const std::vector<std::int64_t>&, FieldInteractions&,
    Result<std::int64_t> (*)(std::string_view));

}  // namespace attn::gui
