// Window of questions.
#include <algorithm>
#include <span>
#include <variant>

#include "base/joined.h"
#include "base/utf8.h"
#include "gui/panels/controls/controls.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/windows/overlays.h"
#include "session/command.h"

namespace attn::gui {
namespace {

using command::Answer;

struct Choice {
  const char* label;
  const char* name;
  Answer answer;
  const char* help;
};

constexpr Choice kCancel{"Cancel", "question/cancel", Answer::Cancel,
                         "Returns to the document; nothing is changed"};
constexpr Choice kSaveAs{"Save as…", "question/save_as", Answer::SaveAs,
                         "Asks for another file; this one stays unchanged"};

constexpr Choice kUnsavedChoices[] = {
    {"Save", "question/save", Answer::Save, "Saves the changes first, then continues"},
    {"Discard", "question/discard", Answer::Discard, "Continues; the changes are lost"},
    kCancel};
constexpr Choice kOverwriteChoices[] = {
    {"Overwrite", "question/overwrite", Answer::Overwrite, "The file's contents will be replaced"},
    kCancel};
constexpr Choice kChangedChoices[] = {kSaveAs,
                                      {"Keep mine", "question/overwrite", Answer::Overwrite,
                                       "Overwrites the other program's changes with this document"},
                                      {"Take theirs", "question/reload", Answer::Reload,
                                       "Reads the file again; undo restores the current version"},
                                      kCancel};
constexpr Choice kOutsideChoices[] = {
    {"Allow once", "question/allow", Answer::Allow,
     "Reads the files that this document refers to, wherever they are"},
    {"Do not open it", "question/cancel", Answer::Cancel, "Reads none of them"}};
constexpr Choice kProtectedChoices[] = {kSaveAs, kCancel};

// Text of a question, its answers, and the answer that loses nothing.
struct QuestionText {
  std::string text;
  std::span<const Choice> choices;
  Answer safe;
};

std::string name_of(const AppState& state, const OpenDocument& document) {
  return "“" + (document.path.empty() ? tab_name(state, document) : document.path) + "”";
}

// "a, b and c": all documents with unsaved changes.
std::string unsaved_names(const AppState& state) {
  std::vector<std::string> names;
  for (const OpenDocument* document : open_documents(state)) {
    if (has_unsaved_changes(*document)) names.push_back(name_of(state, *document));
  }
  return listed(names);
}

QuestionText text_of(const AppState& state, const UnsavedQuestion& question) {
  return {"Save changes to " +
              (question.closing == 0 ? unsaved_names(state) : name_of(state, state)) +
              "? Otherwise they will be lost.",
          kUnsavedChoices, Answer::Save};
}

QuestionText text_of(const AppState& /*state*/, const FileQuestion& question) {
  const std::string file = "“" + question.path + "” ";
  if (question.obstacle == FileObstacle::Exists) {
    return {file + "exists already. Overwrite it?", kOverwriteChoices, Answer::Cancel};
  }
  if (question.obstacle == FileObstacle::Protected) {
    return {file + "was not saved: " + question.reason +
                ". Save under another name, or allow writing to it and save again.",
            kProtectedChoices, Answer::SaveAs};
  }
  return {file +
              "was changed by another program since you opened or saved it. Keeping yours "
              "overwrites those changes; taking theirs can be undone.",
          kChangedChoices, Answer::SaveAs};
}

QuestionText text_of(const AppState& /*state*/, const OutsideQuestion& question) {
  const std::string whose = question.compares || question.path.empty() ? "" : question.path + ": ";
  return {"“" + printable_line(whose + question.reason) +
              "”. What a document refers to becomes part of what it shows and saves: allow it if "
              "you trust the author of the document.",
          kOutsideChoices, Answer::Cancel};
}

void answer(Ui& ui, Answer chosen) {
  ui.send(command::AnswerQuestion{chosen});
  ImGui::CloseCurrentPopup();
}

// Enter takes the answer that loses nothing, or presses the focused one.
void question_contents(Ui& ui, const AppState& state) {
  const QuestionText now =
      std::visit([&](const auto& question) { return text_of(state, question); }, *state.question);
  rich_text(ui, ui.text(Wording::Explanation, now.text), kTextSize + 1, ui.colors().ink);
  ui.mark("question", now.text);
  ImGui::Spacing();
  const bool appears = ImGui::IsWindowAppearing();
  for (const Choice& choice : now.choices) {
    const bool safe = choice.answer == now.safe;
    if (appears && safe) ui.focus.arrive_at(choice.name);
    if (button(ui, choice.name, choice.label,
               {.kind = safe ? ButtonKind::Primary : ButtonKind::Normal,
                .tooltip = choice.help,
                .shortcut = choice.answer == Answer::Cancel ? "Esc"
                            : safe                          ? "Enter"
                                                            : ""})) {
      answer(ui, choice.answer);
    }
    ImGui::SameLine();
  }
  ImGui::NewLine();
  if (appears) return;
  if (key_pressed(keys::kEscape, false)) {
    answer(ui, Answer::Cancel);
  } else if (ui.focus.focused().empty() && enter_pressed()) {
    answer(ui, now.safe);
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
