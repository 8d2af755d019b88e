// Each kind of field has one kind of control.
#include "gui/panels/pane/pane_options.h"

#include <algorithm>
#include <cctype>

#include "gui/panels/controls.h"
#include "view/fields.h"

namespace attn::gui {
namespace {

constexpr const char* kPopup = "plot/options";
constexpr float kLabelWidth = 122.0F, kControlWidth = 176.0F;  // units

std::string capitalised(std::string_view name) { return control_label(name, {}); }

void choice_control(const PaneScope& scope, std::string_view name, const Field<ViewOptions>& field,
                    float width) {
  const std::vector<std::string> words = choice_words(field);
  const std::vector<std::string_view> labels(words.begin(), words.end());
  const std::size_t selected = chosen_index(scope, field);
  if (const auto chosen = combo(scope.ui, name, "", labels, selected, width)) {
    scope.set(std::string(field.name), std::string(field.choices[*chosen]));
  }
}

// A text that the field refuses stays in its control with the reason.
void text_control(const PaneScope& scope, std::string_view name, const Field<ViewOptions>& field,
                  float width) {
  const bool counts = field.kind == FieldKind::Integer || field.kind == FieldKind::Number;
  FieldInteraction& typing = scope.view.fields[std::string(name)];
  const FieldOptions look{.hint = counts ? "automatic" : "as the document",
                          .width = width,
                          .focus = scope.view.asked_field == name};
  const auto text = text_field(scope.ui, name, field.get(scope.options()), typing, look);
  if (text) {
    ViewOptions tried = scope.options();
    const Status set = field.set(tried, *text, Spelling::Field);
    if (set) {
      scope.set(std::string(field.name), *text);
    } else {
      refuse_text(typing, *text, capitalised(set.error().expected));
    }
  }
  field_problem(scope.ui, name, typing);
}

// What is chosen in the strip above the panes, and what follows from the size on screen.
bool is_set_elsewhere(std::string_view field) {
  constexpr std::string_view kElsewhere[] = {"stage", "attention", "layer", "sample", "head"};
  return std::ranges::find(kElsewhere, field) != std::end(kElsewhere);
}

std::string option_name(std::string_view field) { return "plot/options/" + std::string(field); }

void option_row(const PaneScope& scope, const Field<ViewOptions>& field) {
  const std::string name = option_name(field.name);
  const std::string label = control_label(field.name, field.label);
  const float begin = ImGui::GetCursorPosX();
  if (field.kind != FieldKind::Flag) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label.c_str());
    tooltip(scope.ui, field.help);
    ImGui::SameLine();
  }
  ImGui::SetCursorPosX(begin + scope.ui.px(kLabelWidth));
  ImGui::BeginGroup();
  option_control(scope, name, field, kControlWidth);
  ImGui::EndGroup();
}

void option_rows(const PaneScope& scope, bool of_files) {
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    if (field.alias || !uses(scope.plot, field.name) || is_of_a_file(field.name) != of_files) {
      continue;
    }
    if (!of_files && is_set_elsewhere(field.name) && scope.pane.linked) continue;
    option_row(scope, field);
  }
}

}  // namespace

void option_control(const PaneScope& scope, std::string_view name, const Field<ViewOptions>& field,
                    float width) {
  switch (field.kind) {
    case FieldKind::Flag:
      if (const auto on = checkbox(scope.ui, name, control_label(field.name, field.label),
                                   field.get(scope.options()) == "true", field.help)) {
        scope.set(std::string(field.name), *on ? "true" : "false");
      }
      return;
    case FieldKind::Choice:
      return choice_control(scope, name, field, width);
    case FieldKind::Integer:
    case FieldKind::Number:
    case FieldKind::Text:
      return text_control(scope, name, field, width);
  }
}

std::size_t chosen_index(const PaneScope& scope, const Field<ViewOptions>& field) {
  const auto found = std::ranges::find(field.choices, field.get(scope.options()));
  return static_cast<std::size_t>(found - field.choices.begin());
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
