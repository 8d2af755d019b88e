// Steppers at the end of the strip.
#include "gui/panels/strip/strip_selectors.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <string>
#include <utility>
#include <vector>

#include "gui/ui/style.h"
#include "plot/all_plots.h"

namespace attn::gui {
namespace {

// In units.
constexpr float kArrowWidth = 16.0F, kGap = 14.0F, kInner = 4.0F, kNumberPadding = 4.0F;
constexpr float kListMost = 420.0F;

// One of several that are counted from 1.
struct Counter {
  const char* noun;  // "head", in names too
  const char* Noun;  // NOLINT(readability-identifier-naming): "Head", in lists
  std::size_t HeadAddress::*part;
  std::size_t count;
  std::string idle;  // why none can be chosen; empty: one can
};

std::vector<Counter> counters_of(const AppState& state) {
  const AttentionShape shape = shown_shape(state);
  const bool frames_one = shown_plot_uses(state, Option::Layers);  // of all heads
  const bool heads = frames_one || shown_plot_uses(state, Option::Head);
  const bool layers = heads || shown_plot_uses(state, Option::Layer);
  std::vector<Counter> counters;
  const auto add = [&](bool wanted, const Counter& counter) {
    if (wanted && counter.count > 1) counters.push_back(counter);
  };
  add(layers, {"layer", "Layer", &HeadAddress::layer, shape.layers, why_idle(state, "layer")});
  add(layers, {"sample", "Sample", &HeadAddress::sample, shape.samples, ""});
  add(heads, {"head", "Head", &HeadAddress::head, shape.heads, why_idle(state, "head")});
  return counters;
}

bool offers_attentions(const AppState& state) {
  return attentions_of(state.document).size() > 1 && shown_plot_uses(state, Option::Attention);
}

float word_width(Ui& ui, std::string_view word) {
  return text_size(ui.say(Wording::Fragment, word)).x;
}

// As wide as the largest number, so that nothing moves while stepping.
float number_width(Ui& ui, const Counter& counter) {
  const std::string widest(std::to_string(counter.count).size(), '0');
  const float all = counter.idle.empty() ? 0.0F : word_width(ui, "all");
  const float number = std::max(text_size(widest).x, all);
  return number + ui.px(2 * kNumberPadding);
}

std::string count_text(const Counter& counter) { return "of " + std::to_string(counter.count); }

float counter_width(Ui& ui, const Counter& counter, bool brief) {
  const float word = word_width(ui, counter.noun) + ui.px(kInner);
  if (brief) return word + number_width(ui, counter);
  return word + 2 * ui.px(kArrowWidth) + number_width(ui, counter) + ui.px(kInner) +
         word_width(ui, count_text(counter));
}

void muted_word(Ui& ui, std::string_view word, float height_px) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string_view text = ui.say(Wording::Fragment, word);
  ImGui::Dummy(ImVec2(text_size(text).x, height_px));
  ImGui::GetWindowDrawList()->AddText(
      ImVec2(at.x, at.y + (height_px - ImGui::GetTextLineHeight()) / 2),
      to_imgui(ui.colors().muted), text.data(), text.data() + text.size());
}

// Sends the address with the counter's part moved by `by`, round and round.
void step(Ui& ui, const AppState& state, const Counter& counter, int by) {
  if (counter.part == &HeadAddress::head) return ui.send(command::StepHead{by});
  HeadAddress head = focused_view(state).options.at;
  const auto count = static_cast<int>(counter.count);
  const int next = (static_cast<int>(head.*counter.part) + by + count) % count;
  head.*counter.part = static_cast<std::size_t>(next);
  ui.send(command::SelectHead{head});
}

void step_arrow(Ui& ui, const AppState& state, const Counter& counter, int by, float height_px) {
  const std::string name = std::string(by < 0 ? "strip/previous_" : "strip/next_") + counter.noun;
  const bool idle = !counter.idle.empty();
  ImGui::BeginDisabled(idle);
  const bool pressed = ImGui::InvisibleButton(name.c_str(), ImVec2(ui.px(kArrowWidth), height_px));
  ImGui::EndDisabled();
  ui.mark(name, {}, !idle);
  const UiColors colors = ui_colors(ui.theme);
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const ImVec2 middle((min.x + max.x) / 2, (min.y + max.y) / 2);
  const float x = ui.px(2.5F) * static_cast<float>(by), y = ui.px(4);
  const Color ink = idle ? colors.border : ImGui::IsItemHovered() ? colors.text : colors.muted;
  const ImVec2 tip(middle.x + x, middle.y);
  const ImVec2 a(middle.x - x, middle.y - y), b(middle.x - x, middle.y + y);
  ImGui::GetWindowDrawList()->AddTriangleFilled(by < 0 ? b : a, tip, by < 0 ? a : b, to_imgui(ink));
  const std::string words = std::string(by < 0 ? "Previous " : "Next ") + counter.noun;
  const bool heads = counter.part == &HeadAddress::head,
             layers = counter.part == &HeadAddress::layer;
  tooltip(ui, words,
          heads    ? (by < 0 ? "[" : "]")
          : layers ? (by < 0 ? "Page Up" : "Page Down")
                   : "");
  if (pressed) step(ui, state, counter, by);
}

std::string counted_label(const Counter& counter, std::size_t index) {
  return std::string(counter.Noun) + " " + std::to_string(index + 1);
}

void number_list(Ui& ui, const AppState& state, const Counter& counter, const std::string& name) {
  ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(FLT_MAX, ui.px(kListMost)));
  if (!ImGui::BeginPopup(name.c_str())) return;
  const std::size_t current = focused_view(state).options.at.*counter.part;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), ui.px(5)));
  for (std::size_t i = 0; i < counter.count; ++i) {
    const std::string label = counted_label(counter, i);
    if (ImGui::Selectable(item_label(ui.say(Wording::Label, label), label).c_str(), i == current)) {
      HeadAddress head = focused_view(state).options.at;
      head.*counter.part = i;
      ui.send(command::SelectHead{head});
    }
    ui.mark(std::string(name).append("/").append(label), i == current ? "on" : "");
    if (i == current && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
  }
  ImGui::PopStyleVar();
  ImGui::EndPopup();
}

// The number; pressing it lists all of them.
void number(Ui& ui, const AppState& state, const Counter& counter, float height_px) {
  const std::string name = std::string("strip/") + counter.noun;
  const std::size_t current = focused_view(state).options.at.*counter.part;
  const bool idle = !counter.idle.empty();
  ImGui::BeginDisabled(idle);
  const bool pressed =
      ImGui::InvisibleButton(name.c_str(), ImVec2(number_width(ui, counter), height_px));
  ImGui::EndDisabled();
  ui.mark(name, idle ? counter.idle : counted_label(counter, current), !idle);
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const UiColors colors = ui_colors(ui.theme);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered()) draw.AddRectFilled(min, max, to_imgui(colors.hovered), ui.px(4));
  const std::string text =
      idle ? std::string(ui.say(Wording::Fragment, "all")) : std::to_string(current + 1);
  ImGui::PushFont(idle ? ImGui::GetFont() : ui.fonts.bold);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  draw.AddText(ImVec2((min.x + max.x - size.x) / 2, (min.y + max.y - size.y) / 2),
               to_imgui(idle ? colors.muted : colors.text), text.c_str());
  ImGui::PopFont();
  tooltip(ui, idle ? counter.idle : std::string("Lists every ") + counter.noun, {}, idle);
  if (pressed) ImGui::OpenPopup(name.c_str());
  number_list(ui, state, counter, name);
}

void counter_row(Ui& ui, const AppState& state, const Counter& counter, bool brief,
                 float height_px) {
  muted_word(ui, counter.noun, height_px);
  ImGui::SameLine(0, ui.px(kInner));
  if (brief) return number(ui, state, counter, height_px);
  step_arrow(ui, state, counter, -1, height_px);
  ImGui::SameLine(0, 0);
  number(ui, state, counter, height_px);
  ImGui::SameLine(0, 0);
  step_arrow(ui, state, counter, 1, height_px);
  ImGui::SameLine(0, ui.px(kInner));
  muted_word(ui, count_text(counter), height_px);
}

// In the order in which a block attends.
constexpr std::array<AttentionPart, 2> kParts{AttentionPart::Self, AttentionPart::Cross};

const char* part_label(AttentionPart part) {
  return part == AttentionPart::Self ? "self" : "cross";
}

float attention_width(Ui& ui) {
  float width = 0.0F;
  for (const AttentionPart part : kParts)
    width += word_width(ui, part_label(part)) + ui.px(2 * kNumberPadding);
  return width;
}

void attention_choice(Ui& ui, const AppState& state, float height_px) {
  const UiColors colors = ui_colors(ui.theme);
  for (const AttentionPart part : kParts) {
    if (part != kParts.front()) ImGui::SameLine(0, 0);
    const std::string name = "strip/attention/" + std::string(attention_part_info(part).name);
    const ImVec2 size(word_width(ui, part_label(part)) + ui.px(2 * kNumberPadding), height_px);
    const bool on = focused_view(state).options.attention == part;
    if (ImGui::InvisibleButton(name.c_str(), size)) ui.send(command::SelectAttention{part});
    ui.mark(name, on ? "on" : "");
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const Color ground = on ? mix(colors.panel, colors.accent, 0.28) : colors.hovered;
    if (on || ImGui::IsItemHovered()) draw.AddRectFilled(min, max, to_imgui(ground), ui.px(4));
    const std::string_view label = ui.say(Wording::Fragment, part_label(part));
    draw.AddText(
        ImVec2(min.x + ui.px(kNumberPadding), min.y + (height_px - ImGui::GetTextLineHeight()) / 2),
        to_imgui(on ? colors.text : colors.muted), label.data(), label.data() + label.size());
    tooltip(ui,
            part == AttentionPart::Self ? "The rows attend to one another"
                                        : "The rows attend to the keys",
            "X");
  }
}

}  // namespace

float strip_selectors_width(Ui& ui, const AppState& state, bool brief) {
  float width = offers_attentions(state) ? attention_width(ui) + ui.px(kGap) : 0.0F;
  for (const Counter& counter : counters_of(state)) {
    width += counter_width(ui, counter, brief) + ui.px(kGap);
  }
  return width > 0.0F ? width - ui.px(kGap) : 0.0F;
}

void strip_selectors(Ui& ui, const AppState& state, bool brief, float height_px) {
  bool first = true;
  if (offers_attentions(state)) {
    attention_choice(ui, state, height_px);
    first = false;
  }
  for (const Counter& counter : counters_of(state)) {
    if (!std::exchange(first, false)) ImGui::SameLine(0, ui.px(kGap));
    counter_row(ui, state, counter, brief, height_px);
  }
}

}  // namespace attn::gui
