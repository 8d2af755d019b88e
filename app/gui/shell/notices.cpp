// Notices as cards over the panels.
#include "gui/shell/notices.h"

#include <algorithm>
#include <string>

#include "base/utf8.h"
#include "gui/panels/controls.h"
#include "gui/ui/style.h"

namespace attn::gui {
namespace {

// In units.
constexpr float kStripe = 4.0F, kPadding = 10.0F, kGap = 6.0F, kMargin = 12.0F;
constexpr float kMostOfWindow = 0.6F;  // share of its height; more of them scroll
constexpr std::uint8_t kTint = 24;

Color level_color(const Ui& ui, Notice::Level level) {
  const UiColors colors = ui_colors(ui.theme);
  if (level == Notice::Level::Error) return colors.error;
  return level == Notice::Level::Warning ? colors.warning : colors.accent;
}

bool has_details(const Notice& notice) {
  return !notice.details.empty() || notice.level != Notice::Level::Info;
}

std::string shown_text(const Notice& notice) {
  const std::string text = shortened(notice.text, 400);
  return notice.count > 1 ? text + " ×" + std::to_string(notice.count) : text;
}

// Text on the left, wrapped; the cross on the right; what else there is to do below.
void card_contents(Ui& ui, const Notice& notice, const std::string& name, float width_px) {
  const float cross = button_width("✕");
  const ImVec2 at = ImGui::GetCursorPos();
  ImGui::SetCursorPosY(at.y + (ImGui::GetFrameHeight() - ImGui::GetTextLineHeight()) / 2);
  rich_text(ui, shown_text(notice), kTextSize, ui.colors().ink, width_px - cross - ui.px(kGap));
  ui.mark(name, notice.text);
  const float below = ImGui::GetCursorPosY();
  ImGui::SetCursorPos(ImVec2(at.x + width_px - cross, at.y));
  if (button(ui, name + "/dismiss", "✕", {.kind = ButtonKind::Quiet, .tooltip = "Dismiss"})) {
    ui.send(command::DismissNotice{notice.id});
  }
  if (!has_details(notice)) return;
  ImGui::SetCursorPos(ImVec2(at.x, std::max(below, ImGui::GetCursorPosY())));
  if (button(ui, name + "/copy", "Copy details")) {
    ImGui::SetClipboardText((notice.details.empty() ? notice.text : notice.details).c_str());
  }
}

void draw_ground(Ui& ui, Color level, ImVec2 min, ImVec2 max) {
  const UiColors colors = ui_colors(ui.theme);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(min, max, ImGui::GetColorU32(ImGuiCol_PopupBg), ui.px(5));
  draw.AddRectFilled(min, max, to_imgui(with_alpha(level, kTint)), ui.px(5));
  draw.AddRectFilled(min, ImVec2(min.x + ui.px(kStripe), max.y), to_imgui(level), ui.px(5),
                     ImDrawFlags_RoundCornersLeft);
  draw.AddRect(min, max, to_imgui(mix(colors.border, colors.muted, 0.3)), ui.px(5));
}

// True when the pointer is on it.
bool card(Ui& ui, const Notice& notice, const std::string& name) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.ChannelsSplit(2);
  draw.ChannelsSetCurrent(1);
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::SetCursorScreenPos(ImVec2(min.x + ui.px(kStripe + kPadding), min.y + ui.px(kPadding / 2)));
  ImGui::BeginGroup();
  card_contents(ui, notice, name, width - ui.px(kStripe + 1.5F * kPadding));
  ImGui::EndGroup();
  const ImVec2 max(min.x + width, ImGui::GetItemRectMax().y + ui.px(kPadding / 2));
  draw.ChannelsSetCurrent(0);
  draw_ground(ui, level_color(ui, notice.level), min, max);
  draw.ChannelsMerge();
  ImGui::SetCursorScreenPos(min);
  ImGui::Dummy(ImVec2(width, max.y - min.y));
  return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max);
}

void forget_gone(NoticesView& view, const std::vector<Notice>& notices) {
  std::erase_if(view.since, [&](const auto& known) {
    return std::ranges::find(notices, known.first, &Notice::id) == notices.end();
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

void begin_cards(Ui& ui, float below_px) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(ui.px(kNoticeWidth), screen.x - 2 * ui.px(kMargin));
  ImGui::SetNextWindowPos(ImVec2(screen.x - ui.px(kMargin), screen.y - below_px - ui.px(kMargin)),
                          ImGuiCond_Always, ImVec2(1.0F, 1.0F));
  ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, screen.y * kMostOfWindow));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                      ImVec2(ImGui::GetStyle().ItemSpacing.x, ui.px(kGap)));
  ImGui::Begin("notices", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_AlwaysAutoResize);
}

void end_cards(Ui& ui) {
  if (ui.probe != nullptr) {
    const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ui.probe->record_rect("notices", min, ImVec2(min.x + size.x, min.y + size.y));
  }
  ImGui::End();
  ImGui::PopStyleVar(3);
}

}  // namespace

std::optional<double> notices(Ui& ui, const AppState& state, NoticesView& view, double now_seconds,
                              float below_px) {
  forget_gone(view, state.notices);
  if (state.notices.empty()) return std::nullopt;
  std::optional<double> next;
  begin_cards(ui, below_px);
  for (std::size_t i = 0; i < state.notices.size(); ++i) {
    const Notice& notice = state.notices[i];
    double& since = view.since.try_emplace(notice.id, now_seconds).first->second;
    if (card(ui, notice, "notice/" + std::to_string(i))) since = now_seconds;
    if (const auto left = seconds_left(ui, notice, since, now_seconds)) {
      next = std::min(next.value_or(*left), *left);
    }
  }
  end_cards(ui);
  return next;
}

}  // namespace attn::gui
