// Ranges of the colours: their choice at the words of the bar, dragging of its ends, and holding of
// ends that follow the numbers.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "gui/panels/pane/pane.h"
#include "plot/colors/color_bar.h"
#include "plot/kit/marks.h"
#include "view/fields.h"

namespace attn::gui {
namespace {

// Rounded to what the length of the bar resolves: a thousandth of its span.
std::string end_text(const RangeHit& held, double value) {
  const double span = static_cast<double>(held.scale.high) - static_cast<double>(held.scale.low);
  const bool even = held.scale.power == 1.0F;
  const double size = std::max(even ? span : std::abs(value), 1e-30);
  const double unit = std::pow(10.0, std::floor(std::log10(size)) - 3.0);
  return shortest_text(static_cast<float>(std::round(value / unit) * unit));
}

void point_at(const PaneScope& scope, const RangeHit& end) {
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  tooltip(scope.ui, end.is_high
                        ? "Drag to set the highest colour; double-click for the usual range"
                        : "Drag to set the lowest colour; double-click for the usual range");
}

// Opened by the words at the colour bar. Probes: "plot/range/This head".
void range_popup(const PaneScope& scope, const Field<ViewOptions>& field) {
  if (!ImGui::BeginPopup("plot/range")) return;
  const ViewOptions& options = scope.options();
  const std::vector<std::string> words = choice_words(field);
  const bool is_given = options.range_low || options.range_high;
  const auto item = [&](const std::string& label, bool chosen) {
    return menu_item(scope.ui, "plot/range/" + label, label, {.on = chosen});
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!item(words[i], !is_given && field.get(options) == field.choices[i])) continue;
    for (const char* end : {"range_low", "range_high"}) {
      if (is_given) scope.set(end, "");
    }
    scope.set(std::string(field.name), std::string(field.choices[i]));
  }
  const bool has_log =
      uses(scope.plot, Option::Log) && why_idle(scope.plot, options, "log").empty();
  if (has_log && item("Logarithmic", options.log)) scope.set("log", options.log ? "false" : "true");
  ImGui::EndPopup();
}

void range_words_events(const PaneScope& scope, const CanvasEvents& events) {
  const char* name = uses(scope.plot, Option::Range) ? "range" : "head_range";
  if (!uses(scope.plot, name)) return;
  const auto* bar = std::get_if<ColorBarHit>(&events.under_pointer);
  if (bar != nullptr && bar->is_words) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    tooltip(scope.ui, "Other ranges of the colours");
    if (events.clicked) ImGui::OpenPopup("plot/range");
  }
  range_popup(scope, *plot_option_named(name));
}

// The ends have handles from the next frame on.
void notice_bar(const PaneScope& scope, const HitId& hit) {
  const auto* bar = std::get_if<ColorBarHit>(&hit);
  const bool at_bar = scope.view.dragged_end || std::holds_alternative<RangeHit>(hit) ||
                      (bar != nullptr && !bar->is_words);
  if (std::exchange(scope.view.at_bar, at_bar) != at_bar) scope.ui.redraw_within(0.0);
}

}  // namespace

bool range_events(const PaneScope& scope, const CanvasEvents& events) {
  range_words_events(scope, events);
  std::optional<RangeHit>& held = scope.view.dragged_end;
  notice_bar(scope, events.under_pointer);
  const auto* end = std::get_if<RangeHit>(&events.under_pointer);
  if (end != nullptr || held) point_at(scope, held ? *held : *end);
  if (scope.view.at_bar && events.double_clicked && uses(scope.plot, "range_low")) {
    held.reset();  // to the automatic range
    scope.set("range_low", "");
    scope.set("range_high", "");
    return true;
  }
  if (end != nullptr && events.pressed) {
    held = *end;
    scope.view.end_up = 0.0;
  }
  if (!held) return false;
  if (events.dragging) {
    scope.view.end_up -= events.drag_delta.y;
    const ColorEnds ends = dragged_ends(*held, scope.view.end_up);
    if (ends.low) scope.set("range_low", end_text(*held, *ends.low));
    if (ends.high) scope.set("range_high", end_text(*held, *ends.high));
  }
  if (events.released) held.reset();
  return true;
}

std::optional<DrawnEnds> hold_ends(const PaneScope& scope, PlotOptions& options) {
  const AppState& state = scope.state;
  DrawnEnds now{state.id, state.lesson.step, scope.pane.view, state.result_revision};
  now.view.options.window = {};
  const std::optional<DrawnEnds>& last = scope.view.ends;
  const bool holds = ImGui::IsMouseDown(ImGuiMouseButton_Left) || is_in_lesson(state);
  const bool is_edited = last && last->is_of_same(now) && last->revision != now.revision;
  if (!holds || !is_edited) return now;
  options.held_ends = last->ends;
  return std::nullopt;
}

void keep_ends(const PaneScope& scope, const Figure& figure, std::optional<DrawnEnds> now) {
  constexpr double kSeconds = 0.8;
  std::optional<DrawnEnds>& last = scope.view.ends;
  const MatrixItem* matrix = find_matrix(figure);
  if (!now || matrix == nullptr || scope.view.figure.is_outdated()) return;
  now->ends = {matrix->scale.low, matrix->scale.high};
  const bool moved = last && last->is_of_same(*now) && last->ends != now->ends;
  if (moved) scope.view.lit_until = ImGui::GetTime() + kSeconds;
  last = std::move(now);
}

Figure lit_ends(const PaneScope& scope, const Figure& figure) {
  const double left = scope.view.lit_until - ImGui::GetTime();
  if (left <= 0.0) return {};
  scope.ui.redraw_within(left);
  Figure lit = overlay_of(figure);
  for (const FigureItem& item : figure.items) {
    const auto* path = std::get_if<PathItem>(&item);
    if (path == nullptr || !std::holds_alternative<RangeHit>(path->hit)) continue;
    lit.add(RectItem{.rect = path_bounds(*path).grown(4.0),
                     .stroke = figure_theme(scope.ui.theme).accent,
                     .stroke_width = 2.0,
                     .radius = 4.0});
  }
  return lit;
}

}  // namespace attn::gui
