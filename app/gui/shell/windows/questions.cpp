// Windows of questions and of autosaved work.
#include <algorithm>
#include <array>
#include <ctime>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/number_text.h"
#include "base/utf8.h"
#include "gui/panels/controls/controls.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/windows/overlay_window.h"
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
    {"Overwrite", "question/overwrite", Answer::Overwrite, "The contents of the file are lost"},
    kCancel};
constexpr Choice kChangedChoices[] = {kSaveAs,
                                      {"Keep mine", "question/overwrite", Answer::Overwrite,
                                       "Overwrites the other program's changes with this document"},
                                      {"Take theirs", "question/reload", Answer::Reload,
                                       "Reads the file again; undo leads back to what is here"},
                                      kCancel};
constexpr Choice kOutsideChoices[] = {
    {"Allow once", "question/allow", Answer::Allow,
     "Reads the files that this document refers to, wherever they are"},
    {"Do not open it", "question/cancel", Answer::Cancel, "Reads none of them"}};
constexpr Choice kProtectedChoices[] = {kSaveAs, kCancel};

// Text of a question, its answers, and the answer that loses nothing.
struct Asked {
  std::string text;
  std::span<const Choice> choices;
  Answer safe;
};

std::string name_of(const OpenDocument& document) {
  return "“" + (document.path.empty() ? document_name(document) : document.path) + "”";
}

// "a, b and c": all documents with unsaved changes.
std::string unsaved_names(const AppState& state) {
  std::vector<std::string> names;
  for (const OpenDocument* document : open_documents(state)) {
    if (has_unsaved_changes(*document)) names.push_back(name_of(*document));
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

Asked asked(const AppState& state, const UnsavedQuestion& question) {
  return {"Save the changes to " + (question.closing == 0 ? unsaved_names(state) : name_of(state)) +
              " first? They are lost otherwise.",
          kUnsavedChoices, Answer::Save};
}

Asked asked(const AppState& /*state*/, const FileQuestion& question) {
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
              "was changed by another program since it was opened or saved here. Keeping yours "
              "loses what was written there; taking theirs can be undone.",
          kChangedChoices, Answer::SaveAs};
}

Asked asked(const AppState& /*state*/, const OutsideQuestion& question) {
  const std::string whose = question.compares || question.path.empty() ? "" : question.path + ": ";
  return {
      "“" + printable_line(whose + question.reason) +
          "”. What a document refers to becomes part of what it shows and saves: allow it where "
          "you trust whoever made the document.",
      kOutsideChoices, Answer::Cancel};
}

void answer(Ui& ui, Answer chosen) {
  ui.send(command::AnswerQuestion{chosen});
  ImGui::CloseCurrentPopup();
}

// Enter takes the answer that loses nothing, or presses the focused one.
void question_contents(Ui& ui, const AppState& state) {
  const Asked now =
      std::visit([&](const auto& question) { return asked(state, question); }, *state.question);
  rich_text(ui, ui.text(Wording::Explanation, now.text), kTextSize + 1, ui.colors().ink);
  ui.mark("question", now.text);
  ImGui::Spacing();
  for (const Choice& choice : now.choices) {
    const bool safe = choice.answer == now.safe;
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
  if (ImGui::IsWindowAppearing()) return;
  if (key_pressed(keys::kEscape, false)) {
    answer(ui, Answer::Cancel);
  } else if (ui.focus.focused().empty() && enter_pressed()) {
    answer(ui, now.safe);
  }
}

// "2026-11-22 14:03", local time.
std::string time_text(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm local{};
  std::array<char, 32> text{};
  if (localtime_r(&time, &local) == nullptr) return "";
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &local);
  return text.data();
}

// "3 edits, 2026-11-22 14:03, /home/ann/cats.attn.json"; pasted documents have no edits.
std::string facts_of(const UnsavedWork& work) {
  std::string edits = grouped_text(work.edits) + (work.edits == 1 ? " edit, " : " edits, ");
  if (work.edits == 0) edits.clear();
  return edits + time_text(work.written) + ", " +
         (work.path.empty() ? "never saved" : printable_line(work.path));
}

bool work_button(Ui& ui, const char* what, std::size_t index, const char* label,
                 const ButtonOptions& options) {
  return button(ui, std::string("unsaved/") + what + "/" + std::to_string(index), label, options);
}

void work_row(Ui& ui, const UnsavedWork& work, std::size_t index, ButtonKind kind) {
  const std::string name = work.name.empty() ? "Untitled" : printable_line(work.name);
  rich_text(ui, name, kTextSize + 1, ui.colors().ink);
  ui.mark("unsaved/name/" + std::to_string(index), name);
  rich_text(ui, facts_of(work), kTextSize, ui.colors().muted);
  if (work_button(ui, "restore", index, "Restore",
                  {.kind = kind, .tooltip = "Opens it with its edits, to be saved to its file"})) {
    ui.send(command::RestoreWork{work, false});
  }
  ImGui::SameLine();
  if (work_button(ui, "copy", index, "Open a copy",
                  {.tooltip = "Opens it as a new document; its file stays unchanged"})) {
    ui.send(command::RestoreWork{work, true});
  }
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
}

void contents_of(Ui& ui, const Recovery& recovery) {
  rich_text(ui,
            ui.text(Wording::Explanation,
                    "The program ended without saving these. What you leave stays for 30 days; the "
                    "menu File offers it."),
            kTextSize, ui.colors().ink);
  ImGui::Spacing();
  for (std::size_t i = 0; i < recovery.found.size(); ++i) {
    work_row(ui, recovery.found[i], i, i == 0 ? ButtonKind::Primary : ButtonKind::Normal);
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

void unsaved_work(Ui& ui, const AppState& state) {
  if (!state.recovery.is_open || state.question) return;
  constexpr float kFrame = 130.0F, kRow = 92.0F;
  constexpr std::size_t kMaxRows = 5;
  const std::size_t rows = std::min(state.recovery.found.size(), kMaxRows);
  const OverlayWindow window{"unsaved", "Unsaved work was found",
                             ImVec2(520, kFrame + kRow * static_cast<float>(rows)),
                             "Leave it for now"};
  begin_overlay(ui, window);
  if (end_with_close_button(ui, window, [&] { contents_of(ui, state.recovery); })) {
    ui.send(command::ShowUnsaved{false});
  }
}

}  // namespace attn::gui
