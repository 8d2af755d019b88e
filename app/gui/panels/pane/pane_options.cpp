// Each kind of field has one kind of control.
#include "gui/panels/pane/pane_options.h"

#include <algorithm>

#include "gui/panels/controls/controls.h"
#include "view/fields.h"

namespace attn::gui {
namespace {

constexpr const char* kPopup = "plot/options";
constexpr float kLabelWidth = 122.0F, kControlWidth = 176.0F;  // units

std::string option_name(std::string_view field) { return "plot/options/" + std::string(field); }

FieldValue value_in(const PaneScope& scope, const Field<ViewOptions>& field) {
  return value_of(field, scope.options());
}

FieldLook look_of(const PaneScope& scope, std::string_view name, const Field<ViewOptions>& field,
                  float width) {
  const bool counts = field.kind == FieldKind::Integer || field.kind == FieldKind::Number;
  return {.width = width,
          .hint = counts ? "Automatic" : "As the document",
          .focus = scope.view.asked_field == name};
}

void option_row(const PaneScope& scope, const Field<ViewOptions>& field) {
  const std::string name = option_name(field.name);
  const auto text = field_row(scope.ui, name, value_in(scope, field), scope.view.fields,
                              kLabelWidth, look_of(scope, name, field, kControlWidth));
  if (text) scope.set(std::string(field.name), *text);
}

void option_rows(const PaneScope& scope, bool of_files) {
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    if (field.alias || !uses(scope.plot, field.name) || is_of_a_file(field.name) != of_files) {
      continue;
    }
    if (!of_files && is_of_the_strip(field.name) && scope.pane.linked) continue;
    if (!why_idle(scope.plot, scope.options(), field.name).empty()) continue;
    option_row(scope, field);
  }
}

}  // namespace

void option_control(const PaneScope& scope, std::string_view name, const Field<ViewOptions>& field,
                    float width) {
  const auto text = field_control(scope.ui, name, value_in(scope, field), scope.view.fields,
                                  look_of(scope, name, field, width));
  if (text) scope.set(std::string(field.name), *text);
}

void open_options() { ImGui::OpenPopup(kPopup); }

void open_asked_option(const PaneScope& scope) {
  const std::string& asked = scope.state.asked_option;
  if (asked.empty() || scope.pane.id != scope.state.focus) return;
  scope.ui.send(command::ShowOption{});
  scope.view.asked_field = option_name(asked);
  open_options();
}

void options_popup(const PaneScope& scope) {
  if (!ImGui::BeginPopup(kPopup)) return;
  const bool settled = !ImGui::IsWindowAppearing();
  section_header(scope.ui, scope.plot.label);
  option_rows(scope, false);
  if (std::optional<bool> linked =
          checkbox(scope.ui, "plot/options/linked", "Follows the other panes", scope.pane.linked,
                   "The same attention, layer, sample and head as all panes that follow")) {
    scope.ui.send(command::LinkPane{scope.pane.id, *linked});
  }
  section_header(scope.ui, "Exported figure");
  option_rows(scope, true);
  if (settled) scope.view.asked_field.clear();
  ImGui::EndPopup();
}

}  // namespace attn::gui
