// Sentence window: a text, how it is split, and the resulting tokens.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "figure/text.h"
#include "gui/panels/controls/controls.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/shell/windows/overlays.h"
#include "gui/ui/style.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr float kTextHeight = 128.0F, kWidestToken = 180.0F, kMinPreviewHeight = 76.0F;  // units
constexpr std::size_t kMaxShown = 200;                                                   // tokens
// Longer lists are not shown as text for editing.
constexpr std::size_t kMaxWritten = 5000;

struct SentenceDialog {
  Ui& ui;
  const AppState& state;
  SentenceView& view;

  std::size_t sample() const { return focused_view(state).options.at.sample; }
  const TokenList& present() const { return tokens_of(state.document, view.side, sample()); }
  bool is_cross() const { return state.document.cross; }
};

// Text that splits into exactly these tokens; nothing if there is none.
std::optional<std::string> text_for(const std::vector<std::string>& tokens, SplitBy by) {
  std::string text = joined(tokens, by == SplitBy::Words ? " " : by == SplitBy::Lines ? "\n" : "");
  const auto again = split_sentence(text, by);
  if (!again || *again != tokens) return std::nullopt;
  return text;
}

// Shows the current tokens as text, split in the last chosen way, or the first that gives these
// tokens.
void show_current_tokens(SentenceDialog& dialog) {
  SentenceView& view = dialog.view;
  const TokenList& tokens = dialog.present();
  view.by = view.preferred;
  view.text.clear();
  if (tokens.size() <= kMaxWritten) {
    for (const SplitBy by : {view.preferred, SplitBy::Words, SplitBy::Lines, SplitBy::Characters}) {
      const std::optional<std::string> text = text_for(tokens.texts(), by);
      if (!text) continue;
      view.by = by;
      view.text = *text;
      break;
    }
  }
  view.start = view.text;
}

void start_sentence(SentenceDialog& dialog) {
  const std::optional<TokenHit>& marked = dialog.state.marked_token;
  const Side usual = marked ? marked->side : Side::Query;
  dialog.view.side = dialog.is_cross() ? dialog.view.asked_side.value_or(usual) : Side::Query;
  dialog.view.asked_side.reset();
  dialog.view.take_keyboard = true;
  dialog.view.area = {};
  show_current_tokens(dialog);
}

void read_sentence(const SentenceDialog& dialog) {
  SentenceReading& reading = dialog.view.reading;
  auto tokens = split_sentence(reading.text, reading.by);
  if (!tokens) {
    const bool blank = reading.text.find_first_not_of(" \n") == std::string::npos;
    if (!blank) reading.problem = refusal_text(tokens.error());
    return;
  }
  const auto may = may_have_tokens(dialog.state.document, reading.side, dialog.sample(), *tokens,
                                   dialog.state.memory_limit_bytes);
  if (!may) reading.problem = refusal_text(may.error());
  reading.tokens = *std::move(tokens);
  reading.are_present = dialog.present().texts() == reading.tokens;
}

const SentenceReading& reading_of(const SentenceDialog& dialog) {
  const SentenceView& view = dialog.view;
  SentenceReading& reading = dialog.view.reading;
  const std::uint64_t revision = dialog.state.revision;
  const bool known = reading.revision == revision && reading.by == view.by &&
                     reading.side == view.side && reading.text == view.text;
  if (known) return reading;
  reading = {view.text, view.by, view.side, revision, {}, {}, false};
  read_sentence(dialog);
  return reading;
}

Obstacle sentence_obstacle(const SentenceDialog& dialog) {
  const SentenceReading& reading = reading_of(dialog);
  if (!reading.problem.empty()) return {reading.problem};
  if (reading.tokens.empty()) return {"Type or paste a text first", false};
  if (reading.are_present) return {"The document has these tokens already", false};
  return {};
}

void split_choice(SentenceDialog& dialog) {
  const auto chosen = segmented(
      dialog.ui, "sentence/by", labels_of(all_splits()), static_cast<std::size_t>(dialog.view.by),
      [](std::size_t i) { return std::string(all_splits()[i].sentence); });
  if (chosen) dialog.view.by = dialog.view.preferred = all_splits()[*chosen].by;
}

// An unchanged text is replaced by the tokens of the other side.
void side_choice(SentenceDialog& dialog) {
  constexpr std::array<std::string_view, 2> kSides{"Queries", "Keys"};
  if (!dialog.is_cross()) return;
  ImGui::SameLine(0.0F, dialog.ui.px(24));
  const auto chosen =
      segmented(dialog.ui, "sentence/side", kSides, dialog.view.side == Side::Key ? 1 : 0,
                explained({"The text becomes the tokens of the queries",
                           "The text becomes the tokens of the keys"}));
  if (!chosen) return;
  dialog.view.side = *chosen == 1 ? Side::Key : Side::Query;
  if (dialog.view.text == dialog.view.start) show_current_tokens(dialog);
}

bool text_of_sentence(SentenceDialog& dialog) {
  SentenceView& view = dialog.view;
  Ui& ui = dialog.ui;
  if (std::exchange(view.take_keyboard, false)) ImGui::SetKeyboardFocusHere();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, ui.px(kTextHeight));
  const TextInputResult typed =
      text_area(ui, "##sentence/text", view.text, "Type or paste a text", size, view.area);
  ui.mark("sentence/text", view.text);
  tooltip(ui, "The text to split into tokens; the tokens are shown below");
  empty_hint(ui, "Shift+Enter begins a new line. Tokens that stay keep their numbers and rules.");
  return typed.entered;
}

// Drawn without an item, so that Tab does not stop at it.
void cut_token(const Ui& ui, std::string_view token, Color role) {
  const UiColors colors = ui_colors(ui.theme);
  const ImVec2 text = ui.labels.line_size(token, kLabelFont, ui.scale);
  ImGui::Dummy(ImVec2(text.x + ui.px(14), text.y + ui.px(4)));
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float rounding = ImGui::GetStyle().FrameRounding;
  draw.AddRectFilled(min, max, to_imgui(mix(colors.panel, role, 0.18)), rounding);
  draw.AddRectFilled(min, ImVec2(min.x + ui.px(3), max.y), to_imgui(role), rounding,
                     ImDrawFlags_RoundCornersLeft);
  ui.labels.draw_line(draw, token, ImVec2(min.x + ui.px(8), min.y + ui.px(2)), kLabelFont,
                      colors.text, ui.scale);
}

void cut_tokens(SentenceDialog& dialog, const std::vector<std::string>& tokens) {
  Ui& ui = dialog.ui;
  const Color role = dialog.view.side == Side::Key ? ui.colors().key : ui.colors().query;
  Flow flow;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(5), ui.px(5)));
  for (std::size_t i = 0; i < std::min(tokens.size(), kMaxShown); ++i) {
    const std::string token =
        fitted(pango_metrics(), visible_token(tokens[i]), kLabelFont, kWidestToken);
    flow.next(ui.labels.line_size(token, kLabelFont, ui.scale).x + ui.px(14));
    cut_token(ui, token, role);
    ui.mark("sentence/token/" + std::to_string(i), tokens[i]);
  }
  ImGui::PopStyleVar();
  if (tokens.size() <= kMaxShown) return;
  const std::string more = "… " + grouped_text(tokens.size() - kMaxShown) + " more";
  empty_hint(ui, more);
  ui.mark("sentence/more", more);
}

void preview_tokens(SentenceDialog& dialog) {
  Ui& ui = dialog.ui;
  const std::vector<std::string>& tokens = reading_of(dialog).tokens;
  const std::string count =
      grouped_text(tokens.size()) + (tokens.size() == 1 ? " token" : " tokens");
  section_header(ui, count);
  ui.mark("sentence/count", count);
  ImGui::SameLine();
  const bool one = dialog.present().size() == 1;
  fragment(ui, (one ? "there is " : "there are ") + grouped_text(dialog.present().size()) + " now");
  // Many tokens scroll while the text stays visible.
  const float space = std::max(ImGui::GetContentRegionAvail().y, ui.px(kMinPreviewHeight));
  ImGui::BeginChild("sentence/preview", ImVec2(0, space));
  cut_tokens(dialog, tokens);
  ImGui::EndChild();
}

bool sentence_contents(SentenceDialog& dialog) {
  split_choice(dialog);
  side_choice(dialog);
  empty_hint(dialog.ui, all_splits()[static_cast<std::size_t>(dialog.view.by)].sentence);
  const bool entered = text_of_sentence(dialog);
  preview_tokens(dialog);
  return entered;
}

}  // namespace

void sentence_window(Ui& ui, const AppState& state, SentenceView& view) {
  if (state.overlay != Overlay::Sentence) return;
  SentenceDialog dialog{ui, state, view};
  const OverlayWindow window{"sentence", "Type a sentence", ImVec2(640, 520), "Cancel"};
  if (begin_overlay(ui, window)) start_sentence(dialog);
  const ApplyAnswer answer = end_with_apply_button(
      ui, window, [&] { return sentence_contents(dialog); },
      [&] { return sentence_obstacle(dialog); });
  if (answer == ApplyAnswer::None) return;
  if (answer == ApplyAnswer::Apply) {
    ui.send(command::SetTokens{view.side, reading_of(dialog).tokens, dialog.sample(), view.text});
  }
  view.reading = {};
  ui.send(command::ShowOverlay{});
}

}  // namespace attn::gui
