// Draws what earlier runs have left, with what can be done about it.
#include <algorithm>
#include <array>
#include <ctime>
#include <string>

#include "base/number_text.h"
#include "base/utf8.h"
#include "gui/panels/controls.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/shell/windows/overlays.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// "2026-11-22 14:03", in the time of this place.
std::string time_text(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm local{};
  std::array<char, 32> text{};
  if (localtime_r(&time, &local) == nullptr) return "";
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &local);
  return text.data();
}

// "3 edits, 2026-11-22 14:03, /home/ann/cats.attn.json"; what was pasted has none.
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
                  {.tooltip = "Opens it as a new document; its file stays as it is"})) {
    ui.send(command::RestoreWork{work, true});
  }
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
}

void contents_of(Ui& ui, const Recovery& recovery) {
  rich_text(ui,
            ui.say(Wording::Explanation,
                   "The program ended without saving these. What you leave stays for 30 days; the "
                   "menu File offers it."),
            kTextSize, ui.colors().ink);
  ImGui::Spacing();
  for (std::size_t i = 0; i < recovery.found.size(); ++i) {
    work_row(ui, recovery.found[i], i, i == 0 ? ButtonKind::Primary : ButtonKind::Normal);
  }
}

}  // namespace

void unsaved_work(Ui& ui, const AppState& state) {
  if (!state.recovery.is_open || state.question) return;
  constexpr float kFrame = 130.0F, kRow = 92.0F;
  constexpr std::size_t kMostRows = 5;
  const std::size_t rows = std::min(state.recovery.found.size(), kMostRows);
  const CentredWindow window{"unsaved", "Unsaved work was found",
                             ImVec2(520, kFrame + kRow * static_cast<float>(rows)),
                             "Leave it for now"};
  if (centred_window(ui, window, [&] { contents_of(ui, state.recovery); })) {
    ui.send(command::ShowUnsaved{false});
  }
}

}  // namespace attn::gui
