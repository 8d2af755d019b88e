// Edits the text of a model while one types.
#include "gui/panels/model_text.h"

#include <algorithm>

#include "base/number_text.h"
#include "base/utf8.h"
#include "document/folder/source.h"
#include "figure/text.h"
#include "gui/platform/imgui_compat.h"
#include "plot/kit/names.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr float kLabelGap = 6;

// Small letters, cut at the right.
void small_line(Ui& ui, const std::string& name, const std::string& words, Color color) {
  const float pad = ui.px(kLabelGap);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + pad);
  elided_text(ui, words, ImGui::GetContentRegionAvail().x - pad, color);
  ui.mark(name, words);
}

// A sentence in at most two such lines.
void small_sentence(Ui& ui, const std::string& name, const std::string& words, Color color) {
  const float space = ImGui::GetContentRegionAvail().x - 2 * ui.px(kLabelGap);
  const auto width = static_cast<double>(space / ui.scale);
  for (const std::string& line : wrapped(pango_metrics(), words, kLabelFont, width, 2)) {
    small_line(ui, name, line, color);
  }
  if (!words.empty()) ui.mark(name, words);
}

// The first tokens, more than a line has room for.
std::string words_of(const Document& document) {
  constexpr std::size_t kMost = 200;
  const std::size_t count = document.query_tokens.front().size();
  std::string words = counted(count, "token") + ":";
  for (std::size_t i = 0; i < std::min(count, kMost); ++i) {
    words += (i == 0 ? " " : " · ") + token_label(document, Side::Query, {}, i);
  }
  return words;
}

// The reason why the model cannot read the text; the plots show the text from before then.
std::string problem_with(const AppState& state, const std::string& text) {
  if (text.empty()) return "The text is empty: the plots show the one from before";
  const Status fine = check_text(*state.document.source_model, text, state.memory_limit_bytes);
  if (fine) return "";
  Error error = fine.error();
  error.pointer.clear();
  return as_sentence(describe(error));
}

// Sends the text as it stands in the field, all of one typing as one step of undo; Esc sends the
// text from before.
void send_typed(Ui& ui, const AppState& state, ModelTextView& view) {
  const std::string& shown = state.document.source_model->text;
  if (!view.field.editing) {
    const bool is_restored = view.gesture != 0 && key_pressed(keys::kEscape, false);
    if (is_restored && view.before != shown) ui.send(command::SetText{view.before, view.gesture});
    view.gesture = 0;
    view.problem.clear();
    return;
  }
  if (view.gesture == 0) {
    view.gesture = ui.new_gesture();
    view.before = view.sent = shown;
  }
  ui.take_live_typing();
  if (view.field.text == view.sent) return;
  view.sent = view.field.text;
  view.problem = problem_with(state, view.sent);
  if (view.problem.empty()) ui.send(command::SetText{view.sent, view.gesture});
}

}  // namespace

void model_text(Ui& ui, const AppState& state, ModelTextView& view) {
  if (!state.document.source_model) return;
  const SourceModel& source = *state.document.source_model;
  const float pad = ui.px(kLabelGap);
  ImGui::SetCursorPos(ImGui::GetCursorPos() + ImVec2(pad, pad));
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Text");
  ImGui::SameLine(0.0F, pad);
  const FieldOptions options{
      .width = (ImGui::GetContentRegionAvail().x - pad) / ui.scale,
      .hint = "Type a text that the model reads",
      .tooltip = "The model's own tokenizer cuts the text; tokens and attention follow as you type",
      .keeps_blanks = true};
  const auto entered = text_field(ui, "model/text", source.text, view.field, options);
  if (entered && problem_with(state, *entered).empty()) {
    ui.send(command::SetText{*entered, view.gesture});
  }
  send_typed(ui, state, view);
  if (view.problem.empty()) {
    small_line(ui, "model/tokens", words_of(state.document), ui.colors().muted);
  } else {
    small_sentence(ui, "model/problem", view.problem, ui.colors().warning);
  }
  small_sentence(ui, "model/note", source.untouched->source, ui.colors().muted);
  ImGui::Dummy(ImVec2(0, pad / 2));
}

}  // namespace attn::gui
