// The formula of attention in large letters, each part a button that shows its stage.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "figure/text.h"
#include "gui/panels/controls/controls.h"
#include "gui/panels/strip/stage_strip.h"
#include "gui/shell/windows/start_window.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr std::string_view kAttention =
    "Attention lets every token gather from the others what it needs: its query is compared with "
    "the key of each token, softmax turns the scores into weights, and the output is the mean of "
    "the values by these weights.";
constexpr std::string_view kPartsHint = "Click a part of the formula to see its numbers.";

constexpr double kWordsSize = 15.0, kFormulaSize = 27.0;
constexpr float kPartPadding = 3.0F, kPartLine = 2.0F, kFormulaGap = 24.0F,
                kBelowFormula = 8.0F;  // units

struct Part {
  std::string_view text;
  Stage stage;
};
constexpr Part kSoftmax{"softmax", Stage::Weights}, kQuery{"Q", Stage::Query},
    kKey{"Kᵀ", Stage::Key}, kScale{"√d_k", Stage::Scaled}, kValue{"V", Stage::Value};
constexpr std::string_view kOpeningSign = "(", kClosingSign = ")";

struct Formula {
  Ui& ui;
  const AppState& state;

  ImVec2 size(std::string_view text, double times = 1.0) const {
    return ui.line_size(text, style(times));
  }
  // Width of a part, with the space around its letters.
  float width(const Part& part) const { return size(part.text).x + ui.px(2 * kPartPadding); }
  float row() const { return std::ceil(size(kSoftmax.text).y); }
  float fraction() const { return std::max(width(kQuery) + width(kKey), width(kScale)); }
  float height() const { return 2 * row() + ui.px(2 * kPartLine); }
  float width() const {
    return width(kSoftmax) + 2 * size(kOpeningSign, 2.0).x + fraction() + width(kValue);
  }

  // Draws a large sign around the height of `at`; returns its right end.
  float sign(std::string_view text, ImVec2 at) const {
    const ImVec2 extent = size(text, 2.0);
    ui.draw_line(text, ImVec2(at.x, at.y - extent.y / 2), style(2.0), ui.colors().ink);
    return at.x + extent.x;
  }
  float part(const Part& part, ImVec2 at) const;

 private:
  static FontStyle style(double times) { return {times * kFormulaSize, false, false, true}; }
};

std::string why_not(const AppState& state, Stage stage) {
  if (state.result == nullptr) return "Nothing is computed yet";
  const auto& stages = state.result->stages(focused_view(state).options.at);
  if (std::ranges::find(stages, stage) != stages.end()) return "";
  return "The open document has no such stage: its weights are given, or its scores are computed "
         "differently";
}

// Draws a part; returns its right end.
float Formula::part(const Part& part, ImVec2 at) const {
  const StageInfo& info = stage_info(part.stage);
  const std::string name = "start/formula/" + std::string(info.name);
  const std::string reason = why_not(state, part.stage);
  const ImVec2 end(at.x + width(part), at.y + row());
  ImGui::SetCursorScreenPos(at);
  const DrawnButton area = drawn_button(ui, name, end - at, part.text, reason.empty());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (area.hovered) list.AddRectFilled(at, end, to_imgui(ui.colors().hovered), ui.px(4));
  ui.draw_line(part.text, ImVec2(at.x + ui.px(kPartPadding), at.y), style(1.0), ui.colors().ink);
  list.AddRectFilled(ImVec2(at.x + ui.px(kPartPadding), end.y - ui.px(kPartLine)),
                     ImVec2(end.x - ui.px(kPartPadding), end.y),
                     to_imgui(stage_color(ui.colors(), part.stage)), ui.px(1));
  const std::string help = std::string(info.label) + ": " + std::string(info.sentence);
  tooltip(ui, reason.empty() ? help : reason, {}, !reason.empty());
  if (area.pressed) {
    ui.send(command::ShowOverlay{});
    show_stage(ui, state, part.stage);
  }
  return end.x;
}

void draw_fraction(const Formula& formula, ImVec2 middle) {
  const Ui& ui = formula.ui;
  const float wide = formula.fraction(), gap = ui.px(kPartLine);
  const float above = wide - formula.width(kQuery) - formula.width(kKey);
  const float below = wide - formula.width(kScale);
  const float next =
      formula.part(kQuery, ImVec2(middle.x + above / 2, middle.y - gap - formula.row()));
  formula.part(kKey, ImVec2(next, middle.y - gap - formula.row()));
  formula.part(kScale, ImVec2(middle.x + below / 2, middle.y + gap));
  const float thick = ui.line_px(1.5F);
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(middle.x, middle.y - thick / 2),
                                            ImVec2(middle.x + wide, middle.y + thick / 2),
                                            to_imgui(ui.colors().ink));
}

void draw_formula(const Formula& formula, ImVec2 at) {
  const float middle = at.y + formula.height() / 2, line = middle - formula.row() / 2;
  at.x = formula.sign(kOpeningSign, ImVec2(formula.part(kSoftmax, ImVec2(at.x, line)), middle));
  draw_fraction(formula, ImVec2(at.x, middle));
  at.x = formula.sign(kClosingSign, ImVec2(at.x + formula.fraction(), middle));
  formula.part(kValue, ImVec2(at.x, line));
}

// Draws the sentence; returns its lower end.
float draw_sentence(Ui& ui, ImVec2 at, float width_px) {
  const FontStyle large{kWordsSize}, small{kTextSize};
  const auto draw = [&](std::string_view words, const FontStyle& font, Color color) {
    const std::string_view shown = ui.text(Wording::Explanation, words);
    const auto space = static_cast<double>(width_px / ui.scale);
    for (const std::string& line : wrapped(pango_metrics(), shown, font, space, 12)) {
      ui.draw_line(line, at, font, color);
      at.y += std::ceil(ui.line_size(line, font).y * 1.08F);
    }
  };
  draw(kAttention, large, ui.colors().ink);
  draw(kPartsHint, small, ui.colors().muted);
  return at.y;
}

}  // namespace

void attention_formula(Ui& ui, const AppState& state) {
  const Formula formula{ui, state};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = at.x + ImGui::GetContentRegionAvail().x - formula.width();
  const float text_end = draw_sentence(ui, at, right - at.x - ui.px(kFormulaGap));
  ui.mark_rect("start/attention", at, ImVec2(right - ui.px(kFormulaGap), text_end), kAttention);
  const float height = std::max(text_end - at.y, formula.height());
  draw_formula(formula, ImVec2(right, at.y + (height - formula.height()) / 2));
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(ImVec2(1.0F, height + ui.px(kBelowFormula)));
}

}  // namespace attn::gui
