// A drag counts from the number that it began at, so that nothing is lost by rounding.
#include "gui/panels/scalar.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "numbers/arithmetic.h"

namespace attn::gui {
namespace {

constexpr double kUnitsPerStep = 4.0;
constexpr double kFiner = 0.1;
constexpr double kLargestWhole = 9e15;

bool is_fine() { return ImGui::GetIO().KeyShift || ImGui::GetIO().KeyAlt; }

double power_of_ten_below(double value) { return std::pow(10.0, std::floor(std::log10(value))); }

bool is_bounded(const ScalarLimits& limits) {
  return std::isfinite(limits.least) && std::isfinite(limits.most);
}

// To a multiple of the step, so that no digits are left that nobody asked for.
double rounded_to(double value, double step) {
  return step >= 1.0 ? std::round(value / step) * step
                     : std::round(value / step) / std::round(1.0 / step);
}

double within_limits(const ScalarLimits& limits, double value, double step) {
  const double least = limits.above_least ? limits.least + step : limits.least;
  value = std::clamp(value, std::min(least, limits.most), limits.most);
  return limits.whole ? std::round(std::clamp(value, -kLargestWhole, kLargestWhole)) : value;
}

// What becomes of `value` after so many steps; nothing when it stays.
std::optional<double> moved(const ScalarLimits& limits, double shown, double value, double step) {
  const double next = within_limits(limits, rounded_to(value, step), step);
  return next != shown ? std::optional(next) : std::nullopt;
}

// The step now, finer while Shift or Alt is held down.
double present_step(const ScalarLimits& limits, double value) {
  const double step = step_of(limits, value);
  return is_fine() && !limits.whole ? step * kFiner : step;
}

std::optional<double> dragged_number(Ui& ui, const ScalarLimits& limits, double value,
                                     FieldInteraction& interaction) {
  ScalarDrag& drag = interaction.drag;
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseDelta.x == 0.0F) return std::nullopt;
  const double fineness = is_fine() ? kFiner : 1.0;
  const double step = step_of(limits, drag.from);
  drag.value += static_cast<double>(io.MouseDelta.x / ui.scale) / kUnitsPerStep * step * fineness;
  drag.value = within_limits({limits.least, limits.most, false, false}, drag.value, step);
  ui.field_stroke = drag.stroke;
  return moved(limits, value, drag.value, limits.whole ? 1.0 : step * fineness);
}

}  // namespace

double step_of(const ScalarLimits& limits, double value) {
  constexpr double kOfRange = 0.02, kOfSize = 0.1, kOfNothing = 0.01;
  if (limits.whole) return 1.0;
  const double size = std::isfinite(value) ? std::abs(value) : 0.0;
  const double by_size = size > 0.0 ? kOfSize * power_of_ten_below(size) : kOfNothing;
  if (!is_bounded(limits)) return by_size;
  const double by_range =
      power_of_ten_below(kOfRange * std::max(limits.most - limits.least, 1e-30));
  return size > 0.0 ? std::min(by_size, by_range) : by_range;
}

std::string scalar_text(double value, bool whole) {
  return whole ? std::to_string(static_cast<std::int64_t>(value))
               : shortest_text(static_cast<float>(value));
}

std::string with_limits(std::string_view help, const ScalarLimits& limits) {
  const bool least = std::isfinite(limits.least), most = std::isfinite(limits.most);
  const std::string low = (limits.above_least ? "above " : "") + plain_text(limits.least);
  std::string words;
  if (least && most) words = low + " to " + plain_text(limits.most);
  if (least && !most) words = limits.above_least ? low : "from " + low + " on";
  if (!least && most) words = "at most " + plain_text(limits.most);
  if (words.empty()) return std::string(help);
  return std::string(help) + " (" + words + ")";
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

std::optional<double> scalar_wheel(Ui& ui, const ScalarLimits& limits, std::optional<double> value,
                                   FieldInteraction& interaction, bool enabled) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool turned = io.KeyCtrl && io.MouseWheel != 0.0F;
  if (!value || !enabled || !turned || !ImGui::IsItemHovered()) return std::nullopt;
  ImGui::SetItemUsingMouseWheel();
  ui.field_stroke = stroke_of(interaction.wheel, ui);
  interaction.editing = false;
  const double step = present_step(limits, *value);
  return moved(limits, *value, *value + static_cast<double>(io.MouseWheel) * step, step);
}

DraggedItem scalar_item(Ui& ui, const ScalarLimits& limits, std::optional<double> value,
                        FieldInteraction& interaction) {
  constexpr float kDragThreshold = 3.0F;  // units; below it a press is a click
  ScalarDrag& drag = interaction.drag;
  if (ImGui::IsItemActivated()) drag = {value.value_or(0.0), value.value_or(0.0), 0};
  const bool far = ImGui::IsMouseDragging(ImGuiMouseButton_Left, ui.px(kDragThreshold));
  if (value && ImGui::IsItemActive() && far) {
    if (drag.stroke == 0) drag.stroke = ui.new_stroke();
    return {dragged_number(ui, limits, *value, interaction), true};
  }
  const bool was_dragged = drag.stroke != 0 && ImGui::IsItemDeactivated();
  if (!ImGui::IsItemActive()) drag.stroke = 0;
  return {std::nullopt, was_dragged};
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
  const std::optional<double> turned = scalar_wheel(ui, limits, value, interaction);
  const ImGuiID id = ImGui::GetID(probe.c_str());
  ImGui::KeepAliveID(id);
  bool hovered = false, held = false;
  const bool was_held = ImGui::GetActiveID() == id;
  ImGui::ButtonBehavior(box, id, &hovered, &held);
  if (hovered || held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (!held) return turned;
  if (!was_held) interaction.drag = {*value, *value, ui.new_stroke()};
  // What was being typed is taken when the button goes down, and counts.
  if (ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0.0F).x == 0.0F) {
    interaction.drag.from = interaction.drag.value = *value;
  }
  return dragged_number(ui, limits, *value, interaction);
}

}  // namespace attn::gui
