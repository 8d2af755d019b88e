// Notices as cards over the panels.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "gui/panels/controls/controls.h"
#include "gui/shell/layout.h"
#include "gui/shell/windows/overlays.h"
#include "gui/ui/style.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// In units.
constexpr float kStripe = 4.0F, kNoticePadding = 10.0F, kNoticeGap = 6.0F, kMargin = 12.0F;
constexpr float kMaxWindowShare = 0.6F;  // share of the window's height; more notices scroll
constexpr std::uint8_t kTint = 24;

bool has_details(const Notice& notice) {
  return !notice.details.empty() || !leaves_by_itself(notice);
}

std::string shown_text(const Notice& notice) {
  const std::string text = shortened(notice.text, 400);
  return notice.count > 1 ? text + " ×" + std::to_string(notice.count) : text;
}

// One notice and the layout of its card, pixels from its top left.
struct Card {
  const Notice& notice;
  std::string name;  // prefix of probe names
  ImVec2 size{0, 0};
  float text_width = 0.0F, text_top = 0.0F, buttons_top = 0.0F;
};

// Wrapped text on the left, close button on the right, other buttons below.
Card lay_out(Ui& ui, const Notice& notice, std::string name, float width_px) {
  Card card{notice, std::move(name), ImVec2(width_px, 0.0F)};
  const float frame = ImGui::GetFrameHeight(), pad = ui.px(kNoticePadding / 2);
  card.text_width =
      width_px - ui.px(kStripe + 1.5F * kNoticePadding) - button_width(ui, "✕") - ui.px(kNoticeGap);
  card.text_top = pad + (frame - ImGui::GetTextLineHeight()) / 2;
  const float text_end =
      card.text_top + rich_text_height(ui, shown_text(notice), kTextSize, card.text_width);
  card.buttons_top = std::ceil(std::max(text_end, pad + frame) + ui.px(kNoticeGap) / 2);
  const float end =
      has_details(notice) ? card.buttons_top + frame : std::max(text_end, pad + frame);
  card.size.y = std::ceil(end + pad);
  return card;
}

void reload_button(Ui& ui, const Card& card) {
  const ButtonOptions options{.tooltip = "Reads the file again; undo leads back to what is here"};
  if (!button(ui, card.name + "/reload", "Reload", options)) return;
  ui.send(command::Reload{card.notice.document});
  ui.send(command::DismissNotice{card.notice.id});
}

void causal_buttons(Ui& ui, const Card& card) {
  if (button(ui, card.name + "/keep", "Keep as causal",
             {.tooltip = "Later keys stay hidden; saving writes so"})) {
    ui.send(command::DismissNotice{card.notice.id});
  }
  ImGui::SameLine();
  if (!button(ui, card.name + "/zeros", "Show the zeros",
              {.tooltip = "Takes the causal mask off; saving writes so, and undo puts it back"})) {
    return;
  }
  ui.send(command::SelectTab{card.notice.document});
  ui.send(command::SetCausal{false});
}

void card_contents(Ui& ui, const Card& card, ImVec2 at) {
  const Notice& notice = card.notice;
  const float left = at.x + ui.px(kStripe + kNoticePadding);
  ImGui::SetCursorScreenPos(ImVec2(left, at.y + card.text_top));
  rich_text(ui, shown_text(notice), kTextSize, ui.colors().ink, card.text_width);
  ui.mark(card.name, notice.text);
  ImGui::SetCursorScreenPos(
      ImVec2(at.x + card.size.x - ui.px(kNoticePadding / 2) - button_width(ui, "✕"),
             at.y + ui.px(kNoticePadding / 2)));
  if (button(ui, card.name + "/dismiss", "✕",
             {.kind = ButtonKind::Quiet,
              .tooltip = "Closes this message; the list of messages keeps it"})) {
    ui.send(command::DismissNotice{notice.id});
  }
  if (!has_details(notice)) return;
  ImGui::SetCursorScreenPos(ImVec2(left, at.y + card.buttons_top));
  if (notice.offer == Notice::Offer::CausalOff) return causal_buttons(ui, card);
  if (notice.offer == Notice::Offer::Reload) {
    reload_button(ui, card);
    ImGui::SameLine();
  }
  const bool path = !notice.path.empty();
  if (button(ui, card.name + "/copy", path ? "Copy path" : "Copy details",
             {.tooltip = path ? "Copies the path of the file"
                              : "Copies all of its details, for a report"})) {
    ImGui::SetClipboardText(full_text(notice).c_str());
  }
}

void draw_background(Ui& ui, Color level, ImVec2 min, ImVec2 max) {
  const UiColors colors = ui_colors(ui.theme);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(min, max, ImGui::GetColorU32(ImGuiCol_PopupBg), ui.px(5));
  draw.AddRectFilled(min, max, to_imgui(with_alpha(level, kTint)), ui.px(5));
  draw.AddRectFilled(min, ImVec2(min.x + ui.px(kStripe), max.y), to_imgui(level), ui.px(5),
                     ImDrawFlags_RoundCornersLeft);
  draw.AddRect(min, max, to_imgui(mix(colors.border, colors.muted, 0.3)), ui.px(5));
}

// Returns whether the pointer is on it.
bool draw_card(Ui& ui, const Card& card) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 max(min.x + card.size.x, min.y + card.size.y);
  draw_background(ui, level_color(ui, card.notice.level, ui.colors().accent), min, max);
  card_contents(ui, card, min);
  ImGui::SetCursorScreenPos(min);
  ImGui::Dummy(card.size);
  return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max);
}

// Seconds until the notice disappears; dismisses it when the time is over.
std::optional<double> seconds_left(Ui& ui, const Notice& notice, double since, double now_seconds) {
  if (!leaves_by_itself(notice)) return std::nullopt;
  const double left = since + kInfoSeconds - now_seconds;
  if (left > 0.0) return left;
  ui.send(command::DismissNotice{notice.id});
  return std::nullopt;
}

std::vector<Card> cards_of(Ui& ui, const AppState& state) {
  const float width =
      std::min(ui.px(kNoticeWidth), ImGui::GetIO().DisplaySize.x - 2 * ui.px(kMargin));
  std::vector<Card> cards;
  for (const Notice& notice : state.notices) {
    cards.push_back(lay_out(ui, notice, "notice/" + std::to_string(cards.size()), width));
  }
  return cards;
}

// Sized from measured cards, so that they do not move after their first frame.
void begin_cards(Ui& ui, const std::vector<Card>& cards) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  float height = -ui.px(kNoticeGap);
  for (const Card& card : cards) height += card.size.y + ui.px(kNoticeGap);
  height = std::min(height, std::floor(screen.y * kMaxWindowShare));
  ImGui::SetNextWindowSize(ImVec2(cards.front().size.x, height));
  ImGui::SetNextWindowPos(
      ImVec2(screen.x - ui.px(kMargin), screen.y - status_height(ui) - ui.px(kMargin)),
      ImGuiCond_Always, ImVec2(1.0F, 1.0F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::Begin("notices", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
}

}  // namespace

std::optional<double> notices(Ui& ui, const AppState& state, NoticeTimes& times,
                              double now_seconds) {
  std::erase_if(times, [&](const auto& known) {
    return std::ranges::find(state.notices, known.first, &Notice::id) == state.notices.end();
  });
  if (state.notices.empty()) return std::nullopt;
  std::optional<double> next;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                      ImVec2(ImGui::GetStyle().ItemSpacing.x, ui.px(kNoticeGap)));
  const std::vector<Card> cards = cards_of(ui, state);
  begin_cards(ui, cards);
  for (const Card& card : cards) {
    double& since = times.try_emplace(card.notice.id, now_seconds).first->second;
    if (draw_card(ui, card)) since = now_seconds;
    if (const auto left = seconds_left(ui, card.notice, since, now_seconds)) {
      next = std::min(next.value_or(*left), *left);
    }
  }
  ui.mark_window("notices");
  ImGui::End();
  ImGui::PopStyleVar(4);
  return next;
}

}  // namespace attn::gui
