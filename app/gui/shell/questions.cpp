#include <algorithm>
#include <span>

#include "gui/panels/controls.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/overlays.h"

namespace attn::gui {
namespace {

using command::Answer;

struct Choice {
  const char* label;
  const char* name;
  Answer answer;
};

constexpr Choice kUnsavedChoices[] = {{"Save", "question/save", Answer::Save},
                                      {"Discard", "question/discard", Answer::Discard},
                                      {"Cancel", "question/cancel", Answer::Cancel}};
constexpr Choice kOverwriteChoices[] = {{"Overwrite", "question/overwrite", Answer::Overwrite},
                                        {"Cancel", "question/cancel", Answer::Cancel}};

std::string question_text(const AppState& state) {
  if (const auto* overwrite = std::get_if<OverwriteQuestion>(&*state.question)) {
    return overwrite->path + " exists already. Overwrite it?";
  }
  const std::string name = state.path.empty() ? state.document.title : state.path;
  return "Save the changes to " + (name.empty() ? "the document" : name) +
         " first? They are lost otherwise.";
}

std::span<const Choice> choices(const AppState& state) {
  if (std::holds_alternative<OverwriteQuestion>(*state.question)) return kOverwriteChoices;
  return kUnsavedChoices;
}

void answer(Ui& ui, Answer chosen) {
  ui.send(command::AnswerQuestion{chosen});
  ImGui::CloseCurrentPopup();
}

// Enter takes the first choice, which loses nothing, or for overwriting the last.
void question_contents(Ui& ui, const AppState& state) {
  const bool overwriting = std::holds_alternative<OverwriteQuestion>(*state.question);
  const std::span<const Choice> offered = choices(state);
  const Choice& safe = overwriting ? offered.back() : offered.front();
  rich_text(ui, question_text(state), kTextSize + 1, ui.colors().ink);
  ui.mark("question", question_text(state));
  ImGui::Spacing();
  for (const Choice& choice : offered) {
    if (button(ui, choice.name, choice.label,
               {.kind = &choice == &safe ? ButtonKind::Primary : ButtonKind::Normal})) {
      answer(ui, choice.answer);
    }
    ImGui::SameLine();
  }
  ImGui::NewLine();
  if (ImGui::IsWindowAppearing()) return;
  if (key_pressed(keys::kEscape, false)) {
    answer(ui, Answer::Cancel);
  } else if (enter_pressed()) {
    answer(ui, safe.answer);
  }
}

}  // namespace

void question(Ui& ui, const AppState& state) {
  if (state.question && !ImGui::IsPopupOpen("question")) ImGui::OpenPopup("question");
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(display.x / 2, display.y * 0.4F), ImGuiCond_Always,
                          ImVec2(0.5F, 0.5F));
  ImGui::SetNextWindowSize(ImVec2(std::min(ui.px(440), display.x - ui.px(40)), 0));
  if (!ImGui::BeginPopupModal("question", nullptr,
                              ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                  ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings)) {
    return;
  }
  if (state.question) {
    question_contents(ui, state);
  } else {
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace attn::gui
