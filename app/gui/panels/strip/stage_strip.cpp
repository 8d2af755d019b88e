// The strip of stages and the selectors at its end.
#include "gui/panels/strip/stage_strip.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gui/panels/strip/strip_layout.h"
#include "gui/panels/strip/strip_selectors.h"
#include "gui/panels/strip/strip_words.h"
#include "gui/ui/style.h"
#include "plot/all_plots.h"

namespace attn::gui {
namespace {

// In units.
constexpr float kHeight = 34.0F, kPadding = 8.0F;
constexpr float kChipPadding = 6.0F, kChipHeight = 25.0F, kMark = 2.0F, kFoldMark = 12.0F;
constexpr float kArrow = 17.0F, kParallelGap = 2.0F;

// Everything that drawing a chip needs.
struct Strip {
  Ui& ui;
  const AppState& state;
  const AttentionResult* result;  // null while there is none
  UiColors colors;

  float text_width(const std::string& text) const {
    return ui.labels.line_size(text, FontStyle{kTextSize}, ui.scale).x;
  }
  std::string label_of(Stage stage) const {
    return std::string(ui.say(Wording::Fragment, strip_label(result->problem(), stage)));
  }
  std::string label_of(const StripChip& chip) const {
    if (!chip.label.empty()) return std::string(ui.say(Wording::Fragment, chip.label));
    return label_of(chip.stages.front());
  }
  float chip_width(const std::string& label, bool folded) const {
    return text_width(label) + ui.px(2 * kChipPadding + (folded ? kFoldMark : 0.0F));
  }
};

bool shows_stages(const AppState& state) {
  const PlotEntry* plot = plot_named(focused_view(state).plot);
  return plot != nullptr && uses(*plot, Option::Stage);
}

struct ChipLook {
  std::string label;
  Color role;
  bool selected = false, folded = false, hot = false;
};

void draw_chip(const Strip& strip, const ChipLook& look, ImVec2 min, ImVec2 max) {
  const Ui& ui = strip.ui;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float radius = ui.px(4);
  if (look.selected || look.hot) {
    const Color ground = look.selected ? strip.colors.accent : strip.colors.hovered;
    draw.AddRectFilled(min, max, to_imgui(ground), radius);
  }
  const Color ink = look.selected ? strip.colors.accent_ink : strip.colors.text;
  draw_in_row(strip.ui, look.label, ImVec2(min.x + ui.px(kChipPadding), min.y - ui.px(1)),
              max.y - min.y, ink);
  if (look.folded) {
    const ImVec2 tip(max.x - ui.px(kChipPadding + 2), (min.y + max.y) / 2 + ui.px(2));
    const float wide = ui.px(3);
    draw.AddTriangleFilled(ImVec2(tip.x - wide, tip.y - wide), ImVec2(tip.x + wide, tip.y - wide),
                           tip, to_imgui(look.selected ? ink : strip.colors.muted));
  }
  if (look.selected) return;
  const float inset = ui.px(2);
  draw.AddRectFilled(ImVec2(min.x + inset, max.y - ui.px(kMark)), ImVec2(max.x - inset, max.y),
                     to_imgui(look.role), ui.px(1));
}

// True when pressed.
bool chip_button(const Strip& strip, const std::string& name, ChipLook look) {
  const float width = strip.chip_width(look.label, look.folded);
  const bool pressed =
      ImGui::InvisibleButton(name.c_str(), ImVec2(width, strip.ui.px(kChipHeight)));
  strip.ui.mark(name, look.selected ? "on" : "");
  look.hot = ImGui::IsItemHovered();
  draw_chip(strip, look, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  return pressed;
}

// Stages are looked at in the heatmap.
void open_stage(const Strip& strip, Stage stage) {
  strip.ui.send(command::SelectStage{stage});
  if (!shows_stages(strip.state)) strip.ui.send(command::SelectPlot{"heatmap"});
}

void stage_chip(const Strip& strip, Stage stage) {
  const StageInfo& info = stage_info(stage);
  const bool selected =
      shows_stages(strip.state) && focused_view(strip.state).options.stage == stage;
  const std::string label = strip.label_of(stage);
  if (chip_button(strip, "strip/stage/" + std::string(info.name),
                  {label, stage_color(strip.ui.colors(), stage), selected})) {
    open_stage(strip, stage);
  }
  tooltip(strip.ui, [&] { return stage_explanation(*strip.result, stage); });
}

void group_entry(const Strip& strip, Stage stage) {
  const StageInfo& info = stage_info(stage);
  const std::string label = item_label(strip.ui.say(Wording::Label, info.label), info.name);
  if (ImGui::Selectable(label.c_str(), focused_view(strip.state).options.stage == stage))
    open_stage(strip, stage);
  strip.ui.mark("strip/stage/" + std::string(info.name), info.label);
  tooltip(strip.ui, [&] { return stage_explanation(*strip.result, stage); });
}

// Of one chip for all stages the label is the selected one.
void group_chip(const Strip& strip, const StripChip& chip) {
  const Stage shown = focused_view(strip.state).options.stage;
  const bool holds =
      shows_stages(strip.state) && std::ranges::find(chip.stages, shown) != chip.stages.end();
  const std::string name = "strip/group/" + std::string(chip.label);
  const std::string label =
      holds ? strip.label_of(shown) : std::string(strip.ui.say(Wording::Fragment, chip.label));
  const Stage first = holds ? shown : chip.stages.front();
  if (chip_button(strip, name, {label, stage_color(strip.ui.colors(), first), holds, true})) {
    ImGui::OpenPopup(name.c_str());
  }
  tooltip(strip.ui, "Opens the list of these stages");
  if (!ImGui::BeginPopup(name.c_str())) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(strip.ui.px(8), strip.ui.px(5)));
  for (const Stage stage : chip.stages) group_entry(strip, stage);
  ImGui::PopStyleVar();
  ImGui::EndPopup();
}

void arrow(const Strip& strip, float width_px) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy(ImVec2(width_px, strip.ui.px(kChipHeight)));
  const std::string sign = "→";
  draw_in_row(strip.ui, sign,
              ImVec2(at.x + (width_px - strip.text_width(sign)) / 2, at.y - strip.ui.px(1)),
              strip.ui.px(kChipHeight), strip.colors.muted);
}

// Between two chips.
void between(const Strip& strip, bool parallel) {
  ImGui::SameLine(0, 0);
  if (parallel) {
    ImGui::Dummy(ImVec2(strip.ui.px(kParallelGap), 1));
  } else {
    arrow(strip, strip.ui.px(kArrow));
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

// The embeddings that everything begins with; they are edited among the inputs.
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

void stage_chips(const Strip& strip, float room) {
  const std::vector<Stage>& stages = strip.result->stages();
  TensorList inputs = embeddings_of(strip.state.document);
  const auto width_of = [&](const std::vector<StripChip>& chips) {
    return chips_width(strip, chips);
  };
  std::vector<StripChip> chips = strip_chips(stages, focused_view(strip.state).options.stage,
                                             room - inputs_width(strip, inputs), width_of);
  if (chips_width(strip, chips) + inputs_width(strip, inputs) > room) inputs.clear();
  input_chips(strip, inputs);
  for (std::size_t i = 0; i < chips.size(); ++i) {
    if (i > 0) between(strip, is_parallel(chips[i - 1], chips[i]));
    chips[i].label.empty() ? stage_chip(strip, chips[i].stages.front())
                           : group_chip(strip, chips[i]);
  }
}

void draw_ground(const Strip& strip, ImVec2 min, ImVec2 max) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float line = std::max(1.0F, std::floor(strip.ui.px(1)));
  draw.AddRectFilled(min, max, to_imgui(strip.colors.panel));
  draw.AddRectFilled(ImVec2(min.x, max.y - line), max, to_imgui(strip.colors.border));
}

}  // namespace

float stage_strip_height(const Ui& ui) { return std::round(ui.px(kHeight)); }

void stage_strip(Ui& ui, const AppState& state) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = stage_strip_height(ui);
  ImGui::BeginChild("panel/strip", ImVec2(width, height), false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const Strip strip{ui, state, state.result ? &shown_result(state) : nullptr, ui_colors(ui.theme)};
  draw_ground(strip, min, ImVec2(min.x + width, min.y + height));
  const float top = (height - ui.px(kChipHeight)) / 2;
  const bool brief = width < ui.px(560) || strip_selectors_width(ui, state, false) > 0.5F * width;
  const float selectors = strip_selectors_width(ui, state, brief);
  ImGui::SetCursorPos(ImVec2(ui.px(kPadding), top));
  const float room = width - selectors - ui.px(2 * kPadding) - (selectors > 0.0F ? ui.px(8) : 0.0F);
  if (strip.result != nullptr) stage_chips(strip, room);
  ImGui::SetCursorPos(ImVec2(width - selectors - ui.px(kPadding), top));
  strip_selectors(ui, state, brief, ui.px(kChipHeight));
  const bool asked = ImGui::IsWindowHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Right);
  if (asked) ui.ask_context(ContextKind::Stages);
  ImGui::EndChild();
  ui.mark("panel/strip");
}

}  // namespace attn::gui
