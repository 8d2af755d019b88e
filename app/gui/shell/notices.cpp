#include <algorithm>

#include "base/utf8.h"
#include "gui/panels/controls.h"
#include "gui/shell/overlay_window.h"
#include "gui/shell/overlays.h"
#include "gui/ui/style.h"

namespace attn::gui {
namespace {

Color level_color(const Ui& ui, Notice::Level level) {
  const UiColors colors = ui_colors(ui.theme);
  if (level == Notice::Level::Error) return colors.error;
  return level == Notice::Level::Warning ? colors.warning : colors.accent;
}

bool has_details(const Notice& notice) {
  return !notice.details.empty() || notice.level != Notice::Level::Info;
}

void notice_buttons(Ui& ui, const Notice& notice, const std::string& name) {
  if (has_details(notice)) {
    if (button(ui, name + "/copy", "Copy details")) {
      const std::string& text = notice.details.empty() ? notice.text : notice.details;
      ImGui::SetClipboardText(text.c_str());
    }
    ImGui::SameLine();
  }
  if (button(ui, name + "/dismiss", "Dismiss")) ui.send(command::DismissNotice{notice.id});
}

struct ShownNotice {
  float height_px;
  bool hovered;
};

float buttons_width(const Notice& notice) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  return button_width("Dismiss") + gap +
         (has_details(notice) ? button_width("Copy details") + gap : 0.0F);
}

// One line when text and buttons fit into it.
void notice_contents(Ui& ui, const Notice& notice, const std::string& name) {
  std::string text = shortened(notice.text, 400);
  if (notice.count > 1) text += " ×" + std::to_string(notice.count);
  const float room = ImGui::GetContentRegionAvail().x;
  const float width = ui.labels.line_size(text, FontStyle{kTextSize}, ui.scale).x;
  const bool one_line = width + buttons_width(notice) < room;
  rich_text(ui, text, kTextSize, ui.colors().ink);
  ui.mark(name, notice.text);
  if (one_line)
    ImGui::SameLine(room - buttons_width(notice) + 2 * ImGui::GetStyle().WindowPadding.x);
  notice_buttons(ui, notice, name);
}

ShownNotice notice_window(Ui& ui, const Notice& notice, const std::string& name,
                          const NoticesPlace& where, float bottom_px) {
  OverlayPlace place;
  place.at = ImVec2(where.min.x, bottom_px);
  place.pivot = ImVec2(0.0F, 1.0F);
  place.size = ImVec2(where.max.x - where.min.x, 0);
  place.dims_rest = place.takes_keyboard = false;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(10), ui.px(4)));
  begin_overlay(ui, ("notice##" + std::to_string(notice.id)).c_str(), place);
  ImGui::PopStyleVar();
  const ImVec2 min = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  ImGui::GetWindowDrawList()->AddRectFilled(min, ImVec2(min.x + ui.px(4), min.y + size.y),
                                            to_imgui(level_color(ui, notice.level)), ui.px(3));
  notice_contents(ui, notice, name);
  const bool hovered = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  end_overlay();
  return {size.y, hovered};
}

void forget_gone(NoticesView& view, const std::vector<Notice>& notices) {
  std::erase_if(view.shown_since, [&](const auto& shown) {
    return std::none_of(notices.begin(), notices.end(),
                        [&](const Notice& notice) { return notice.id == shown.first; });
  });
}

}  // namespace

std::optional<double> notices(Ui& ui, const AppState& state, NoticesView& view,
                              const NoticesPlace& place, double now_seconds) {
  forget_gone(view, state.notices);
  std::optional<double> next;
  float bottom = place.max.y;
  for (std::size_t i = state.notices.size(); i-- > 0;) {
    const Notice& notice = state.notices[i];
    const ShownNotice shown =
        notice_window(ui, notice, "notice/" + std::to_string(i), place, bottom);
    bottom -= shown.height_px + ui.px(2);
    double& since = view.shown_since.try_emplace(notice.id, now_seconds).first->second;
    if (shown.hovered) since = now_seconds;
    if (notice.level != Notice::Level::Info) continue;
    const double left = since + kInfoSeconds - now_seconds;
    if (left <= 0.0) {
      ui.send(command::DismissNotice{notice.id});
    } else {
      next = std::min(next.value_or(left), left);
    }
  }
  return next;
}

}  // namespace attn::gui
