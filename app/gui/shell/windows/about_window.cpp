// Draws what the program is made of, for reports.
#include <string>
#include <utility>
#include <vector>

#include "gui/panels/controls.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/shell/windows/overlays.h"
#include "session/build_information.h"
#include "session/command.h"

namespace attn::gui {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kWherePackages =
    "On Debian their texts are in /usr/share/doc/PACKAGE/copyright.";

Rows graphics_rows(const GraphicsDescription& graphics) {
  Rows rows;
  for (const auto& [name, value] : {std::pair{"OpenGL", graphics.version},
                                    {"Renderer", graphics.renderer},
                                    {"Vendor", graphics.vendor}}) {
    if (!value.empty()) rows.emplace_back(name, value);
  }
  return rows;
}

Rows licence_rows() {
  Rows rows;
  for (const LibraryLicence& library : library_licences()) {
    rows.emplace_back(library.library,
                      std::string(library.licence) + ", " + std::string(library.package));
  }
  return rows;
}

void add_lines(std::string& text, const Rows& rows) {
  for (const auto& [name, value] : rows) text.append(name).append(": ").append(value).append("\n");
}

void table(Ui& ui, const char* name, const Rows& rows) {
  if (rows.empty() || !ImGui::BeginTable(name, 2, ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn("Name", ImGuiTableColumnFlags_WidthFixed, ui.px(120));
  ImGui::TableSetupColumn("Value", ImGuiTableColumnFlags_WidthStretch);
  for (const auto& [label, value] : rows) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    empty_hint(ui, label);
    ImGui::TableNextColumn();
    ImGui::PushTextWrapPos(0.0F);
    ImGui::TextUnformatted(value.c_str());
    ImGui::PopTextWrapPos();
    ui.mark("about/" + label, value);
  }
  ImGui::EndTable();
}

void contents(Ui& ui, const GraphicsDescription& graphics) {
  empty_hint(ui,
             "Computes attention from numbers you can edit and shows every stage of it, live. Rows "
             "are queries, columns are keys, everywhere. Nothing leaves this computer: the program "
             "opens no connection.");
  ImGui::Spacing();
  const bool copies = button(
      ui, "about/copy", "Copy information",
      {.tooltip = "Puts all of it on the clipboard as text, for a report", .shortcut = "Ctrl+C"});
  if (copies || (ImGui::GetIO().KeyCtrl && key_pressed('C', false))) {
    ImGui::SetClipboardText(about_text(graphics).c_str());
    ui.send(command::Notify{Notice::Level::Info, "Copied what the program is made of", ""});
  }
  section_header(ui, "Build");
  table(ui, "about/build", build_information());
  if (const Rows rows = graphics_rows(graphics); !rows.empty()) {
    section_header(ui, "Graphics");
    table(ui, "about/graphics", rows);
  }
  section_header(ui, "Licences of the libraries");
  table(ui, "about/licences", licence_rows());
  empty_hint(ui, kWherePackages);
}

}  // namespace

std::string about_text(const GraphicsDescription& graphics) {
  std::string text;
  add_lines(text, build_information());
  add_lines(text, graphics_rows(graphics));
  text += "\nLicences of the libraries. " + std::string(kWherePackages) + "\n";
  add_lines(text, licence_rows());
  return text;
}

void about(Ui& ui, const AppState& state, const GraphicsDescription& graphics) {
  if (state.overlay != Overlay::About) return;
  const std::string title = "AttnScope " + std::string(program_version());
  const bool close = centred_window(ui, {"about", title.c_str(), ImVec2(560, 640)},
                                    [&] { contents(ui, graphics); });
  if (close) ui.send(command::ShowOverlay{});
}

}  // namespace attn::gui
