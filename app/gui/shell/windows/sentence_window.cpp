// Sentence window: a text, how it is split, and the resulting tokens.
#include <algorithm>
#include <array>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "figure/text.h"
#include "gui/panels/controls/controls.h"
#include "gui/shell/windows/overlay_window.h"
#include "gui/shell/windows/overlays.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr float kTextHeight = 128.0F, kWidestToken = 180.0F, kMinPreviewHeight = 76.0F;  // units
constexpr std::size_t kMaxShown = 200;                                                   // tokens
// Longer lists are not shown as text for editing.
constexpr std::size_t kMaxWritten = 5000;

std::size_t sample_of(const AppState& state) { return focused_view(state).options.at.sample; }

const TokenList& present_tokens(const AppState& state, const SentenceView& view) {
  return tokens_of(state.document, view.side, sample_of(state));
}

// Text that splits into exactly these tokens; nothing if there is none.
std::optional<std::string> text_for(const std::vector<std::string>& tokens, SplitBy by) {
  std::string text = joined(tokens, by == SplitBy::Words ? " " : by == SplitBy::Lines ? "\n" : "");
  const auto again = split_sentence(text, by);
  if (!again || *again != tokens) return std::nullopt;
  return text;
}

// Shows the current tokens as text, split in the last chosen way, or the first that gives these
// tokens.
void show_current_tokens(const AppState& state, SentenceView& view) {
  const TokenList& tokens = present_tokens(state, view);
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

void start_sentence(const AppState& state, SentenceView& view) {
  const std::optional<TokenHit>& marked = state.marked_token;
  const Side usual = marked ? marked->side : Side::Query;
  view.side = state.document.cross ? view.opened_side.value_or(usual) : Side::Query;
  view.opened_side.reset();
  view.take_keyboard = true;
  view.area = {};
  view.reading = {};
  show_current_tokens(state, view);
}

void read_sentence(const AppState& state, SentenceView& view) {
  SentenceReading& reading = view.reading;
  auto tokens = split_sentence(reading.text, reading.by);
  if (!tokens) {
    const bool blank = reading.text.find_first_not_of(" \n") == std::string::npos;
    if (!blank) reading.problem = refusal_text(tokens.error());
    return;
  }
  const auto may = may_have_tokens(state.document, reading.side, sample_of(state), *tokens,
                                   state.memory_limit_bytes);
  if (!may) reading.problem = refusal_text(may.error());
  reading.tokens = *std::move(tokens);
  reading.are_present = present_tokens(state, view).texts() == reading.tokens;
}

const SentenceReading& reading_of(const AppState& state, SentenceView& view) {
  SentenceReading& reading = view.reading;
  const std::uint64_t revision = state.revision;
  const bool known = reading.revision == revision && reading.by == view.by &&
                     reading.side == view.side && reading.text == view.text;
  if (known) return reading;
  reading = {view.text, view.by, view.side, revision, {}, {}, false};
  read_sentence(state, view);
  return reading;
}

Obstacle sentence_obstacle(const AppState& state, SentenceView& view) {
  const SentenceReading& reading = reading_of(state, view);
  if (!reading.problem.empty()) return {reading.problem};
  if (reading.tokens.empty()) return {"Type or paste a text first", false};
  if (reading.are_present) return {"Same as the current tokens", false};
  return {};
}

void split_choice(Ui& ui, SentenceView& view) {
  const auto chosen = segmented(ui, "sentence/by", names_of(all_splits(), &SplitInfo::label),
                                static_cast<std::size_t>(view.by), [](std::size_t i) {
                                  return std::string(all_splits()[i].sentence);
                                });
  if (chosen) view.by = view.preferred = all_splits()[*chosen].by;
}

// An unchanged text is replaced by the tokens of the other side.
void side_choice(Ui& ui, const AppState& state, SentenceView& view) {
  constexpr std::array<std::string_view, 2> kSides{"Queries", "Keys"};
  if (!state.document.cross) return;
  ImGui::SameLine(0.0F, ui.px(24));
  const auto chosen = segmented(ui, "sentence/side", kSides, view.side == Side::Key ? 1 : 0,
                                explained({"The text becomes the tokens of the queries",
                                           "The text becomes the tokens of the keys"}));
  if (!chosen) return;
  view.side = *chosen == 1 ? Side::Key : Side::Query;
  if (view.text == view.start) show_current_tokens(state, view);
}

bool text_of_sentence(Ui& ui, SentenceView& view) {
  if (std::exchange(view.take_keyboard, false)) ImGui::SetKeyboardFocusHere();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, ui.px(kTextHeight));
  const TextInputResult typed =
      text_area(ui, "##sentence/text", view.text, "Type or paste a text", size, view.area);
  ui.mark("sentence/text", view.text);
  tooltip(ui, "The text to split into tokens; the tokens are shown below");
  empty_hint(ui, "Shift+Enter starts a new line. Unchanged tokens keep their numbers and masks.");
  return typed.entered;
}

// Drawn without an item, so that Tab does not stop at it.
void cut_token(const Ui& ui, std::string_view token, Color role) {
  const ImVec2 text = ui.line_size(token, kLabelFont);
  ImGui::Dummy(text + ui.px(14, 4));
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float rounding = ImGui::GetStyle().FrameRounding;
  draw.AddRectFilled(min, max, to_imgui(mix(ui.colors().panel, role, 0.18)), rounding);
  draw.AddRectFilled(min, ImVec2(min.x + ui.px(3), max.y), to_imgui(role), rounding,
                     ImDrawFlags_RoundCornersLeft);
  ui.draw_line(token, min + ui.px(8, 2), kLabelFont, ui.colors().text);
}

void cut_tokens(Ui& ui, Side side, const std::vector<std::string>& tokens) {
  const Color role = side == Side::Key ? ui.colors().key : ui.colors().query;
  Flow flow;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ui.px(5, 5));
  for (std::size_t i = 0; i < std::min(tokens.size(), kMaxShown); ++i) {
    const std::string token =
        fitted(pango_metrics(), visible_token(tokens[i]), kLabelFont, kWidestToken);
    flow.next(ui.line_size(token, kLabelFont).x + ui.px(14));
    cut_token(ui, token, role);
    ui.mark("sentence/token/" + std::to_string(i), tokens[i]);
  }
  ImGui::PopStyleVar();
  if (tokens.size() <= kMaxShown) return;
  const std::string more = "… " + grouped_text(tokens.size() - kMaxShown) + " more";
  empty_hint(ui, more, "sentence/more");
}

void preview_tokens(Ui& ui, const AppState& state, SentenceView& view) {
  const std::vector<std::string>& tokens = reading_of(state, view).tokens;
  const std::string count = counted(tokens.size(), "token");
  section_header(ui, count);
  ui.mark("sentence/count", count);
  ImGui::SameLine();
  fragment(ui, "currently " + grouped_text(present_tokens(state, view).size()));
  // Many tokens scroll while the text stays visible.
  const float space = std::max(ImGui::GetContentRegionAvail().y, ui.px(kMinPreviewHeight));
  ImGui::BeginChild("sentence/preview", ImVec2(0, space));
  cut_tokens(ui, view.side, tokens);
  ImGui::EndChild();
}

bool sentence_contents(Ui& ui, const AppState& state, SentenceView& view) {
  split_choice(ui, view);
  side_choice(ui, state, view);
  empty_hint(ui, all_splits()[static_cast<std::size_t>(view.by)].sentence);
  const bool entered = text_of_sentence(ui, view);
  preview_tokens(ui, state, view);
  return entered;
}

}  // namespace

void sentence_window(Ui& ui, const AppState& state, SentenceView& view) {
  if (state.overlay != Overlay::Sentence) return;
  const OverlayWindow window{"sentence", "Type a sentence", ImVec2(640, 520), "Cancel"};
  if (begin_overlay(ui, window)) start_sentence(state, view);
  const bool applies = end_with_apply_button(
      ui, window, [&] { return sentence_contents(ui, state, view); },
      [&] { return sentence_obstacle(state, view); });
  if (!applies) return;
  ui.send(
      command::SetTokens{view.side, reading_of(state, view).tokens, sample_of(state), view.text});
  ui.send(command::ShowOverlay{});
}

}  // namespace attn::gui
