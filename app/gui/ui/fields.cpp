// Text and number fields that reject invalid input and keep it for correction.
#include <imgui_internal.h>

#include <utility>

#include "gui/platform/imgui_compat.h"
#include "gui/ui/style.h"
#include "gui/ui/text_input.h"
#include "gui/ui/widgets.h"
#include "numbers/read_numbers.h"

namespace attn::gui {
namespace {

enum class FieldEnd { No, Commit, Cancel };

// Rejected text is dropped when the field was hidden or left.
void forget_refused(FieldInteraction& interaction) {
  const int frame = ImGui::GetFrameCount();
  const bool away = interaction.last_frame < frame - 1 || interaction.left;
  if (away && !interaction.problem.empty()) interaction = {};
  interaction.last_frame = frame;
  interaction.left = false;
}

// Runs one frame of a field.
FieldEnd run_field(Ui& ui, std::string_view name, std::string_view shown,
                   FieldInteraction& interaction, const FieldOptions& options) {
  forget_refused(interaction);
  const std::string hint(ui.text(Wording::Explanation, options.hint));
  if (!interaction.editing) interaction.text = shown;
  ImGui::SetNextItemWidth(options.width > 0.0F ? ui.px(options.width) : -FLT_MIN);
  if (options.focus) ImGui::SetKeyboardFocusHere();
  const std::string id = "##" + std::string(name);
  const bool refused = !interaction.problem.empty();
  if (refused) {
    const Color error = ui_colors(ui.theme).error;
    ImGui::PushStyleColor(ImGuiCol_Border, ImGui::ColorConvertU32ToFloat4(to_imgui(error)));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, std::max(1.0F, ui.px(1)));
  }
  // A click on rejected text edits it, so it does not drag.
  const ScalarDrag* drag = options.drags && !refused ? &interaction.drag : nullptr;
  const TextInputResult input =
      text_input(ui, id.c_str(), interaction.text, hint.c_str(), TextSelection::All, drag);
  if (refused) {
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
  }
  ui.mark(name, interaction.text);
  tooltip(ui, options.tooltip);
  // A click elsewhere takes effect first, before the layout changes.
  const bool clicked_away = ImGui::IsMouseReleased(0) && !ImGui::IsItemHovered();
  if (refused && (clicked_away || key_pressed(keys::kEscape, false))) interaction.left = true;
  if (input.changed) interaction.problem.clear();
  if (input.active) interaction.editing = true;
  if (!interaction.editing) return FieldEnd::No;
  if (input.cancelled) {
    interaction = {};
    return FieldEnd::Cancel;
  }
  return input.entered || input.left || !input.active ? FieldEnd::Commit : FieldEnd::No;
}

// Keeps `problem_shown`: the caller may reject this text again, and its reason was shown.
void end_editing(FieldInteraction& interaction) {
  interaction.editing = false;
  interaction.text.clear();
  interaction.problem.clear();
}

}  // namespace

void refuse_text(FieldInteraction& interaction, std::string text, std::string problem) {
  interaction.editing = true;
  interaction.text = std::move(text);
  interaction.problem = std::move(problem);
}

void field_problem(Ui& ui, std::string_view name, FieldInteraction& interaction) {
  if (interaction.problem.empty()) {
    interaction.problem_shown = false;
    return;
  }
  problem_text(ui, interaction.problem);
  if (!std::exchange(interaction.problem_shown, true)) {
    ImGui::ScrollToItem(ImGuiScrollFlags_KeepVisibleEdgeY);
  }
  ui.mark(std::string(name) + "/problem", interaction.problem);
}

std::string refusal_text(const Error& error) {
  std::string text = error.message;
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text + "; " + (error.hint.empty() ? "expected " + error.expected : error.hint);
}

std::optional<std::string> text_field(Ui& ui, std::string_view name, std::string_view text,
                                      FieldInteraction& interaction, const FieldOptions& options) {
  if (run_field(ui, name, text, interaction, options) != FieldEnd::Commit) return std::nullopt;
  std::string now = interaction.text;
  end_editing(interaction);
  return now != text ? std::optional(std::move(now)) : std::nullopt;
}

}  // namespace attn::gui
