// Strip of stages with its selectors, fitted to the width.
#include "gui/panels/strip/stage_strip.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <span>
#include <utility>

#include "gui/ui/style.h"
#include "plot/all_plots.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// Sizes in units.
constexpr float kArrowWidth = 16.0F, kGap = 14.0F, kInner = 4.0F, kNumberPadding = 4.0F;
constexpr float kMaxListHeight = 420.0F;

// A selector among several, counted from 1.
struct Counter {
  const char* noun;  // "head", also in probe names and as the option
  std::size_t HeadAddress::*part;
  std::size_t count;
  std::string idle;  // why it is disabled; empty: it is enabled
  AttentionShape numbered{.layers = count};
};

std::vector<Counter> counters_of(const AppState& state) {
  const AttentionShape shape = shown_shape(state);
  const bool frames_one = shown_plot_uses(state, Option::Layers);  // of all heads
  const bool heads = frames_one || shown_plot_uses(state, Option::Head);
  const bool layers = heads || shown_plot_uses(state, Option::Layer);
  std::vector<Counter> counters;
  // A plot through all layers has no counters; a stage that joins heads keeps them, disabled, so
  // that nothing moves.
  const bool staged = shown_plot_uses(state, Option::Stage);
  const auto add = [&](bool wanted, const Counter& counter) {
    const bool matters = staged || counter.idle.empty();
    if (wanted && matters && counter.count > 1) counters.push_back(counter);
  };
  add(layers, {"layer", &HeadAddress::layer, shape.layers, why_idle(state, "layer"), shape});
  add(layers, {"sample", &HeadAddress::sample, shape.samples, ""});
  add(heads, {"head", &HeadAddress::head, shape.heads, why_idle(state, "head")});
  return counters;
}

bool offers_attentions(const AppState& state) {
  return attentions_of(state.document).size() > 1 && shown_plot_uses(state, Option::Attention);
}

float word_width(Ui& ui, std::string_view word) {
  return text_size(ui.text(Wording::Fragment, word)).x;
}

std::string number_text(const Counter& counter, std::size_t index) {
  return std::to_string(layer_number(counter.numbered, index));
}

// Width of the largest number, so that stepping moves nothing.
float number_width(Ui& ui, const Counter& counter) {
  const std::string widest(number_text(counter, counter.count - 1).size(), '0');
  const float all = counter.idle.empty() ? 0.0F : word_width(ui, "all");
  const float number = std::max(text_size(widest).x, all);
  return number + ui.px(2 * kNumberPadding);
}

std::string count_text(const Counter& counter) {
  const bool counts = counter.numbered.layer_numbers.empty();
  return (counts ? "of " : "one of ") + std::to_string(counter.count);
}

float counter_width(Ui& ui, const Counter& counter, bool brief) {
  const float word = word_width(ui, counter.noun) + ui.px(kInner);
  if (brief) return word + number_width(ui, counter);
  return word + 2 * ui.px(kArrowWidth) + number_width(ui, counter) + ui.px(kInner) +
         word_width(ui, count_text(counter));
}

void muted_word(Ui& ui, std::string_view word, float height_px) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string_view text = ui.text(Wording::Fragment, word);
  ImGui::Dummy(ImVec2(text_size(text).x, height_px));
  ui.draw_text(text, ImVec2(at.x, at.y + (height_px - ImGui::GetTextLineHeight()) / 2),
               ui.colors().muted);
}

// Moves the counter by `by`, wrapping around.
void step(Ui& ui, const AppState& state, const Counter& counter, int by) {
  if (counter.part == &HeadAddress::head) return ui.send(command::StepHead{by});
  const auto now = static_cast<int>(focused_view(state).options.at.*counter.part);
  const auto count = static_cast<int>(counter.count);
  ui.send(command::SetOption{counter.noun, std::to_string((now + by + count) % count)});
}

void step_arrow(Ui& ui, const AppState& state, const Counter& counter, int by, float height_px) {
  const std::string name = std::string(by < 0 ? "strip/previous_" : "strip/next_") + counter.noun;
  const bool idle = !counter.idle.empty();
  const DrawnButton area = drawn_button(ui, name, ImVec2(ui.px(kArrowWidth), height_px), {}, !idle);
  const UiColors& colors = ui.colors();
  const ImVec2 middle = area.middle();
  const float x = ui.px(2.5F) * static_cast<float>(by), y = ui.px(4);
  const Color ink = idle ? colors.border : area.hovered ? colors.text : colors.muted;
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
  if (area.pressed) step(ui, state, counter, by);
}

std::string counted_label(const Counter& counter, std::size_t index) {
  return control_label(counter.noun, {}) + " " + number_text(counter, index);
}

void number_list(Ui& ui, const AppState& state, const Counter& counter, const std::string& name) {
  ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(FLT_MAX, ui.px(kMaxListHeight)));
  if (!ImGui::BeginPopup(name.c_str())) return;
  const std::size_t current = focused_view(state).options.at.*counter.part;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ui.px(8, 5));
  for (std::size_t i = 0; i < counter.count; ++i) {
    const std::string label = counted_label(counter, i);
    if (ImGui::Selectable(item_label(ui.text(Wording::Label, label), label).c_str(),
                          i == current)) {
      ui.send(command::SetOption{counter.noun, std::to_string(i)});
    }
    ui.mark(std::string(name).append("/").append(label), i == current ? "on" : "");
    if (i == current && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
  }
  ImGui::PopStyleVar();
  ImGui::EndPopup();
}

// The number; a press opens the list.
void number(Ui& ui, const AppState& state, const Counter& counter, float height_px) {
  const std::string name = std::string("strip/") + counter.noun;
  const std::size_t current = focused_view(state).options.at.*counter.part;
  const bool idle = !counter.idle.empty();
  const DrawnButton area =
      drawn_button(ui, name, ImVec2(number_width(ui, counter), height_px),
                   idle ? counter.idle : counted_label(counter, current), !idle);
  const UiColors& colors = ui.colors();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (area.hovered) draw.AddRectFilled(area.min, area.max, to_imgui(colors.hovered), ui.px(4));
  const std::string text =
      idle ? std::string(ui.text(Wording::Fragment, "all")) : number_text(counter, current);
  ImGui::PushFont(idle ? ImGui::GetFont() : ui.fonts.bold);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const ImVec2 middle = area.middle();
  ui.draw_text(text, ImVec2(middle.x - size.x / 2, middle.y - size.y / 2),
               idle ? colors.muted : colors.text);
  ImGui::PopFont();
  tooltip(ui, idle ? counter.idle : std::string("Lists every ") + counter.noun, {}, idle);
  if (area.pressed) ImGui::OpenPopup(name.c_str());
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

float attention_width(Ui& ui, const AppState& state) {
  float width = 0.0F;
  for (const AttentionInfo& info : attentions_of(state.document)) {
    width += word_width(ui, info.name) + ui.px(2 * kNumberPadding);
  }
  return width;
}

void attention_choice(Ui& ui, const AppState& state, float height_px) {
  const UiColors& colors = ui.colors();
  const std::span<const AttentionInfo> attentions = attentions_of(state.document);
  for (const AttentionInfo& info : attentions) {
    if (&info != &attentions.front()) ImGui::SameLine(0, 0);
    const std::string name = "strip/attention/" + std::string(info.name);
    const ImVec2 size(word_width(ui, info.name) + ui.px(2 * kNumberPadding), height_px);
    const bool on = focused_view(state).options.at.same_attention(info.at());
    const auto [pressed, hovered, min, max] = drawn_button(ui, name, size, on ? "on" : "");
    if (pressed) ui.send(command::SetOption{"attention", std::string(info.name)});
    const Color background = on ? mix(colors.panel, colors.accent, 0.28) : colors.hovered;
    if (on || hovered)
      ImGui::GetWindowDrawList()->AddRectFilled(min, max, to_imgui(background), ui.px(4));
    const float y = min.y + (height_px - ImGui::GetTextLineHeight()) / 2;
    ui.draw_text(ui.text(Wording::Fragment, info.name), ImVec2(min.x + ui.px(kNumberPadding), y),
                 on ? colors.text : colors.muted);
    tooltip(ui, info.sentence, "X");
  }
}

// Sizes in units.
constexpr float kHeight = 34.0F, kPadding = 8.0F;
constexpr float kChipPadding = 6.0F, kChipHeight = 25.0F, kMark = 2.0F, kFoldMark = 12.0F;
constexpr float kArrow = 17.0F, kParallelGap = 2.0F;

// Arguments shared by the functions that draw chips.
struct Strip {
  Ui& ui;
  const AppState& state;
  const AttentionResult* result;  // null without one
  const UiColors& colors;

  float text_width(const std::string& text) const {
    return ui.line_size(text, FontStyle{kTextSize, false, false, true}).x;
  }
  std::string label_of(Stage stage) const {
    return std::string(ui.text(Wording::Fragment, strip_label(result->problem(), stage)));
  }
  std::string explanation(Stage stage) const {
    return stage_explanation(*result, stage, focused_view(state).options.at);
  }
  std::string label_of(const StripChip& chip) const {
    if (!chip.label.empty()) return std::string(ui.text(Wording::Fragment, chip.label));
    return label_of(chip.stages.front());
  }
  float chip_width(const std::string& label, bool folded) const {
    return text_width(label) + ui.px(2 * kChipPadding + (folded ? kFoldMark : 0.0F));
  }
};

struct ChipLook {
  std::string label;
  Color role;
  bool selected = false, folded = false;
};

// Returns whether it was pressed.
bool chip_button(const Strip& strip, const std::string& name, const ChipLook& look) {
  Ui& ui = strip.ui;
  const float width = strip.chip_width(look.label, look.folded);
  const auto [pressed, hovered, min, max] =
      drawn_button(ui, name, ImVec2(width, ui.px(kChipHeight)), look.selected ? "on" : "");
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (look.selected || hovered) {
    const Color background = look.selected ? strip.colors.accent : strip.colors.hovered;
    draw.AddRectFilled(min, max, to_imgui(background), ui.px(4));
  }
  const Color ink = look.selected ? strip.colors.accent_ink : strip.colors.text;
  draw_in_row(ui, look.label, ImVec2(min.x + ui.px(kChipPadding), min.y - ui.px(1)), max.y - min.y,
              ink, true);
  if (look.folded) {
    const ImVec2 tip(max.x - ui.px(kChipPadding + 2), (min.y + max.y) / 2 + ui.px(2));
    const float wide = ui.px(3);
    draw.AddTriangleFilled(ImVec2(tip.x - wide, tip.y - wide), ImVec2(tip.x + wide, tip.y - wide),
                           tip, to_imgui(look.selected ? ink : strip.colors.muted));
  }
  if (look.selected) return pressed;
  const float inset = ui.px(2);
  draw.AddRectFilled(ImVec2(min.x + inset, max.y - ui.px(kMark)), ImVec2(max.x - inset, max.y),
                     to_imgui(look.role), ui.px(1));
  return pressed;
}

void stage_chip(const Strip& strip, Stage stage) {
  const StageInfo& info = stage_info(stage);
  const bool selected = shown_plot_uses(strip.state, Option::Stage) &&
                        focused_view(strip.state).options.stage == stage;
  const std::string label = strip.label_of(stage);
  if (chip_button(strip, "strip/stage/" + std::string(info.name),
                  {label, stage_color(strip.ui.colors(), stage), selected})) {
    show_stage(strip.ui, strip.state, stage);
  }
  tooltip(strip.ui, [&] { return strip.explanation(stage); });
}

void group_entry(const Strip& strip, Stage stage) {
  const StageInfo& info = stage_info(stage);
  const std::string label = item_label(strip.ui.text(Wording::Label, info.label), info.name);
  if (ImGui::Selectable(label.c_str(), focused_view(strip.state).options.stage == stage))
    show_stage(strip.ui, strip.state, stage);
  strip.ui.mark("strip/stage/" + std::string(info.name), info.label);
  tooltip(strip.ui, [&] { return strip.explanation(stage); });
}

// When all stages are in one chip, its label is the selected stage.
void group_chip(const Strip& strip, const StripChip& chip) {
  const Stage shown = focused_view(strip.state).options.stage;
  const bool holds = shown_plot_uses(strip.state, Option::Stage) &&
                     std::ranges::find(chip.stages, shown) != chip.stages.end();
  const std::string name = "strip/group/" + std::string(chip.label);
  const std::string label =
      holds ? strip.label_of(shown) : std::string(strip.ui.text(Wording::Fragment, chip.label));
  const Stage first = holds ? shown : chip.stages.front();
  if (chip_button(strip, name, {label, stage_color(strip.ui.colors(), first), holds, true})) {
    ImGui::OpenPopup(name.c_str());
  }
  tooltip(strip.ui, "Opens the list of these stages");
  if (!ImGui::BeginPopup(name.c_str())) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, strip.ui.px(8, 5));
  for (const Stage stage : chip.stages) group_entry(strip, stage);
  ImGui::PopStyleVar();
  ImGui::EndPopup();
}

// Gap or arrow between two chips.
void between(const Strip& strip, bool parallel) {
  const std::string sign = "→";
  const float width = strip.ui.px(kArrow), height = strip.ui.px(kChipHeight);
  ImGui::SameLine(0, 0);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy(parallel ? ImVec2(strip.ui.px(kParallelGap), 1) : ImVec2(width, height));
  if (!parallel) {
    draw_in_row(strip.ui, sign,
                ImVec2(at.x + (width - strip.text_width(sign)) / 2, at.y - strip.ui.px(1)), height,
                strip.colors.muted);
  }
  ImGui::SameLine(0, 0);
}

float gap(const Strip& strip, const StripChip& a, const StripChip& b) {
  return strip.ui.px(is_parallel(a, b) ? kParallelGap : kArrow);
}

float chips_width(const Strip& strip, const std::vector<StripChip>& chips) {
  float width = 0.0F;
  for (std::size_t i = 0; i < chips.size(); ++i) {
    width += strip.chip_width(strip.label_of(chips[i]), !chips[i].label.empty());
    if (i > 0) width += gap(strip, chips[i - 1], chips[i]);
  }
  return width;
}

// Input embeddings, which are edited in the inputs panel.
TensorList embeddings_of(const Document& document) {
  TensorList list = editable_tensors(document);
  std::erase_if(list, [](const TensorInfo& info) {
    return info.use != TensorUse::Input || !info.label.starts_with("X");
  });
  return list;
}

float inputs_width(const Strip& strip, const TensorList& inputs) {
  float width = 0.0F;
  for (const TensorInfo& info : inputs) {
    width += strip.chip_width(info.label, false) + strip.ui.px(kParallelGap);
  }
  return inputs.empty() ? 0.0F : width - strip.ui.px(kParallelGap) + strip.ui.px(kArrow);
}

void input_chips(const Strip& strip, const TensorList& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (i > 0) between(strip, true);
    const TensorInfo& info = inputs[i];
    if (chip_button(strip, "strip/input/" + info.label,
                    {info.label, role_color(strip.ui.colors(), info.role)})) {
      Sides sides = strip.state.preferences.sides;
      sides.left_folded = false;
      strip.ui.send(command::SetSides{sides});
      strip.ui.send(command::SelectMatrix{{info.path, strip.state.grid.matrix.at}});
    }
    tooltip(strip.ui, "Embeddings: a click shows them among the inputs");
  }
  if (!inputs.empty()) between(strip, false);
}

// Leaves out the stage after the mask when there is none, as it repeats the one before.
std::vector<Stage> shown_stages(const Strip& strip) {
  const ViewOptions& options = focused_view(strip.state).options;
  std::vector<Stage> stages = strip.result->stages(options.at);
  if (options.stage != Stage::Masked && shown_mask(strip.state) == Mask{}) {
    std::erase(stages, Stage::Masked);
  }
  return stages;
}

void stage_chips(const Strip& strip, float space) {
  const std::vector<Stage> stages = shown_stages(strip);
  TensorList inputs = embeddings_of(strip.state.document);
  const auto width_of = [&](const std::vector<StripChip>& chips) {
    return chips_width(strip, chips);
  };
  std::vector<StripChip> chips = strip_chips(stages, focused_view(strip.state).options.stage,
                                             space - inputs_width(strip, inputs), width_of);
  const bool is_crowded = chips_width(strip, chips) + inputs_width(strip, inputs) > space;
  if (is_crowded || (chips.size() == 1 && stages.size() > 1)) {
    inputs.clear();
    chips = strip_chips(stages, focused_view(strip.state).options.stage, space, width_of);
  }
  input_chips(strip, inputs);
  for (std::size_t i = 0; i < chips.size(); ++i) {
    if (i > 0) between(strip, is_parallel(chips[i - 1], chips[i]));
    chips[i].label.empty() ? stage_chip(strip, chips[i].stages.front())
                           : group_chip(strip, chips[i]);
  }
}

void draw_background(const Strip& strip, ImVec2 min, ImVec2 max) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float line = std::max(1.0F, std::floor(strip.ui.px(1)));
  draw.AddRectFilled(min, max, to_imgui(strip.colors.panel));
  draw.AddRectFilled(ImVec2(min.x, max.y - line), max, to_imgui(strip.colors.border));
}

// Selectors that the plot reads, if there are several values. `brief`: without arrows and counts.
float strip_selectors_width(Ui& ui, const AppState& state, bool brief) {
  float width = offers_attentions(state) ? attention_width(ui, state) + ui.px(kGap) : 0.0F;
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

}  // namespace

void show_stage(Ui& ui, const AppState& state, Stage stage) {
  ui.send(command::SelectStage{stage});
  if (!shown_plot_uses(state, Option::Stage)) ui.send(command::SelectPlot{"heatmap"});
}

void stage_strip(Ui& ui, const AppState& state) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = std::round(ui.px(kHeight));
  ImGui::BeginChild("panel/strip", ImVec2(width, height), false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const Strip strip{ui, state, state.result.get(), ui.colors()};
  draw_background(strip, min, ImVec2(min.x + width, min.y + height));
  const float top = (height - ui.px(kChipHeight)) / 2;
  const bool brief = width < ui.px(560) || strip_selectors_width(ui, state, false) > 0.5F * width;
  const float selectors = strip_selectors_width(ui, state, brief);
  ImGui::SetCursorPos(ImVec2(ui.px(kPadding), top));
  const float space =
      width - selectors - ui.px(2 * kPadding) - (selectors > 0.0F ? ui.px(8) : 0.0F);
  if (strip.result != nullptr) stage_chips(strip, space);
  ImGui::SetCursorPos(ImVec2(width - selectors - ui.px(kPadding), top));
  strip_selectors(ui, state, brief, ui.px(kChipHeight));
  const bool clicked = ImGui::IsWindowHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Right);
  if (clicked) ui.request_context(ContextKind::Stages);
  ImGui::EndChild();
  ui.mark("panel/strip");
}

}  // namespace attn::gui
