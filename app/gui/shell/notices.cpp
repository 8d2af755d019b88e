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

void notice_buttons(Ui& ui, const Notice& notice, const std::string& name) {
  if (!notice.details.empty() || notice.level != Notice::Level::Info) {
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

ShownNotice notice_window(Ui& ui, const Notice& notice, const std::string& name, float bottom_px) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float width = std::min(ui.px(380), display.x - ui.px(24));
  OverlayPlace place;
  place.at = ImVec2(display.x - ui.px(12), bottom_px);
  place.pivot = ImVec2(1.0F, 1.0F);
  place.size = ImVec2(width, 0);
  place.dims_rest = place.takes_keyboard = false;
  begin_overlay(ui, ("notice##" + std::to_string(notice.id)).c_str(), place);
  const ImVec2 min = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  ImGui::GetWindowDrawList()->AddRectFilled(min, ImVec2(min.x + ui.px(4), min.y + size.y),
                                            to_imgui(level_color(ui, notice.level)), ui.px(3));
  rich_text(ui, shortened(notice.text, 600), kTextSize, ui.colors().ink);
  ui.mark(name, notice.text);
  notice_buttons(ui, notice, name);
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
                              double now_seconds) {
  forget_gone(view, state.notices);
  std::optional<double> next;
  float bottom = ImGui::GetIO().DisplaySize.y - ui.px(40);
  for (std::size_t i = state.notices.size(); i-- > 0;) {
    const Notice& notice = state.notices[i];
    const ShownNotice shown = notice_window(ui, notice, "notice/" + std::to_string(i), bottom);
    bottom -= shown.height_px + ui.px(8);
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
