#include "gui/panels/selectors.h"

#include <vector>

namespace attn::gui {
namespace {

constexpr float kArrowsFrom = 300.0F;  // units; narrower panels have only the list

std::string numbered_label(const char* noun, std::size_t index) {
  return std::string(noun) + " " + std::to_string(index + 1);
}

}  // namespace

void attention_selector(Ui& ui, const AppState& state, Flow& flow, bool brief) {
  const std::span<const AttentionPartInfo> attentions = attentions_of(state.document);
  if (attentions.size() == 1) return;
  for (const AttentionPartInfo& info : attentions) {
    const std::string_view label = brief ? info.brief : info.label;
    flow.next(button_width(label));
    if (button(ui, "plot/attention/" + std::string(info.name), label,
               {.tooltip = info.sentence,
                .shortcut = "X",
                .on = focused_view(state).options.attention == info.part})) {
      ui.send(command::SelectAttention{info.part});
    }
  }
}

float numbered_choice_width(const char* noun, std::size_t count) {
  return ImGui::CalcTextSize(numbered_label(noun, count).c_str()).x + ImGui::GetFrameHeight() +
         3 * ImGui::GetStyle().FramePadding.x;
}

std::optional<std::size_t> numbered_choice(Ui& ui, std::string_view name, const char* noun,
                                           std::size_t count, std::size_t current) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < count; ++i) labels.push_back(numbered_label(noun, i));
  const std::vector<std::string_view> views(labels.begin(), labels.end());
  return combo(ui, name, "", views, current, numbered_choice_width(noun, count) / ui.scale);
}

void sample_selector(Ui& ui, const AppState& state, std::string_view name) {
  const std::size_t samples = shown_shape(state).samples;
  if (samples < 2) return;
  HeadAddress head = focused_view(state).options.at;
  if (const auto chosen = numbered_choice(ui, name, "Sample", samples, head.sample)) {
    head.sample = *chosen;
    ui.send(command::SelectHead{head});
  }
}

namespace {

void select_part(Ui& ui, const AppState& state, const std::string& name, const char* noun,
                 std::size_t count, std::size_t HeadAddress::*part) {
  HeadAddress head = focused_view(state).options.at;
  if (const auto chosen = numbered_choice(ui, name, noun, count, head.*part)) {
    head.*part = *chosen;
    ui.send(command::SelectHead{head});
  }
}

}  // namespace

void layer_selectors(Ui& ui, const AppState& state, std::string_view prefix, Flow& flow) {
  const AttentionShape shape = shown_shape(state);
  const std::string names(prefix);
  if (shape.layers > 1) {
    flow.next(numbered_choice_width("Layer", shape.layers));
    select_part(ui, state, names + "layer", "Layer", shape.layers, &HeadAddress::layer);
  }
  if (shape.samples > 1) {
    flow.next(numbered_choice_width("Sample", shape.samples));
    select_part(ui, state, names + "sample", "Sample", shape.samples, &HeadAddress::sample);
  }
}

void head_selectors(Ui& ui, const AppState& state, std::string_view prefix, Flow& flow) {
  layer_selectors(ui, state, prefix, flow);
  const AttentionShape shape = shown_shape(state);
  const std::string names(prefix);
  const auto select_head = [&] {
    select_part(ui, state, names + "head", "Head", shape.heads, &HeadAddress::head);
  };
  if (shape.heads < 2) return;
  const bool arrows = ImGui::GetWindowWidth() >= ui.px(kArrowsFrom);
  const float arrow = arrows ? ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x : 0.0F;
  flow.next(2 * arrow + numbered_choice_width("Head", shape.heads));
  // Other plots show heads whatever stage the heatmap is at.
  if (shown_plot_uses(state, "stage") && !stage_info(focused_view(state).options.stage).per_head) {
    button(ui, names + "head", "All heads",
           {.enabled = false,
            .disabled_reason = "This stage joins all heads",
            .width = (2 * arrow + numbered_choice_width("Head", shape.heads)) / ui.scale});
    return;
  }
  if (!arrows) return select_head();
  if (arrow_button(ui, ImGuiDir_Left, names + "previous_head", true, "Previous head  [")) {
    ui.send(command::StepHead{-1});
  }
  ImGui::SameLine();
  select_head();
  ImGui::SameLine();
  if (arrow_button(ui, ImGuiDir_Right, names + "next_head", true, "Next head  ]")) {
    ui.send(command::StepHead{1});
  }
}

}  // namespace attn::gui
