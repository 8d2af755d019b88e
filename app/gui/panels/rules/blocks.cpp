// Shows and edits norms, activation and number of the transformer blocks.
#include "gui/panels/rules/blocks.h"

#include <array>

#include "base/number_text.h"
#include "gui/panels/controls.h"
#include "session/command.h"

namespace attn::gui {
namespace {

const Stack& stack_of(const AppState& state) { return *attn::stack_of(state.document.model); }

template <class Change>
void change(Ui& ui, const AppState& state, Change part) {
  Stack stack = stack_of(state);
  part(stack);
  ui.send(command::SetModel{std::move(stack)});
}

void norm_rows(Ui& ui, const AppState& state) {
  constexpr std::array<std::string_view, 2> kOrders{"Post-norm", "Pre-norm"};
  constexpr std::array<std::string_view, 2> kKinds{"LayerNorm", "RMSNorm"};
  const Stack& stack = stack_of(state);
  if (const auto order = segmented(
          ui, "blocks/order", kOrders, stack.order == NormOrder::Post ? 0 : 1, [](auto i) {
            return std::string(i == 0 ? "Norms after attention and feed-forward"
                                      : "Norms before attention and feed-forward");
          })) {
    change(ui, state, [&](Stack& s) { s.order = *order == 0 ? NormOrder::Post : NormOrder::Pre; });
  }
  formula_lines(
      ui, stack.order == NormOrder::Post ? "norm(x + part(x))" : "x + part(norm(x))",
      stack.order == NormOrder::Post ? "As in the first transformer" : "As most models of today");
  if (const auto kind =
          segmented(ui, "blocks/norm", kKinds, stack.norm == NormKind::Layer ? 0 : 1, [](auto i) {
            return std::string(i == 0 ? "Takes the mean off and divides by the deviation"
                                      : "Divides by the root of the mean square alone");
          })) {
    change(ui, state, [&](Stack& s) { s.norm = *kind == 0 ? NormKind::Layer : NormKind::Rms; });
  }
  if (const auto on = checkbox(ui, "blocks/final_norm", "Norm after the last block",
                               stack.final_norm.has_value(),
                               "One more norm, of what the last block hands on")) {
    change(ui, state, [&](Stack& s) { s.final_norm = *on ? std::optional(Norm{}) : std::nullopt; });
  }
}

void activation_row(Ui& ui, const AppState& state) {
  const ActivationInfo& current =
      activation_info(stack_of(state).blocks.front().feed_forward.activation);
  std::vector<std::string_view> labels;
  std::size_t selected = 0;
  for (const ActivationInfo& info : all_activations()) {
    if (&info == &current) selected = labels.size();
    labels.push_back(info.label);
  }
  if (const auto chosen = combo(ui, "blocks/activation", "", labels, selected, 0.0F,
                                "What the hidden layer of the feed-forward network goes through")) {
    change(ui, state, [&](Stack& s) {
      s.blocks.front().feed_forward.activation = all_activations()[*chosen].activation;
    });
  }
  rich_text(ui, current.formula, kTextSize, ui.colors().ink);
}

void count_buttons(Ui& ui, const AppState& state) {
  const std::size_t count = stack_of(state).blocks.size();
  if (button(ui, "blocks/add", "Add block", {.tooltip = "A block with generated matrices"})) {
    change(ui, state, [](Stack& s) { s.blocks.emplace_back(); });
  }
  ImGui::SameLine();
  if (button(ui, "blocks/remove", "Remove last",
             {.tooltip = "Takes the last block away, with its matrices",
              .enabled = count > 1,
              .disabled_reason = "One block stays"})) {
    change(ui, state, [](Stack& s) { s.blocks.pop_back(); });
  }
}

}  // namespace

bool has_blocks(const Document& document) { return attn::stack_of(document.model) != nullptr; }

void blocks_panel(Ui& ui, const AppState& state, FieldInteractions& /*fields*/) {
  count_buttons(ui, state);
  norm_rows(ui, state);
  if (attentions_of(state.document).size() > 1) {
    empty_hint(ui, "Each block attends to its own rows, then to the keys; the network follows.");
  }
  section_header(ui, "Feed-forward");
  activation_row(ui, state);
  const Stack& stack = stack_of(state);
  if (stack.dropout > 0.0F) {
    empty_hint(ui, "Dropout " + short_text(static_cast<double>(stack.dropout)) +
                       " in training; off here, so that numbers repeat.");
  }
}

}  // namespace attn::gui
