// Controls of described fields, one per kind. A drag accumulates from its initial number, so that
// rounding loses nothing.
#include "gui/panels/controls/field_control.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "numbers/read_numbers.h"

namespace attn::gui {
namespace {

constexpr double kUnitsPerStep = 4.0;
constexpr double kFiner = 0.1;
constexpr double kLargestWhole = 9e15;

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

std::optional<double> dragged_number(Ui& ui, const ScalarLimits& limits, double value,
                                     ScalarDrag& drag, float way_px) {
  if (way_px == 0.0F) return std::nullopt;
  const double fineness = is_fine() ? kFiner : 1.0;
  const double step = step_of(limits, drag.from);
  drag.value += static_cast<double>(way_px / ui.scale) / kUnitsPerStep * step * fineness;
  drag.value = within_limits({limits.least, limits.most, false, false, {}}, drag.value, step);
  ui.field_gesture = drag.gesture;
  return moved(limits, value, drag.value, limits.whole ? 1.0 : step * fineness);
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
  return dragged_number(ui, limits, value, drag, way_px);
}

std::optional<double> turned_number(Ui& ui, const ScalarLimits& limits, double value,
                                    FieldInteraction& interaction) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool turned = io.KeyCtrl && io.MouseWheel != 0.0F;
  if (!turned || !ImGui::IsItemHovered()) return std::nullopt;
  ImGui::SetItemUsingMouseWheel();
  ui.field_gesture = gesture_of(interaction.wheel, ui);
  interaction.editing = false;
  const double step = step_of(limits, value) * (is_fine() && !limits.whole ? kFiner : 1.0);
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
                                        const FieldLook& look) {
  const std::vector<std::string_view> words(field.words.begin(), field.words.end());
  const auto chosen = combo(ui, name, "", words, chosen_index(field), look.width);
  tooltip(ui, field.help);
  return chosen ? std::optional(std::string(field.choices[*chosen])) : std::nullopt;
}

// Nothing for an absent option, or a number that only typing changes.
std::optional<double> number_of(const FieldValue& field) {
  const Result<float> number = parse_number(field.text);
  if (!is_number(field.kind) || !field.moves || !number) return std::nullopt;
  return static_cast<double>(*number);
}

std::optional<std::string> number_text_of(const FieldValue& field, std::optional<double> moved) {
  if (!moved) return std::nullopt;
  std::string text = scalar_text(*moved, field.limits.whole);
  return field.check(text) ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<std::string> typed_control(Ui& ui, std::string_view name, const FieldValue& field,
                                         FieldInteractions& typing, const FieldLook& look) {
  FieldInteraction& interaction = typing[std::string(name)];
  std::optional<std::string> text = text_field(ui, name, field.text, interaction,
                                               {.hint = look.hint,
                                                .width = look.width,
                                                .focus = look.focus,
                                                .drags = number_of(field).has_value()});
  tooltip(ui, is_number(field.kind) ? with_limits(field.help, field.limits) : field.help);
  const auto moved = is_number(field.kind)
                         ? scalar_box(ui, field.limits, number_of(field), interaction)
                         : std::nullopt;
  if (text && is_number(field.kind)) text = evaluated_text(*text, field.limits.whole);
  if (text) {
    if (const Status set = field.check(*text); !set) {
      refuse_text(interaction, *text, control_label(set.error().expected, {}));
      text.reset();
    }
  }
  field_problem(ui, name, interaction);
  return moved ? number_text_of(field, moved) : text;
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

std::string scalar_text(double value, bool whole) {
  return whole ? std::to_string(static_cast<std::int64_t>(value))
               : shortest_text(static_cast<float>(value));
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
                                 FieldInteraction& interaction, bool enabled) {
  if (ui.probe != nullptr) ui.probe->record_number();
  if (!value || !enabled) return std::nullopt;
  const bool is_edited = ui.text_edit.field != 0 && ui.text_edit.field == ImGui::GetItemID();
  const auto dragged =
      is_edited ? std::nullopt : scalar_item(ui, limits, value, interaction).number;
  return dragged ? dragged : turned_number(ui, limits, *value, interaction);
}

DraggedItem scalar_item(Ui& ui, const ScalarLimits& limits, std::optional<double> value,
                        FieldInteraction& interaction) {
  ScalarDrag& drag = interaction.drag;
  if (ImGui::IsItemActivated()) drag = {};
  if (value && ImGui::IsItemActive()) {
    const float threshold_px = ImGui::GetIO().MouseDragThreshold;
    const auto number = held_number(ui, limits, *value, drag, threshold_px);
    return {number, drag.gesture != 0};
  }
  return {std::nullopt, drag.gesture != 0 && ImGui::IsItemDeactivated()};
}

std::optional<double> scalar_label(Ui& ui, std::string_view name, std::string_view label,
                                   std::string_view help, const ScalarLimits& limits,
                                   std::optional<double> value, FieldInteraction& interaction,
                                   bool enabled) {
  control_name(ui, label);
  const ImRect box(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  tooltip(ui, with_limits(help, limits));
  const std::string probe = std::string(name) + "/label";
  if (ui.probe != nullptr) ui.probe->record(probe, label, enabled);
  if (!value || !enabled) return std::nullopt;
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
                                         FieldInteractions& typing, const FieldLook& look) {
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
                                     const FieldLook& look) {
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

}  // namespace attn::gui
