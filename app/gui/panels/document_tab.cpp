// The title of the document as a tab.
#include "gui/panels/document_tab.h"

#include <algorithm>

#include "gui/ui/style.h"
#include "session/command.h"

namespace attn::gui {
namespace {

void rename_field(Ui& ui, const AppState& state, DocumentTabView& view, float width_px) {
  const auto title =
      text_field(ui, "document/title", state.document.title, view.title,
                 {.hint = "Title", .width = width_px / ui.scale, .focus = view.appeared});
  if (title) ui.send(command::SetTitle{*title});
  if (!view.appeared && !view.title.editing) view.renaming = false;
  view.appeared = false;
}

void draw_tab(Ui& ui, const std::string& text, ImVec2 min, ImVec2 max) {
  const UiColors colors = ui_colors(ui.theme);
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(min.x, min.y + ui.px(3)), max,
                                            to_imgui(colors.window), ui.px(6),
                                            ImDrawFlags_RoundCornersTop);
  draw_in_row(ui, text, ImVec2(min.x + ui.px(kTabPadding), min.y + ui.px(1)), max.y - min.y,
              colors.text);
}

std::string explanation(const AppState& state) {
  const Document& document = state.document;
  std::string text = state.path.empty() || document.title.empty() ? "" : document.title + "\n\n";
  if (is_described(state)) text += document.description + "\n\n";
  return text + "Double-click to change the title";
}

}  // namespace

float text_width(const Ui& ui, std::string_view text) {
  return ui.labels.line_size(text, FontStyle{kTextSize}, ui.scale).x;
}

std::string tab_text(const Ui& ui, const std::string& name, bool is_unsaved, float width_px) {
  const std::string mark(is_unsaved ? kUnsavedMark : "");
  const float room = width_px - ui.px(2 * kTabPadding) - text_width(ui, mark);
  return fitted_token(ui, name, room) + mark;
}

void document_tab(Ui& ui, const AppState& state, DocumentTabView& view, float width_px) {
  if (view.renaming) return rename_field(ui, state, view, width_px);
  const std::string title = tab_name(state, state);
  const std::string text = tab_text(ui, title, has_unsaved_changes(state), width_px);
  const float width = std::min(text_width(ui, text) + ui.px(2 * kTabPadding), width_px);
  ImGui::InvisibleButton("document/title",
                         ImVec2(std::max(width, ui.px(40)), ImGui::GetFrameHeight()));
  ui.mark("document/title", title);
  draw_tab(ui, text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0)) view = {true, true, {}};
  tooltip(ui, explanation(state));
}

}  // namespace attn::gui
