// Layout of the window and its draggable edges, and notices as cards over the panels.
#include "gui/shell/layout.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>
#include <utility>

#include "base/number_text.h"
#include "base/utf8.h"
#include "gui/panels/controls/controls.h"
#include "gui/panels/strip/stage_strip.h"
#include "gui/shell/windows/overlays.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// Sizes in units.
constexpr float kMinSideWidth = 140.0F, kMaxSideWidth = 900.0F;  // limits of dragging
constexpr float kMinMiddleWidth = 300.0F;
constexpr float kMinPanelHeight = 80.0F, kFirstStepsHeight = 300.0F;
constexpr float kRulesShare = 0.44F, kMaxRulesHeight = 420.0F, kFewRulesHeight = 190.0F;
constexpr float kEdge = 5.0F;  // thickness of the draggable area; its line is thinner
constexpr float kStatusPadding = 3.0F;

float status_height(const Ui& ui) { return ImGui::GetTextLineHeight() + 2 * ui.px(kStatusPadding); }

// The draggable edge of a part of size `shown`. Returns how far it was dragged, in units.
float edge(Ui& ui, const char* name, bool vertical, float line_at, const char* help, float shown) {
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const ImVec2 size = vertical ? ImVec2(ui.px(kEdge), std::max(space.y, 1.0F))
                               : ImVec2(std::max(space.x, 1.0F), ui.px(kEdge));
  return dragged_edge(ui, name, size, vertical, line_at, help,
                      fixed_text(static_cast<double>(shown), 0)) /
         ui.scale;
}

// Arguments shared by the parts of the window. They are adjacent without gaps; `spacing` applies
// inside of panels.
struct Frame {
  Ui& ui;
  const AppState& state;
  PanelViews& views;
  ImVec2 spacing;

  Sides sides() const {
    Sides shown = views.dragged ? *views.dragged : state.preferences.sides;
    if (state.plot_alone) shown.right_folded = true;
    if (state.plot_alone) shown.left_folded = !is_in_lesson(state);
    if (has_card()) shown.left = std::max(shown.left, card_width());
    return shown;
  }
  bool has_card() const { return is_in_lesson(state) || state.first_step != FirstStep::None; }
  float card_width() const {
    const float width = ImGui::GetIO().DisplaySize.x / ui.scale;
    return std::clamp((state.plot_alone ? 0.24F : 0.2F) * width, 230.0F, 380.0F);
  }
};

// Applies a drag to a size; the command is sent on release, so that preferences are written once.
void resize(const Frame& frame, float Sides::*size, float resized) {
  std::optional<Sides>& dragged = frame.views.dragged;
  const bool dropped = ImGui::IsItemDeactivated();
  if (ImGui::IsItemActive() && !dragged) dragged = frame.sides();
  if (dragged && ImGui::IsItemActive()) (*dragged).*size = resized;
  if (dropped && dragged) frame.ui.send(command::SetSides{*dragged});
}

template <class Contents>
void panel(const Frame& frame, const char* name, ImVec2 size, const Contents& contents,
           std::optional<ContextKind> context = {}) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, frame.spacing);
  ImGui::BeginChild(name, size, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  contents();
  const bool pressed = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) &&
                       ImGui::IsMouseReleased(ImGuiMouseButton_Right);
  if (context && pressed) frame.ui.request_context(*context);
  ImGui::EndChild();
  frame.ui.mark(name);
  ImGui::PopStyleVar();
}

// Height of the upper of two panels in a column of `height` units.
float upper_height(float wanted, float height) {
  const float least = std::min(kMinPanelHeight, height * 0.3F);
  return std::clamp(wanted, least, std::max(least, height - kEdge - kMinPanelHeight));
}

void left_side(const Frame& frame, float width) {
  Ui& ui = frame.ui;
  const AppState& state = frame.state;
  PanelViews& views = frame.views;
  ImGui::BeginChild("layout/left_side", ImVec2(ui.px(width), 0));
  const float height = ImGui::GetContentRegionAvail().y / ui.scale;
  const float chosen = frame.sides().left_top;
  const bool in_lesson = is_in_lesson(state), begins = state.first_step != FirstStep::None;
  if (!begins) views.lesson.first_step = FirstStep::None;
  if (state.plot_alone) {
    panel(frame, "panel/lesson", ImVec2(0, 0), [&] { lesson_panel(ui, state, views.lesson); });
    return ImGui::EndChild();
  }
  const float share = state.document.cross ? 0.62F : 0.54F;
  const float fitting =
      begins ? std::min(height * 0.56F, kFirstStepsHeight)
      : in_lesson
          ? std::min(height * 0.7F, views.lesson.height > 0.0F ? views.lesson.height : height)
          : std::min(height * share, tokens_height(ui, state, views.tokens) / ui.scale);
  const float upper = upper_height(chosen > 0.0F ? chosen : fitting, height);
  if (begins || in_lesson) {
    panel(frame, "panel/lesson", ImVec2(0, ui.px(upper)), [&] {
      begins ? first_steps_panel(ui, state, views.lesson) : lesson_panel(ui, state, views.lesson);
    });
  } else {
    panel(
        frame, "panel/tokens", ImVec2(0, ui.px(upper)),
        [&] { tokens_panel(ui, state, views.tokens); }, ContextKind::Tokens);
  }
  const float moved =
      edge(ui, "layout/left_top", false, 0.5F, "Drag to resize tokens and inputs", upper);
  resize(frame, &Sides::left_top, upper + moved);
  panel(
      frame, "panel/inputs", ImVec2(0, 0), [&] { matrices_panel(ui, state, views.matrices); },
      ContextKind::Inputs);
  ImGui::EndChild();
}

void right_side(const Frame& frame) {
  Ui& ui = frame.ui;
  const AppState& state = frame.state;
  PanelViews& views = frame.views;
  ImGui::BeginChild("layout/right_side", ImVec2(0, 0));
  const float height = std::max(ImGui::GetContentRegionAvail().y / ui.scale, 1.0F);
  const float share = frame.sides().right_top;
  const float most = std::min(height * kRulesShare, kMaxRulesHeight);
  const float rules = shows_all_rules(state) ? most : std::min(most, kFewRulesHeight);
  const float between = kEdge + frame.spacing.y / ui.scale;
  const float filled = state.pins.empty() ? rules : std::min(rules, views.rules.height + between);
  const float upper = upper_height(share > 0.0F ? share * height : height - filled, height);
  panel(
      frame, "panel/inspector", ImVec2(0, ui.px(upper)),
      [&] { inspector_panel(ui, state, views.inspector); }, ContextKind::Inspector);
  const float moved =
      edge(ui, "layout/right_top", false, 0.5F, "Drag to resize inspector and rules", upper);
  resize(frame, &Sides::right_top, std::clamp((upper + moved) / height, 0.01F, 1.0F));
  const std::size_t tab = views.rules.tab;
  panel(
      frame, "panel/rules", ImVec2(0, 0),
      [&] {
        rules_panel(ui, state, views.rules);
        if (views.covered > 0.0F) ImGui::Dummy(ImVec2(1, views.covered));  // to scroll above them
      },
      ContextKind::Rules);
  // The inspector of pins takes what the rules leave empty, but nothing moves under the pointer
  // unless it chose another tab.
  const bool holds = ImGui::IsMouseHoveringRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax()) &&
                     views.rules.tab == tab;
  if (!holds && std::exchange(views.rules.height, views.rules.content) != views.rules.content) {
    ui.redraw_within(0.0);
  }
  ImGui::EndChild();
}

// Sizes in units.
constexpr float kStripe = 4.0F, kNoticePadding = 10.0F, kNoticeGap = 6.0F, kMargin = 12.0F;
constexpr float kMaxWindowShare = 0.6F;  // share of the window's height; more notices scroll
constexpr float kNoticeShare = 0.29F, kMinNoticeWidth = 256.0F;
constexpr std::uint8_t kTint = 24;

bool has_details(const Notice& notice) {
  return !notice.details.empty() || notice.offer != Notice::Offer::Nothing || !disappears(notice);
}

const char* copy_label(const Notice& notice) {
  return notice.path.empty() ? "Copy details" : "Copy path";
}
const char* copy_help(const Notice& notice) {
  return notice.path.empty() ? "Copies all of its details, for a report"
                             : "Copies the path of the file";
}
constexpr const char* kDismissHelp = "Closes this message; it stays in the list of messages";

std::string shown_text(const Notice& notice) {
  const std::string text = shortened(notice.text, 400);
  return notice.count > 1 ? text + " ×" + std::to_string(notice.count) : text;
}

// One notice and the layout of its card, pixels from its top left.
struct Card {
  const Notice& notice;
  std::string name;  // prefix of probe names
  ImVec2 size{0, 0};
  float text_width = 0.0F, text_top = 0.0F;
  ImVec2 buttons{0, 0};
};

struct OfferButton {
  const char *name, *label, *help;
  std::vector<Command> sends;
};

std::vector<OfferButton> offers_of(const Notice& notice) {
  const command::DismissNotice dismiss{notice.id};
  switch (notice.offer) {
    case Notice::Offer::Nothing:
      return {};
    case Notice::Offer::Reload:
      return {{"/reload",
               "Reload",
               "Reads the file again; undo restores the current version",
               {command::Reload{notice.document}, dismiss}}};
    case Notice::Offer::CausalOff:
      return {{"/keep", "Keep as causal", "Later keys stay hidden; saving records this", {dismiss}},
              {"/zeros",
               "Show the zeros",
               "Removes the causal mask; saving records this, undo restores it",
               {command::SetCausal{false}}}};
    case Notice::Offer::Arrays:
      return {{"/arrays",
               "Read differently…",
               "Chooses which array is what, and which axis is which",
               {command::AskArrays{}, dismiss}}};
    case Notice::Offer::Text:
      return {{"/arrays",
               "Read the other way",
               "Weights or embeddings; rows or columns. Undo restores it",
               {command::AskArrays{}, dismiss}}};
    case Notice::Offer::Difference:
      return {{"/difference",
               "Show difference",
               "Shows the difference plot in the focused pane",
               {command::SelectPlot{"difference"}, dismiss}}};
  }
  return {};
}

float buttons_width(Ui& ui, const Notice& notice) {
  float width = 0.0F;
  for (const OfferButton& offer : offers_of(notice)) {
    width += button_width(ui, offer.label) + ImGui::GetStyle().ItemSpacing.x;
  }
  return width;
}

// Lays out wrapped text on the left and the close button on the right; other buttons on the line of
// a short text, else below it.
Card lay_out(Ui& ui, const Notice& notice, std::string name, float width_px) {
  Card card{notice, std::move(name), ImVec2(width_px, 0.0F)};
  const float frame = ImGui::GetFrameHeight(), pad = ui.px(kNoticePadding / 2);
  const float left = ui.px(kStripe + kNoticePadding);
  card.text_width =
      width_px - left - ui.px(kNoticePadding / 2) - button_width(ui, "✕") - ui.px(kNoticeGap);
  card.text_top = pad + (frame - ImGui::GetTextLineHeight()) / 2;
  const std::string text = shown_text(notice);
  const float beside = card.text_width - buttons_width(ui, notice);
  const auto height_in = [&](float width) {
    return width > 0.0F ? rich_text_height(ui, text, kTextSize, width) : FLT_MAX;
  };
  if (is_of_a_document(notice) && height_in(beside) < frame) {
    card.text_width = beside;
    card.buttons = ImVec2(left + beside, pad);
    card.size.y = std::ceil(2 * pad + frame);
    return card;
  }
  const float text_end = card.text_top + height_in(card.text_width);
  card.buttons = ImVec2(left, std::ceil(std::max(text_end, pad + frame) + ui.px(kNoticeGap) / 2));
  const float end = has_details(notice) ? card.buttons.y + frame : std::max(text_end, pad + frame);
  card.size.y = std::ceil(end + pad);
  return card;
}

void card_contents(Ui& ui, const Card& card, ImVec2 at) {
  const Notice& notice = card.notice;
  ImGui::SetCursorScreenPos(ImVec2(at.x + ui.px(kStripe + kNoticePadding), at.y + card.text_top));
  rich_text(ui, shown_text(notice), kTextSize, ui.colors().ink, card.text_width);
  ui.mark(card.name, notice.text);
  ImGui::SetCursorScreenPos(
      ImVec2(at.x + card.size.x - ui.px(kNoticePadding / 2) - button_width(ui, "✕"),
             at.y + ui.px(kNoticePadding / 2)));
  button(ui, card.name + "/dismiss", "✕",
         {.kind = ButtonKind::Quiet,
          .tooltip = kDismissHelp,
          .sends = command::DismissNotice{notice.id}});
  if (!has_details(notice)) return;
  ImGui::SetCursorScreenPos(at + card.buttons);
  for (const OfferButton& offer : offers_of(notice)) {
    if (button(ui, card.name + offer.name, offer.label, {.tooltip = offer.help})) {
      for (const Command& command : offer.sends) ui.send(command);
    }
    ImGui::SameLine();
  }
  if (notice.offer != Notice::Offer::Nothing && notice.offer != Notice::Offer::Reload) return;
  if (button(ui, card.name + "/copy", copy_label(notice), {.tooltip = copy_help(notice)})) {
    ImGui::SetClipboardText(full_text(notice).c_str());
  }
}

void draw_background(Ui& ui, Color level, ImVec2 min, ImVec2 max) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(min, max, ImGui::GetColorU32(ImGuiCol_PopupBg), ui.px(5));
  draw.AddRectFilled(min, max, to_imgui(with_alpha(level, kTint)), ui.px(5));
  draw.AddRectFilled(min, ImVec2(min.x + ui.px(kStripe), max.y), to_imgui(level), ui.px(5),
                     ImDrawFlags_RoundCornersLeft);
  draw.AddRect(min, max, to_imgui(mix(ui.colors().border, ui.colors().muted, 0.3)), ui.px(5));
}

// Returns whether the pointer is on it.
bool draw_card(Ui& ui, const Card& card) {
  const ImVec2 min = ImGui::GetCursorScreenPos(), max = min + card.size;
  draw_background(ui, level_color(ui, card.notice.level, ui.colors().accent), min, max);
  card_contents(ui, card, min);
  ImGui::SetCursorScreenPos(min);
  ImGui::Dummy(card.size);
  return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max);
}

// Seconds until the notice disappears; dismisses it when the time is over.
std::optional<double> seconds_left(Ui& ui, const Notice& notice, double since, double now_seconds) {
  if (!disappears(notice)) return std::nullopt;
  const double left = since + kInfoSeconds - now_seconds;
  if (left > 0.0) return left;
  ui.send(command::DismissNotice{notice.id});
  return std::nullopt;
}

std::string card_name(const AppState& state, const Notice& notice) {
  return "notice/" + std::to_string(&notice - state.notices.data());
}

bool is_in_status_bar(const AppState& state, const Notice& notice) {
  return disappears(notice) && !state.plot_alone;
}

// A button as high as the text of the status bar.
bool small_button(Ui& ui, const std::string& name, const char* label, const char* help) {
  ImGui::SameLine();
  const bool pressed = ImGui::SmallButton(item_label(ui.text(Wording::Label, label), name).c_str());
  ui.mark(name);
  tooltip(ui, help);
  return pressed;
}

// The newest information, at the right of the status bar, where it covers nothing.
void status_message(Ui& ui, const AppState& state, PanelViews& views) {
  views.pointed_notice = 0;
  const auto newest =
      std::ranges::find_if(state.notices.rbegin(), state.notices.rend(), disappears);
  if (newest == state.notices.rend()) return;
  const std::string name = card_name(state, *newest), text = shown_text(*newest);
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  float behind = button_width(ui, "✕") + 2 * gap;
  if (has_details(*newest)) behind += button_width(ui, copy_label(*newest)) + gap;
  ImGui::SameLine(0, ui.px(kMargin));
  const float space = std::max(ImGui::GetContentRegionAvail().x - behind, 0.0F);
  const float width = std::min(std::ceil(ui.line_size(text, kLabelFont).x) + 1.0F, space);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + space - width);
  elided_text(ui, text, width, ui.colors().ink);
  ui.mark(name, newest->text);
  tooltip(ui, newest->text);
  if (ImGui::IsItemHovered()) views.pointed_notice = newest->id;
  if (has_details(*newest) &&
      small_button(ui, name + "/copy", copy_label(*newest), copy_help(*newest)))
    ImGui::SetClipboardText(full_text(*newest).c_str());
  if (small_button(ui, name + "/dismiss", "✕", kDismissHelp))
    ui.send(command::DismissNotice{newest->id});
}

std::vector<Card> cards_of(Ui& ui, const AppState& state) {
  // Covers little more than the right side of a small window.
  const float screen = ImGui::GetIO().DisplaySize.x;
  const float side = std::clamp(kNoticeShare * screen, ui.px(kMinNoticeWidth), ui.px(kNoticeWidth));
  const float width = std::min(side, screen - 2 * ui.px(kMargin));
  std::vector<Card> cards;
  for (const Notice& notice : state.notices) {
    if (is_of_a_document(notice) || is_in_status_bar(state, notice)) continue;
    cards.push_back(lay_out(ui, notice, card_name(state, notice), width));
  }
  return cards;
}

// Draws the offers about the document above its panes, where they cover nothing.
void document_notices(Ui& ui, const AppState& state, float gap) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, 0));
  for (const Notice& notice : state.notices) {
    if (!is_of_a_document(notice) || notice.document != state.id) continue;
    draw_card(ui, lay_out(ui, notice, card_name(state, notice), ImGui::GetContentRegionAvail().x));
  }
  ImGui::PopStyleVar();
}

float height_of(const Ui& ui, const std::vector<Card>& cards) {
  float height = cards.empty() ? 0.0F : -ui.px(kNoticeGap);
  for (const Card& card : cards) height += card.size.y + ui.px(kNoticeGap);
  return std::min(height, std::floor(ImGui::GetIO().DisplaySize.y * kMaxWindowShare));
}

// Sized from measured cards, so that they do not move after their first frame.
void begin_cards(Ui& ui, const std::vector<Card>& cards, float height) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
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

void middle(const Frame& frame, float width) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, to_imgui(frame.ui.colors().window));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 0.0F);
  ImGui::BeginChild("layout/middle", ImVec2(frame.ui.px(width), 0));
  if (!frame.state.plot_alone) {
    stage_strip(frame.ui, frame.state);
    model_text(frame.ui, frame.state, frame.views.model_text);
    document_notices(frame.ui, frame.state, frame.spacing.x);
  }
  panel(frame, "panel/plots", ImVec2(0, 0),
        [&] { plots_panel(frame.ui, frame.state, frame.views.plots); });
  frame.views.plots_corner = ImVec2(ImGui::GetItemRectMax().x, ImGui::GetItemRectMin().y);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

void body(const Frame& frame) {
  Ui& ui = frame.ui;
  const Columns columns = columns_of(frame.sides(), ImGui::GetContentRegionAvail().x / ui.scale);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (columns.left > 0.0F) {
    left_side(frame, columns.left);
    ImGui::SameLine();
    const float moved = edge(ui, "layout/left", true, 1.0F,
                             "Drag to make the left side wider or narrower", columns.left);
    resize(frame, &Sides::left, std::max(columns.left + moved, kMinSideWidth));
    ImGui::SameLine();
  }
  middle(frame, columns.middle);
  if (columns.right > 0.0F) {
    ImGui::SameLine();
    const float moved = edge(ui, "layout/right", true, 0.0F,
                             "Drag to make the right side wider or narrower", columns.right);
    resize(frame, &Sides::right, std::max(columns.right - moved, kMinSideWidth));
    ImGui::SameLine();
    right_side(frame);
  }
  ImGui::PopStyleVar();
  if (!ImGui::IsAnyItemActive()) frame.views.dragged.reset();
}

}  // namespace

Columns columns_of(const Sides& sides, float width) {
  const auto side = [&](bool folded, float chosen, float usual) {
    if (folded) return 0.0F;
    return chosen > 0.0F ? std::clamp(chosen, kMinSideWidth, kMaxSideWidth) : usual;
  };
  const float usual_left = std::clamp(std::floor(0.163F * width), 176.0F, 300.0F);
  const float usual_right = std::clamp(std::floor(0.205F * width), 208.0F, 380.0F);
  float left = side(sides.left_folded, sides.left, usual_left);
  float right = side(sides.right_folded, sides.right, usual_right);
  const float edges = (left > 0.0F ? kEdge : 0.0F) + (right > 0.0F ? kEdge : 0.0F);
  const float most = std::max(width - kMinMiddleWidth - edges, 0.0F);
  if (left + right > most) {
    const float shrink = most / (left + right);
    left = std::floor(left * shrink);
    right = std::floor(right * shrink);
  }
  return {left, std::max(1.0F, width - left - right - edges), right};
}

bool main_window(Ui& ui, const AppState& state, const std::vector<Action>& actions,
                 const JobQueue::Status& job, PanelViews& views) {
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  const ImVec2 padding = ImGui::GetStyle().WindowPadding;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  const bool alone = state.plot_alone;
  ImGui::Begin("main", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   (alone ? ImGuiWindowFlags_None : ImGuiWindowFlags_MenuBar) |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar(3);
  if (!alone) menu_row(ui, state, actions, views.document);
  const float status = alone ? 0.0F : status_height(ui);
  ImGui::BeginChild("layout/body", ImVec2(0, -status));
  body({ui, state, views, ImGui::GetStyle().ItemSpacing});
  ImGui::EndChild();
  bool cancelled = false;
  if (!alone) {
    const float top = ImGui::GetWindowHeight() - status + ui.px(kStatusPadding);
    ImGui::SetCursorPos(ImVec2(padding.x, top));
    cancelled = status_bar(ui, state, job);
    status_message(ui, state, views);
  }
  ImGui::End();
  return cancelled;
}

std::optional<double> notices(Ui& ui, const AppState& state, PanelViews& views,
                              double now_seconds) {
  std::erase_if(views.notices, [&](const auto& known) {
    return std::ranges::find(state.notices, known.first, &Notice::id) == state.notices.end();
  });
  std::optional<double> next;
  const auto pass = [&](const Notice& notice, bool is_pointed_at) {
    double& since = views.notices.try_emplace(notice.id, now_seconds).first->second;
    if (is_pointed_at) since = now_seconds;
    if (const auto left = seconds_left(ui, notice, since, now_seconds))
      next = std::min(next.value_or(*left), *left);
  };
  for (const Notice& notice : state.notices) {
    if (is_in_status_bar(state, notice)) pass(notice, notice.id == views.pointed_notice);
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                      ImVec2(ImGui::GetStyle().ItemSpacing.x, ui.px(kNoticeGap)));
  const std::vector<Card> cards = cards_of(ui, state);
  views.covered = height_of(ui, cards);
  if (cards.empty()) return ImGui::PopStyleVar(), next;
  begin_cards(ui, cards, views.covered);
  for (const Card& card : cards) pass(card.notice, draw_card(ui, card));
  ui.mark_window("notices");
  ImGui::End();
  ImGui::PopStyleVar(4);
  return next;
}

}  // namespace attn::gui
