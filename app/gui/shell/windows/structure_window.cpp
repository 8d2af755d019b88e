// Structure window: kinds of model, extents, and a preview of the change.
#include <algorithm>
#include <charconv>

#include "base/number_text.h"
#include "document/cost.h"
#include "gui/panels/controls/controls.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/shell/windows/overlays.h"
#include "gui/ui/style.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// Sizes in units.
constexpr float kKindsWidth = 312.0F, kExtentLabelWidth = 118.0F, kExtentWidth = 74.0F;
constexpr float kFieldsWidth = 300.0F, kBetweenColumns = 24.0F;
constexpr float kTwoColumns = 540.0F;  // least width for kinds and extents side by side
constexpr std::uint64_t kWorthSaying = std::uint64_t{100} << 20U;  // bytes

Structure wanted_structure(const AppState& state, const StructureView& view) {
  return normalised(state.document, view.chosen);
}

std::string probe_of(const StructureField& field) { return "structure/" + std::string(field.name); }

void choose_extent(StructureView& view, const StructureField& field, std::size_t value) {
  field.set(view.chosen, value);
  view.typed = {};
}

void step_extent(const AppState& state, StructureView& view, const StructureField& field, bool up) {
  choose_extent(view, field,
                next_value(state.document, wanted_structure(state, view), field, up,
                           state.memory_limit_bytes));
}

// Applies the typed number; a rejected one leaves the structure as it was before.
void read_typed(StructureView& view) {
  TypedExtent& typed = view.typed;
  const StructureField& field = *typed.field;
  const std::string text = evaluated_text(typed.text, true);
  const char* end = text.data() + text.size();
  std::size_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const bool taken =
      error == std::errc() && rest == end && value >= field.least && value <= field.most;
  view.chosen = typed.before;
  typed.problem = taken ? ""
                        : std::string(field.label) + " must be a whole number from " +
                              grouped_text(field.least) + " to " + grouped_text(field.most);
  if (taken) field.set(view.chosen, value);
}

ScalarLimits limits_of(const StructureField& field) {
  return {static_cast<double>(field.least), static_cast<double>(field.most), true, false,
          field.unit};
}

double number_in(const AppState& state, const StructureView& view, const StructureField& field) {
  return static_cast<double>(field.get(wanted_structure(state, view)));
}

void move_extent(StructureView& view, const StructureField& field, std::optional<double> moved) {
  if (moved) choose_extent(view, field, static_cast<std::size_t>(*moved));
}

void number_control(Ui& ui, const AppState& state, StructureView& view,
                    const StructureField& field) {
  const std::string shown = view.typed.field == &field
                                ? view.typed.text
                                : std::to_string(field.get(wanted_structure(state, view)));
  std::string text = shown;
  FieldInteraction& dragging = view.dragging[std::string(field.name)];
  const TextInputResult input =
      line_field(ui, probe_of(field), text, "", with_limits(field.help, limits_of(field)),
                 ui.px(kExtentWidth), TextSelection::All, &dragging.drag);
  move_extent(view, field,
              scalar_box(ui, limits_of(field), number_in(state, view, field), dragging));
  if (text != shown && !input.cancelled) {
    if (view.typed.field != &field) view.typed = {&field, {}, view.chosen, {}};
    view.typed.text = text;
    read_typed(view);
  }
  if (input.left && view.typed.field == &field && view.typed.problem.empty()) view.typed = {};
  view.entered = view.entered || input.entered;
  if (!input.active) return;
  if (key_pressed(keys::kUp)) step_extent(state, view, field, true);
  if (key_pressed(keys::kDown)) step_extent(state, view, field, false);
}

void extent_step(Ui& ui, const AppState& state, StructureView& view, const StructureField& field,
                 bool up) {
  const std::size_t bound = up ? field.most : field.least;
  ImGui::PushButtonRepeat(true);
  const bool pressed =
      button(ui, probe_of(field) + (up ? "/more" : "/less"), up ? "+" : "−",
             {.tooltip = up ? "More" : "Fewer",
              .shortcut = up ? "Up, in the field" : "Down, in the field",
              .enabled = field.get(wanted_structure(state, view)) != bound,
              .disabled_reason = up ? "This is the maximum" : "This is the minimum",
              .width = 26.0F});
  ImGui::PopButtonRepeat();
  if (pressed) step_extent(state, view, field, up);
}

void stepper(Ui& ui, const AppState& state, StructureView& view, const StructureField& field) {
  const float gap = ui.px(3);
  extent_step(ui, state, view, field, false);
  ImGui::SameLine(0.0F, gap);
  number_control(ui, state, view, field);
  ImGui::SameLine(0.0F, gap);
  extent_step(ui, state, view, field, true);
}

// Value in the document, if it differs.
void present_value(Ui& ui, const AppState& state, const StructureView& view,
                   const StructureField& field) {
  const std::size_t before = field.get(view.present);
  if (!field.applies(*view.present.kind) || before == field.get(wanted_structure(state, view)))
    return;
  const std::string text =
      "was " + (field.is_flag ? std::string(before != 0 ? "on" : "off") : std::to_string(before));
  ImGui::SameLine(0.0F, ui.px(10));
  ImGui::AlignTextToFramePadding();
  fragment(ui, text);
  ui.mark(probe_of(field) + "/before", text);
}

void extent_row(Ui& ui, const AppState& state, StructureView& view, const StructureField& field) {
  const float begin = ImGui::GetCursorPosX();
  const std::optional<double> number =
      field.is_flag ? std::nullopt : std::optional(number_in(state, view, field));
  move_extent(view, field,
              scalar_label(ui, probe_of(field), field.label, field.help, limits_of(field), number,
                           view.dragging[std::string(field.name)]));
  ImGui::SameLine();
  ImGui::SetCursorPosX(std::max(begin + ui.px(kExtentLabelWidth), ImGui::GetCursorPosX()));
  if (!field.is_flag) {
    stepper(ui, state, view, field);
  } else if (const auto on = checkbox(ui, probe_of(field), "",
                                      field.get(wanted_structure(state, view)) != 0, field.help)) {
    choose_extent(view, field, *on ? 1 : 0);
  }
  present_value(ui, state, view, field);
  if (field.is_flag) empty_hint(ui, field.help);
  const TypedExtent& typed = view.typed;
  if (typed.field != &field || typed.problem.empty()) return;
  problem_text(ui, typed.problem, probe_of(field) + "/problem");
}

void choice_of_extents(Ui& ui, const AppState& state, StructureView& view) {
  section_header(ui, "Sizes");
  for (const StructureField& field : all_structure_fields()) {
    if (field.applies(*wanted_structure(state, view).kind)) extent_row(ui, state, view, field);
  }
  const std::uint64_t bytes = predicted_bytes(state.document, wanted_structure(state, view));
  if (bytes < kWorthSaying) return;
  const std::string text = "Takes about " + bytes_text(bytes) + " of memory";
  ImGui::Spacing();
  empty_hint(ui, text, "structure/memory");
}

void choose_kind(StructureView& view, const KindInfo* kind) {
  view.chosen.kind = kind;
  view.typed = {};
}

void draw_kind(Ui& ui, const KindInfo& info, bool chosen, float wrap) {
  const UiColors& colors = ui.colors();
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float rounding = ImGui::GetStyle().FrameRounding;
  if (chosen)
    draw.AddRectFilled(min, max, to_imgui(mix(colors.panel, colors.accent, 0.2)), rounding);
  if (!chosen && ImGui::IsItemHovered())
    draw.AddRectFilled(min, max, to_imgui(colors.hovered), rounding);
  if (chosen) {
    draw.AddRectFilled(min, ImVec2(min.x + ui.px(3), max.y), to_imgui(colors.accent), rounding,
                       ImDrawFlags_RoundCornersLeft);
  }
  const float size = ImGui::GetFontSize();
  const ImVec2 at = min + ui.px(11, 5);
  const std::string_view label = ui.text(Wording::Label, info.label);
  const std::string_view sentence = ui.text(Wording::Explanation, info.sentence);
  draw.AddText(ui.fonts.bold, size, at, to_imgui(colors.text), label.data(),
               label.data() + label.size());
  draw.AddText(ImGui::GetFont(), size, ImVec2(at.x, at.y + ImGui::GetTextLineHeight() + ui.px(2)),
               to_imgui(chosen ? colors.text : colors.muted), sentence.data(),
               sentence.data() + sentence.size(), wrap);
}

// Tab stops at the chosen kind only, from which arrows lead to the others. Its id stays constant,
// so that the focus follows the choice.
void kind_row(Ui& ui, StructureView& view, const KindInfo& info, float width) {
  const bool chosen = view.chosen.kind == &info;
  const std::string name = "structure/kind/" + std::string(info.name);
  const float wrap = width - ui.px(22);
  const std::string_view sentence = ui.text(Wording::Explanation, info.sentence);
  const float below =
      ImGui::CalcTextSize(sentence.data(), sentence.data() + sentence.size(), false, wrap).y;
  const ImVec2 size(width, ImGui::GetTextLineHeight() + below + ui.px(12));
  if (ImGui::InvisibleButton(chosen ? "structure/kind" : name.c_str(), size) && !chosen) {
    choose_kind(view, &info);
  }
  if (chosen) {
    ui.mark(name, "on");
  } else if (ui.probe != nullptr) {
    ui.probe->record(name, "", true);
  }
  tooltip(ui, chosen ? "Selected kind" : "Converts the document to this kind");
  draw_kind(ui, info, chosen, wrap);
}

void kind_keys(Ui& ui, StructureView& view) {
  const std::string& focused = ui.focus.focused();
  const bool here = focused.empty() || focused.starts_with("structure/kind/");
  if (!here || ImGui::GetIO().WantTextInput) return;
  const std::span<const KindInfo* const> kinds = all_kinds();
  const auto at = std::ranges::find(kinds, view.chosen.kind);
  if (key_pressed(keys::kDown) && at + 1 != kinds.end()) choose_kind(view, *(at + 1));
  if (key_pressed(keys::kUp) && at != kinds.begin()) choose_kind(view, *(at - 1));
}

void kinds(Ui& ui, StructureView& view, float width) {
  section_header(ui, "Kind of model");
  kind_keys(ui, view);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(2)));
  for (const KindInfo* kind : all_kinds()) kind_row(ui, view, *kind, width);
  ImGui::PopStyleVar();
}

// Larger previews take longer than a frame.
constexpr std::uint64_t kMaxPreviewed = std::uint64_t{1} << 20U;  // numbers

// Makes the change without applying it.
StructurePreview preview_of(const AppState& state, const Structure& wanted) {
  const Document& document = state.document;
  const bool computed = state.result_revision == state.revision;
  StructurePreview preview{state.id, state.revision, computed, wanted, {}};
  const std::uint64_t numbers =
      std::max(predicted_numbers(document, wanted), entered_bytes(document) / sizeof(float));
  const bool waits = !computed && needs_result(document, wanted);
  if (waits || numbers > kMaxPreviewed) {
    preview.remarks = {waits ? "Shown once the document is computed"
                             : "For a document of this size, shown only when applied"};
    return preview;
  }
  const auto made = with_structure(document, wanted, computed ? state.result.get() : nullptr,
                                   nullptr, state.memory_limit_bytes);
  if (made) preview.remarks = made->remarks;
  return preview;
}

bool is_of(const StructurePreview& preview, const AppState& state, const Structure& wanted) {
  return preview.document == state.id && preview.revision == state.revision &&
         preview.computed == (state.result_revision == state.revision) && preview.wanted == wanted;
}

void remarks_on_the_change(Ui& ui, const AppState& state, StructureView& view) {
  section_header(ui, "What changes");
  const Structure wanted = wanted_structure(state, view);
  if (wanted == view.present) return empty_hint(ui, "Nothing");
  StructurePreview& preview = view.preview;
  if (!is_of(preview, state, wanted)) preview = preview_of(state, wanted);
  for (std::size_t i = 0; i < preview.remarks.size(); ++i) {
    wrapped_text(preview.remarks[i], ui.colors().text);
    ui.mark("structure/remark/" + std::to_string(i), preview.remarks[i]);
  }
}

bool structure_contents(Ui& ui, const AppState& state, StructureView& view) {
  const float space = ImGui::GetContentRegionAvail().x;
  const bool two_columns = space >= ui.px(kTwoColumns);
  ImGui::BeginGroup();
  kinds(ui, view,
        two_columns ? std::min(ui.px(kKindsWidth), space - ui.px(kBetweenColumns + kFieldsWidth))
                    : space);
  ImGui::EndGroup();
  if (two_columns) ImGui::SameLine(0.0F, ui.px(kBetweenColumns));
  ImGui::BeginGroup();
  choice_of_extents(ui, state, view);
  ImGui::Spacing();
  remarks_on_the_change(ui, state, view);
  ImGui::EndGroup();
  return view.entered;
}

Obstacle structure_obstacle(const AppState& state, const StructureView& view) {
  if (!view.typed.problem.empty()) return {"Correct the refused number first", false};
  const Structure wanted = wanted_structure(state, view);
  if (wanted == view.present) return {"No changes yet", false};
  return {reason_against(state.document, wanted, state.memory_limit_bytes)};
}

}  // namespace

void structure_window(Ui& ui, const AppState& state, StructureView& view) {
  if (state.overlay != Overlay::Structure) return;
  view.present = structure_of(state.document);
  view.entered = false;
  const OverlayWindow window{"structure", "Structure", ImVec2(780, 610), "Cancel"};
  if (begin_overlay(ui, window)) {
    view.chosen = view.present;
    view.typed = {};
  }
  const bool applies = end_with_apply_button(
      ui, window, [&] { return structure_contents(ui, state, view); },
      [&] { return structure_obstacle(state, view); });
  if (!applies) return;
  ui.send(command::SetStructure{wanted_structure(state, view)});
  ui.send(command::ShowOverlay{});
}

}  // namespace attn::gui
