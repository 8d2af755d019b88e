// Edits the text of a model while one types.
#include "gui/panels/model_text.h"

#include "base/joined.h"
#include "base/number_text.h"
#include "gui/platform/imgui_compat.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr float kLabelGap = 6;

// A line of small letters, cut at the right.
void muted_line(Ui& ui, const std::string& name, const std::string& words) {
  const float pad = ui.px(kLabelGap);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + pad);
  elided_text(ui, words, ImGui::GetContentRegionAvail().x - pad, ui.colors().muted);
  ui.mark(name, words);
}

// Sends the text as it stands in the field, all of one typing as one step of undo; Esc sends the
// text from before.
void send_typed(Ui& ui, const std::string& shown, ModelTextView& view) {
  if (!view.field.editing) {
    const bool is_restored = view.gesture != 0 && key_pressed(keys::kEscape, false);
    if (is_restored && view.before != shown) ui.send(command::SetText{view.before, view.gesture});
    view.gesture = 0;
    return;
  }
  if (view.gesture == 0) {
    view.gesture = ui.new_gesture();
    view.before = view.sent = shown;
  }
  if (view.field.text.empty() || view.field.text == view.sent) return;
  view.sent = view.field.text;
  ui.send(command::SetText{view.sent, view.gesture});
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
      .tooltip =
          "The model's own tokenizer cuts the text; tokens and attention follow as you type"};
  const auto entered = text_field(ui, "model/text", source.text, view.field, options);
  if (entered && !entered->empty()) ui.send(command::SetText{*entered, view.gesture});
  send_typed(ui, source.text, view);
  const TokenList& tokens = state.document.query_tokens.front();
  const std::string words = counted(tokens.size(), "token") + ": " + joined(tokens.texts(), " · ");
  muted_line(ui, "model/tokens", words);
  const std::string& note = source.untouched->source;
  if (!note.empty()) muted_line(ui, "model/note", note);
  ImGui::Dummy(ImVec2(0, pad / 2));
}

}  // namespace attn::gui
