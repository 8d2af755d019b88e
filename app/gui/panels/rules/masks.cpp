// Masks panel: edits the rules that hide cells, and counts the cells hidden by each.
#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <vector>

#include "attention/mask.h"
#include "base/number_text.h"
#include "base/parsed_number.h"
#include "base/utf8.h"
#include "gui/panels/controls/controls.h"
#include "gui/panels/rules/rules.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr std::size_t kMaxCounted = std::size_t{1} << 22;  // cells

// True if the mask has rules that must be counted cell by cell.
bool needs_cells(const Mask& mask) {
  return mask.window || !mask.query_segments.empty() || !mask.prefix.empty() ||
         !mask.visible.empty() || !mask.bias.empty() || mask.relative;
}

std::uint64_t& count_of(HiddenCounts& counts, HiddenRule rule) {
  return counts.by_rule[static_cast<std::size_t>(std::countr_zero(unsigned{rule}))];
}

void count_row(HiddenCounts& counts, const Mask& mask, const HeadAddress& head, std::size_t q,
               std::span<HiddenRules> rules) {
  counts.hidden += rules.size() - hidden_row(mask, head, q, rules);
  for (const HiddenRuleInfo& info : all_hidden_rules()) {
    count_of(counts, info.rule) += static_cast<std::uint64_t>(
        std::ranges::count_if(rules, [&](HiddenRules cell) { return (cell & info.rule) != 0; }));
  }
}

// Counts cells; of many, only those of a sample of rows, each of which represents the rows around
// it.
void count_cells(HiddenCounts& counts, const Mask& mask, const HeadAddress& head, std::size_t n_q,
                 std::size_t n_k) {
  const std::size_t sampled = std::clamp<std::size_t>(kMaxCounted / n_k, 1, n_q);
  std::vector<HiddenRules> rules(n_k);
  for (std::size_t i = 0; i < sampled; ++i) {
    count_row(counts, mask, head, (2 * i + 1) * n_q / (2 * sampled), rules);
  }
  if (sampled == n_q) return;
  counts.is_estimate = true;
  const auto times = [&](std::uint64_t count) {
    return static_cast<std::uint64_t>(static_cast<double>(count) * static_cast<double>(n_q) /
                                      static_cast<double>(sampled));
  };
  counts.hidden = times(counts.hidden);
  for (std::uint64_t& count : counts.by_rule) count = times(count);
}

// Counts from the number of padded keys, as a mask without other rules allows, so that no loop is
// n_q × n_k long.
void count_by_rows(HiddenCounts& counts, const Mask& mask, std::size_t sample, std::size_t n_q,
                   std::size_t n_k) {
  std::vector<std::uint64_t> padded_before(n_k + 1, 0);
  for (std::size_t k = 0; k < n_k; ++k) {
    padded_before[k + 1] = padded_before[k] + (is_real(mask, {Side::Key, sample, k}) ? 0 : 1);
  }
  const std::int64_t offset = mask.offset_of(sample);
  for (std::size_t q = 0; q < n_q; ++q) {
    const std::int64_t end = static_cast<std::int64_t>(q) + offset + 1;
    const auto seen = static_cast<std::size_t>(std::clamp<std::int64_t>(
        mask.causal ? end : static_cast<std::int64_t>(n_k), 0, static_cast<std::int64_t>(n_k)));
    const bool padded_query = !is_real(mask, {Side::Query, sample, q});
    count_of(counts, kHiddenByCausal) += n_k - seen;
    count_of(counts, kHiddenByKeyPadding) += padded_before[n_k];
    count_of(counts, kHiddenByQueryPadding) += padded_query ? n_k : 0;
    counts.hidden += padded_query ? n_k : n_k - seen + padded_before[seen];
  }
}

constexpr ScalarLimits kOffsetLimits{-static_cast<double>(command::kLargestOffset),
                                     static_cast<double>(command::kLargestOffset), true, false,
                                     "keys"};

constexpr const char* kOffset = "masks/offset";

std::string offset_problem(const std::string& text) {
  const Result<std::int64_t> offset = parse_integer(text);
  if (!offset) return "The offset is a whole number, such as 3 or -1";
  return std::abs(*offset) > command::kLargestOffset ? "Between -1,000,000 and 1,000,000" : "";
}

void offset_row(Ui& ui, const AppState& state, FieldInteractions& fields) {
  const std::int64_t offset = shown_mask(state).offset_of(focused_view(state).options.at.sample);
  FieldValue value{.label = "Offset",
                   .help = "Keys that each query sees ahead of it",
                   .kind = FieldKind::Integer,
                   .text = std::to_string(offset),
                   .problem = offset_problem,
                   .limits = kOffsetLimits};
  const std::optional<std::string> dragged = field_label(ui, kOffset, value, fields);
  ImGui::SameLine();
  const float arrows = 2 * (ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x);
  const float space = (ImGui::GetContentRegionAvail().x - arrows) / ui.scale;
  value.help = "How many keys after its own position a query sees; negative: fewer";
  const std::optional<std::string> typed =
      field_control(ui, kOffset, value, fields,
                    {.width = std::clamp(space, 22.0F, 70.0F), .shows_problem = false});
  if (dragged || typed) {
    ui.send(
        command::SetCausalOffset{*parse_integer(dragged ? *dragged : *typed), ui.field_gesture});
  }
  const auto step = [&](ImGuiDir direction, const char* name, const char* help, std::int64_t by) {
    ImGui::SameLine();
    if (!arrow_button(ui, direction, name, true, help)) return;
    fields.erase(kOffset);
    ui.send(command::SetCausalOffset{offset + by});
  };
  step(ImGuiDir_Left, "masks/offset_less", "One key fewer", -1);
  step(ImGuiDir_Right, "masks/offset_more", "One key more", 1);
  field_problem(ui, kOffset, fields[kOffset]);
}

void causal_row(Ui& ui, const AppState& state, FieldInteractions& fields) {
  const Mask& mask = shown_mask(state);
  if (const auto on = checkbox(ui, "masks/causal", "Causal mask", mask.causal,
                               "Key j is visible to query i when j ≤ i + offset", "C")) {
    ui.send(command::SetCausal{*on});
  }
  if (mask.causal) return offset_row(ui, state, fields);
  fields.erase(kOffset);
}

// Painting itself is started by a button of the plot.
void clear_row(Ui& ui, const AppState& state) {
  Flow flow;
  if (!shown_mask(state).visible.empty()) {
    flow.next(button_width(ui, "Clear painted"));
    button(ui, "masks/clear_painted", "Clear painted",
           {.kind = ButtonKind::Quiet,
            .tooltip = "Shows every cell that was hidden by hand, in all samples",
            .sends = command::ClearMask{true}});
  }
  flow.next(button_width(ui, "Clear all masks"));
  button(ui, "masks/clear", "Clear all masks",
         {.kind = ButtonKind::Quiet,
          .tooltip = "Removes all masks and biases, in all samples",
          .sends = command::ClearMask{}});
}

const HiddenCounts& counts_of(const AppState& state, RulesView& view) {
  const HeadAddress& head = focused_view(state).options.at;
  const Mask& mask = shown_mask(state);
  std::optional<RulesView::Counted>& known = view.counted;
  const bool same_head = known && known->head == head;
  if (same_head && known->revision == state.revision) return known->counts;
  const AttentionShape shape = shown_shape(state);
  if (!same_head || known->shape != shape || known->mask != mask) {
    const Mask whole = with_slopes(mask, shape.heads);
    known = RulesView::Counted{state.revision, head, mask, shape,
                               count_hidden(whole, head, shape.n_q, shape.n_k)};
  }
  known->revision = state.revision;
  return known->counts;
}

// Lines come and go, so they are below all controls.
void hidden_by_rule(Ui& ui, HiddenCounts counts) {
  for (const HiddenRuleInfo& info : all_hidden_rules()) {
    const std::uint64_t count = count_of(counts, info.rule);
    const std::string about = counts.is_estimate ? "About " : "";
    if (count > 0) empty_hint(ui, about + grouped_text(count) + " by " + std::string(info.name));
  }
}

constexpr std::size_t kBuckets = 32;  // of a relative bias, as in T5

template <class Change>
void change_mask(Ui& ui, const AppState& state, Change part) {
  Mask mask = shown_mask(state);
  part(mask);
  ui.send(command::SetMask{std::move(mask), ui.field_gesture});
}

void window_fields(Ui& ui, const AppState& state, FieldInteractions& fields) {
  const Window& window = *shown_mask(state).window;
  const auto set = [&](auto member, const auto& value) {
    if (value) change_mask(ui, state, [&](Mask& mask) { (*mask.window).*member = *value; });
  };
  ImGui::Indent(ui.px(12));
  set(&Window::left, reach_row(ui, {"masks/window_left", "Back", "Keys before the query", "keys"},
                               window.left, fields));
  set(&Window::right, reach_row(ui, {"masks/window_right", "Ahead", "Keys after the query", "keys"},
                                window.right, fields));
  set(&Window::dilation,
      count_row(ui, {"masks/dilation", "Every", "Only every n-th key around the query", "keys"},
                window.dilation, 1, fields));
  if (const auto sinks = count_row(ui,
                                   {"masks/sink_tokens", "First keys kept",
                                    "Leading keys that stay visible outside the window", "keys"},
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
          ui, {"masks/prefix", "Prefix", "Number of leading keys every query can see", "keys"},
          prefix, 0, fields)) {
    change_mask(ui, state, [&](Mask& changed) {
      changed.prefix.clear();
      if (*length > 0) changed.prefix.push_back(*length);
    });
  }
}

// Segments of a self-attention: one number per token.
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
  const auto entered = numbers_row(ui, words, numbers, fields, &parse_integer);
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
                               "Attention with linear biases: subtracts slope · distance from each "
                               "score, with one slope per head")) {
    ui.send(command::SetMask{with_alibi(state, *on)});
  }
  if (const auto on = checkbox(
          ui, "masks/relative", "Relative buckets", mask.relative.has_value(),
          "Adds a number to each score by the distance between query and key, in T5's buckets: one "
          "for each short distance, wider ones farther away. Edit them under Inputs, R")) {
    ui.send(command::SetMask{with_relative_buckets(state, *on)});
  }
}

}  // namespace

bool is_real(const Mask& mask, const TokenHit& token) {
  const PaddingLists& lists = token.side == Side::Key ? mask.key_padding : mask.query_padding;
  if (lists.empty()) return true;
  const auto& list = lists[std::min(token.sample, lists.size() - 1)];
  return token.index >= list.size() || list[token.index] != 0;
}

HiddenCounts count_hidden(const Mask& mask, const HeadAddress& head, std::size_t n_q,
                          std::size_t n_k) {
  HiddenCounts counts;
  counts.cells = static_cast<std::uint64_t>(n_q) * n_k;
  if (!can_hide(mask)) return counts;
  if (needs_cells(mask)) {
    count_cells(counts, mask, head, n_q, n_k);
  } else {
    count_by_rows(counts, mask, head.sample, n_q, n_k);
  }
  return counts;
}

void padding_toggle(Ui& ui, const AppState& state, Side side, std::size_t index, ImVec2 size_px) {
  const Mask& mask = shown_mask(state);
  const std::size_t sample = focused_view(state).options.at.sample;
  const bool key = side == Side::Key;
  const bool real = is_real(mask, {side, sample, index});
  const std::string name = std::string(key ? "masks/key/" : "masks/query/") + std::to_string(index);
  const char* help = key ? "On: real token. Off: padding, hidden from every query"
                         : "On: real token. Off: padding, attends to nothing";
  if (const auto on = tick(ui, name, real, size_px, help)) {
    ui.send(command::SetPadding{side, sample, index, *on});
  }
}

void masks_panel(Ui& ui, const AppState& state, RulesView& view, bool all) {
  if (attentions_of(state.document).size() > 1) {
    const std::string_view label = attention_info(focused_view(state).options.at).label;
    empty_hint(ui, "Mask of the " + in_small_letters(label) + "; X switches to another one");
    ui.mark("masks/attention", label);
  }
  causal_row(ui, state, view.fields);
  prefix_row(ui, state, view.fields);
  window_rows(ui, state, view.fields);
  if (all) segments_row(ui, state, view.fields);
  if (all && has_scores(state.document.model)) bias_rows(ui, state);
  if (shown_mask(state) == Mask{}) return;
  const HiddenCounts& counts = counts_of(state, view);
  const std::string hidden = (counts.is_estimate ? "About " : "") + grouped_text(counts.hidden) +
                             " of " + grouped_text(counts.cells) + " cells hidden";
  empty_hint(ui, hidden, "masks/hidden");
  clear_row(ui, state);
  hidden_by_rule(ui, counts);
}

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

}  // namespace attn::gui
