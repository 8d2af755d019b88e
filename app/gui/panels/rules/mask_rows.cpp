// Rules by distance, and biases.
#include "gui/panels/rules/mask_rows.h"

#include "attention/mask.h"
#include "gui/panels/controls.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr std::size_t kBuckets = 32;  // of a relative bias, as T5 has

template <class Change>
void change_mask(Ui& ui, const AppState& state, Change part) {
  Mask mask = shown_mask(state);
  part(mask);
  ui.send(command::SetMask{std::move(mask), ui.field_gesture});
}

void window_fields(Ui& ui, const AppState& state, FieldInteractions& fields) {
  const Window& window = *shown_mask(state).window;
  const auto set = [&](auto member, const auto& value) {
    change_mask(ui, state, [&](Mask& mask) { (*mask.window).*member = value; });
  };
  ImGui::Indent(ui.px(12));
  if (const auto left =
          reach_row(ui, {"masks/window_left", "Back", "Keys before the query", "keys"}, window.left,
                    fields)) {
    set(&Window::left, *left);
  }
  if (const auto right =
          reach_row(ui, {"masks/window_right", "Ahead", "Keys after the query", "keys"},
                    window.right, fields)) {
    set(&Window::right, *right);
  }
  if (const auto dilation =
          count_row(ui, {"masks/dilation", "Every", "Only every n-th key around the query", "keys"},
                    window.dilation, 1, fields)) {
    set(&Window::dilation, *dilation);
  }
  if (const auto sinks = count_row(
          ui,
          {"masks/sink_tokens", "First keys kept", "So many first keys escape the window", "keys"},
          shown_mask(state).sink_tokens, 0, fields)) {
    change_mask(ui, state, [&](Mask& mask) { mask.sink_tokens = *sinks; });
  }
  ImGui::Unindent(ui.px(12));
}

void window_rows(Ui& ui, const AppState& state, FieldInteractions& fields) {
  const Mask& mask = shown_mask(state);
  if (const auto on = checkbox(ui, "masks/window", "Sliding window", mask.window.has_value(),
                               "A query sees only keys near its own position")) {
    ui.send(command::SetMask{with_window(state, *on)});
  }
  if (mask.window) window_fields(ui, state, fields);
}

void prefix_row(Ui& ui, const AppState& state, FieldInteractions& fields) {
  const Mask& mask = shown_mask(state);
  if (!mask.causal) return;
  const std::uint64_t prefix = mask.prefix_of(focused_view(state).options.at.sample);
  if (const auto length = count_row(
          ui, {"masks/prefix", "Prefix", "So many first keys are seen by every query", "keys"},
          prefix, 0, fields)) {
    change_mask(ui, state, [&](Mask& changed) {
      changed.prefix.clear();
      if (*length > 0) changed.prefix.push_back(*length);
    });
  }
}

// Segments of a self-attention: one number for each token.
void segments_row(Ui& ui, const AppState& state, FieldInteractions& fields) {
  const Mask& mask = shown_mask(state);
  if (!keys_are_queries(state)) return;
  static const std::vector<std::int64_t> kNone;
  const std::size_t sample =
      mask.query_segments.size() < 2 ? 0 : focused_view(state).options.at.sample;
  const std::vector<std::int64_t>& numbers =
      mask.query_segments.empty() ? kNone : mask.query_segments[sample];
  const RowWords words{"masks/segments", "Segments",
                       "A number for each token, such as 0 0 1 1: a query sees only keys of its "
                       "own segment"};
  const auto entered = integers_row(ui, words, numbers, fields);
  if (!entered) return;
  change_mask(ui, state, [&](Mask& changed) {
    changed.key_segments.clear();
    changed.query_segments.clear();
    if (!entered->empty()) changed.query_segments = {*entered};
  });
}

void bias_rows(Ui& ui, const AppState& state) {
  const Mask& mask = shown_mask(state);
  if (const auto on = checkbox(ui, "masks/alibi", "ALiBi", mask.alibi.has_value(),
                               "Lowers each score by slope · distance; every head has its slope")) {
    ui.send(command::SetMask{with_alibi(state, *on)});
  }
  if (const auto on = checkbox(ui, "masks/relative", "Relative buckets", mask.relative.has_value(),
                               "Adds a number for the distance between query and key, as T5 does; "
                               "edit them under Inputs, R")) {
    ui.send(command::SetMask{with_relative_buckets(state, *on)});
  }
}

}  // namespace

Mask with_window(const AppState& state, bool on) {
  Mask mask = shown_mask(state);
  mask.window = on ? std::optional(Window{2, 2, 1}) : std::nullopt;
  mask.sink_tokens = 0;
  return mask;
}

Mask with_alibi(const AppState& state, bool on) {
  Mask mask = shown_mask(state);
  mask.alibi = on ? std::optional(std::vector<float>{}) : std::nullopt;
  return mask;
}

Mask with_relative_buckets(const AppState& state, bool on) {
  Mask mask = shown_mask(state);
  mask.relative.reset();
  if (!on) return mask;
  const std::size_t heads = shape_of(state.document).heads;
  mask.relative.emplace();
  mask.relative->table = Tensor({kBuckets, heads}, std::vector<float>(kBuckets * heads, 0.0F));
  return mask;
}

void distance_rows(Ui& ui, const AppState& state, FieldInteractions& fields) {
  prefix_row(ui, state, fields);
  window_rows(ui, state, fields);
  segments_row(ui, state, fields);
  if (has_scores(state.document.model)) bias_rows(ui, state);
}

}  // namespace attn::gui
