// Three things to do at the first start.
#include <utility>

#include "document/edit.h"
#include "document/load/open.h"
#include "gui/panels/lesson/lesson_panel.h"
#include "gui/platform/imgui_compat.h"
#include "gui/ui/style.h"
#include "lesson/formula.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr double kStepSize = 14.0;  // units

struct StepInfo {
  const char* number;
  const char* text;     // Markdown with formulas
  const char* control;  // probe name
};

// Steps in the order of FirstStep.
constexpr StepInfo kSteps[] = {
    {"1 of 3",
     "**Drag this number**, to the left or to the right: the first number of the query of *I*.\n\n"
     "Watch its row of the map change with it, while the other rows stand still.\n\n"
     "By keyboard: type a number, then Enter.",
     "inputs/grid/cell/0,0"},
    {"2 of 3",
     "**Why {weights[1, 3]:.2}?** Click this cell of the map: *I* looks at *cats*.\n\n"
     "On the right you see how this number is computed.\n\n"
     "By keyboard: move to this cell with the arrow keys.",
     "plot/heatmap/cell/0,2"},
    {"3 of 3",
     "**Drop your file here**: attention or Q, K and V as JSON, NumPy, safetensors, GGUF or a "
     "table.\n\n"
     "Or learn how attention works, one small step at a time.",
     "panel/plots"}};

// Precondition: the step is not None.
const StepInfo& info_of(FirstStep step) { return kSteps[static_cast<std::size_t>(step) - 1]; }

std::string text_of(const AppState& state, const StepInfo& info) {
  if (!state.result) return info.text;
  return filled_text(info.text, {*state.result_document, state.result});
}

// Numbers and arrows go where the step means.
void give_keyboard(Ui& ui, FirstStep step) {
  if (step == FirstStep::Edit) ui.request({"inputs/grid"});
  if (step == FirstStep::Pin) ImGui::SetWindowFocus(nullptr);
}

// True if the first number of the first query is not that of the file any more.
bool has_meant_number_changed(const AppState& state) {
  const std::vector<Snapshot>& past = state.history.past;
  const auto first = [](const Document& document) {
    const auto* given = std::get_if<GivenQkv>(&document.model);
    return given == nullptr ? 0.0F : given->q.values().front();
  };
  return !past.empty() && first(past.front().document) != first(state.document);
}

void ways_on(Ui& ui) {
  const auto way = [&](const char* name, const char* label, const ButtonOptions& look,
                       Command leads_on) {
    if (!button(ui, name, label, look)) return;
    ui.send(command::SetFirstStep{FirstStep::None});
    ui.send(std::move(leads_on));
  };
  way("first_steps/lesson", "First lesson",
      {.kind = ButtonKind::Primary, .tooltip = "Attention, computed by hand"},
      command::Open{first_lesson()});
  ImGui::SameLine();
  way("first_steps/open", "Open a file…", {.shortcut = "Ctrl+O"},
      command::ShowDialog{DialogKind::Open});
  way("first_steps/all", "Lessons and examples", {.tooltip = "Opens the start page"},
      command::ShowOverlay{Overlay::Start});
}

}  // namespace

void first_steps_panel(Ui& ui, const AppState& state, LessonView& view) {
  if (std::exchange(view.first_step, state.first_step) != state.first_step) {
    give_keyboard(ui, state.first_step);
    view.begun_at = state.revision;
  }
  const bool edited = state.revision != view.begun_at && has_meant_number_changed(state);
  if (state.first_step == FirstStep::Edit && edited && !ImGui::IsAnyMouseDown()) {
    ui.send(command::Unpin{});
    ui.send(command::SetFirstStep{FirstStep::Pin});
  }
  const StepInfo& info = info_of(state.first_step);
  const bool escaped = key_pressed(keys::kEscape, false) && !is_covered(state) &&
                       !ui.focus.in_menus() && !ui.closes_menu && !ui.plain_keys_taken() &&
                       !ImGui::IsAnyMouseDown();
  elided_text(ui, "First steps", ImGui::GetContentRegionAvail().x, ui_colors(ui.theme).text, true);
  fragment(ui, info.number);
  if (button_beside(ui, "first_steps/end", "Skip",
                    "Ends the first steps (Esc); Help ▸ First steps shows them again", ui.px(8)) ||
      escaped) {
    ui.send(command::SetFirstStep{FirstStep::None});
    ui.send(command::Notify{Notice::Level::Info, std::string(command::kFirstStepsEnded), ""});
  }
  card_text(ui, view.words, text_of(state, info), kStepSize, "lesson/text");
  if (state.first_step == FirstStep::Open) ways_on(ui);
}

std::string meant_control(const AppState& state) {
  if (state.first_step != FirstStep::None) return info_of(state.first_step).control;
  if (!is_in_lesson(state) || shown_step(state).input.empty()) return "";
  const std::string& input = shown_step(state).input;
  const Document& given = state.lesson.written.back();
  const auto cell = input_cell(state.document, input);
  if (!cell || state.grid.matrix != cell->matrix || !input_cell(given, input)) return "";
  const auto number = [&](const Document& document) {
    return matrix_of(document, cell->matrix).at(cell->row, cell->col);
  };
  if (number(state.document) != number(given)) return "";
  return "inputs/grid/cell/" + std::to_string(cell->row) + "," + std::to_string(cell->col);
}

void light_meant_control(const Ui& ui, const AppState& state) {
  const std::string name = meant_control(state);
  if (name.empty() || ui.probe == nullptr || is_covered(state) || is_popup_open()) return;
  const auto control = ui.probe->find(name);
  if (!control) return;
  const float gap = ui.px(2), wide = ui.px(5), radius = ui.px(4);
  const Color accent = ui_colors(ui.theme).accent;
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const ImVec2 min(control->min.x - gap, control->min.y - gap);
  const ImVec2 max(control->max.x + gap, control->max.y + gap);
  list.AddRect(min, max, to_imgui(with_alpha(accent, 70)), radius, 0, wide);
  list.AddRect(min, max, to_imgui(accent), radius, 0, ui.px(2));
}

}  // namespace attn::gui
