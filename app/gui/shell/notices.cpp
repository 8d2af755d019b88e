#include "gui/shell/notices.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "gui/panels/controls.h"
#include "gui/ui/style.h"

namespace attn::gui {
namespace {

// In units.
constexpr float kStripe = 4.0F, kPadding = 8.0F;
constexpr float kRowPadding = 3.0F, kRowGap = 3.0F;
constexpr float kMostOfWindow = 0.18F;  // share of its height
constexpr std::uint8_t kTint = 28;

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

float buttons_width(const Notice& notice) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  return button_width("Dismiss") +
         (has_details(notice) ? button_width("Copy details") + gap : 0.0F);
}

// Text on the left, wrapped; buttons on the right. The text of one line stands level with them.
void notice_contents(Ui& ui, const Notice& notice, const std::string& name) {
  std::string text = shortened(notice.text, 400);
  if (notice.count > 1) text += " ×" + std::to_string(notice.count);
  const ImVec2 at = ImGui::GetCursorPos();
  const float right = at.x + ImGui::GetContentRegionAvail().x - ui.px(kPadding);
  const float buttons = right - buttons_width(notice);
  const float line = ui.labels.line_size(text, FontStyle{kTextSize}, ui.scale).y;
  ImGui::SetCursorPosY(at.y + std::max(0.0F, (ImGui::GetFrameHeight() - line) / 2));
  rich_text(ui, text, kTextSize, ui.colors().ink, buttons - at.x - ui.px(kPadding));
  ui.mark(name, notice.text);
  ImGui::SetCursorPos(ImVec2(buttons, at.y));
  notice_buttons(ui, notice, name);
}

float least_height(const Ui& ui) {
  return ImGui::GetFrameHeight() + ui.px(2 * kRowPadding + 1 + kRowGap);
}

// True when the pointer is on it.
bool notice_row(Ui& ui, const Notice& notice, const std::string& name) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.ChannelsSplit(2);
  draw.ChannelsSetCurrent(1);
  const ImVec2 min = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(ImVec2(min.x + ui.px(kStripe + kPadding), min.y + ui.px(kRowPadding)));
  ImGui::BeginGroup();
  notice_contents(ui, notice, name);
  ImGui::EndGroup();
  const ImVec2 max(min.x + ImGui::GetWindowContentRegionMax().x,
                   ImGui::GetItemRectMax().y + ui.px(kRowPadding + 1));
  draw.ChannelsSetCurrent(0);
  const Color level = level_color(ui, notice.level);
  draw.AddRectFilled(min, max, to_imgui(with_alpha(level, kTint)), ui.px(3));
  draw.AddRectFilled(min, ImVec2(min.x + ui.px(kStripe), max.y), to_imgui(level), ui.px(2));
  draw.ChannelsMerge();
  ImGui::SetCursorScreenPos(ImVec2(min.x, max.y + ui.px(kRowGap)));
  return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max);
}

void forget_gone(NoticesView& view, const std::vector<Notice>& notices) {
  std::erase_if(view.shown, [&](const auto& shown) {
    return std::none_of(notices.begin(), notices.end(),
                        [&](const Notice& notice) { return notice.id == shown.first; });
  });
}

// After how many seconds it leaves by itself; a notice that is due is dismissed.
std::optional<double> seconds_left(Ui& ui, const Notice& notice, double since, double now_seconds) {
  if (notice.level != Notice::Level::Info) return std::nullopt;
  const double left = since + kInfoSeconds - now_seconds;
  if (left > 0.0) return left;
  ui.send(command::DismissNotice{notice.id});
  return std::nullopt;
}

}  // namespace

float notices_height(const Ui& ui, const AppState& state, const NoticesView& view) {
  if (state.notices.empty()) return 0.0F;
  float needed = 0.0F;
  for (const Notice& notice : state.notices) {
    const auto shown = view.shown.find(notice.id);
    const float drawn = shown == view.shown.end() ? 0.0F : shown->second.height_px;
    needed += std::max(drawn, least_height(ui));
  }
  const float most = std::min(ui.px(kNoticesMost), ImGui::GetIO().DisplaySize.y * kMostOfWindow);
  return std::min(needed, std::max(least_height(ui), most)) + ImGui::GetStyle().ItemSpacing.y;
}

std::optional<double> notices(Ui& ui, const AppState& state, NoticesView& view,
                              double now_seconds) {
  forget_gone(view, state.notices);
  const float height = notices_height(ui, state, view) - ImGui::GetStyle().ItemSpacing.y;
  if (state.notices.empty()) return std::nullopt;
  std::optional<double> next;
  ImGui::BeginChild("notices", ImVec2(0, height));
  for (std::size_t i = state.notices.size(); i-- > 0;) {
    const Notice& notice = state.notices[i];
    NoticesView::Shown& shown =
        view.shown.try_emplace(notice.id, NoticesView::Shown{now_seconds}).first->second;
    const float top = ImGui::GetCursorPosY();
    if (notice_row(ui, notice, "notice/" + std::to_string(i))) shown.since = now_seconds;
    shown.height_px = ImGui::GetCursorPosY() - top;
    if (const auto left = seconds_left(ui, notice, shown.since, now_seconds)) {
      next = std::min(next.value_or(*left), *left);
    }
  }
  ImGui::EndChild();
  ui.mark("notices");
  return next;
}

}  // namespace attn::gui
