// Each kind of field has one kind of control.
#include "gui/panels/controls/field_control.h"

#include <algorithm>
#include <utility>

#include "base/number_text.h"

namespace attn::gui {
namespace {

// "one of a, b" → "One of a, b".
std::string as_reason(const Error& refusal) { return control_label(refusal.expected, {}); }

std::optional<std::string> list_control(Ui& ui, std::string_view name, const FieldValue& field,
                                        const FieldLook& look) {
  const std::vector<std::string_view> words(field.words.begin(), field.words.end());
  const auto chosen = combo(ui, name, "", words, chosen_index(field), look.width);
  tooltip(ui, field.help);
  return chosen ? std::optional(std::string(field.choices[*chosen])) : std::nullopt;
}

// With what a number may be.
std::string help_of(const FieldValue& field) {
  return is_number(field.kind) ? with_limits(field.help, field.limits) : field.help;
}

// Nothing for one that is left out, or that only typing changes.
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
  tooltip(ui, help_of(field));
  const auto moved = is_number(field.kind)
                         ? scalar_box(ui, field.limits, number_of(field), interaction)
                         : std::nullopt;
  if (text && is_number(field.kind)) text = evaluated_text(*text, field.limits.whole);
  if (text) {
    if (const Status set = field.check(*text); !set) {
      refuse_text(interaction, *text, as_reason(set.error()));
      text.reset();
    }
  }
  field_problem(ui, name, interaction);
  return moved ? number_text_of(field, moved) : text;
}

}  // namespace

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
