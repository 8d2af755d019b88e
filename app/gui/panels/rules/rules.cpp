// Tabs of the rules: scoring, positions, blocks and recurrent models.
#include "gui/panels/rules/rules.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "attention/problem.h"
#include "base/joined.h"
#include "base/number_text.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// Limit of hidden units, beyond which the derivatives take too long.
constexpr std::uint64_t kMaxHidden = 512;

const Recurrent& model_of(const AppState& state) {
  return std::get<RecurrentModel>(state.document.model).recurrent;
}

const Stack& stack_of(const AppState& state) { return *attn::stack_of(state.document.model); }

// Sends the model with a change.
template <class Choice, class Change>
void change(Ui& ui, Choice model, Change part) {
  part(model);
  ui.send(command::SetModel{std::move(model), ui.field_gesture});
}

// Formula and sentence of a choice; it may have one of them only.
void formula_lines(Ui& ui, std::string_view formula, std::string_view sentence) {
  if (!formula.empty()) rich_text(ui, formula, kTextSize, ui.colors().ink);
  if (sentence.empty()) return;
  rich_text(ui, ui.text(Wording::Explanation, sentence), kTextSize - 1, ui.colors().muted);
}

// Choice from a table of rows with label, formula and sentence, with the latter two shown below.
template <class Info>
const Info* choice_row(Ui& ui, std::string_view name, std::string_view help,
                       std::span<const Info> table, const Info& selected) {
  const auto current = static_cast<std::size_t>(&selected - table.data());
  const std::optional<std::size_t> chosen =
      combo(ui, name, names_of(table, &Info::label), current, 0.0F, help);
  std::string_view formula, sentence;
  if constexpr (requires { selected.formula; }) formula = selected.formula;
  if constexpr (requires { selected.sentence; }) sentence = selected.sentence;
  formula_lines(ui, formula, sentence);
  return chosen ? &table[*chosen] : nullptr;
}

void cell_row(Ui& ui, const AppState& state) {
  const CellInfo& current = cell_info(model_of(state).cell);
  const auto selected = static_cast<std::size_t>(current.kind);
  if (const auto chosen = segmented(
          ui, "recurrent/cell", names_of(all_cells(), &CellInfo::label), selected, [](auto i) {
            const CellInfo& info = all_cells()[i];
            return std::to_string(info.gates) + " gates" +
                   (info.has_memory ? " and a memory cell" : ", no memory cell");
          })) {
    change(ui, choice_of(model_of(state)),
           [&](RecurrentChoice& c) { c.cell = all_cells()[*chosen].kind; });
  }
  formula_lines(ui, current.formula, "The state after one more token");
}

void encoder_rows(Ui& ui, const AppState& state, FieldInteractions& fields) {
  const RecurrentChoice choice = choice_of(model_of(state));
  if (const auto both = checkbox(
          ui, "recurrent/bidirectional", "Encoder reads in both directions", choice.bidirectional,
          "Keys and values are its forward and backward states, concatenated")) {
    change(ui, choice, [&](RecurrentChoice& c) { c.bidirectional = *both; });
  }
  const RowWords words{"recurrent/hidden", "Units",
                       "Hidden units of each cell, at most 512. Matrices that no longer fit are "
                       "generated from the seed, without biases",
                       "units"};
  if (const auto hidden = count_row(ui, words, choice.hidden, 1, fields, false)) {
    change(ui, choice, [&](RecurrentChoice& c) {
      c.hidden = static_cast<std::size_t>(std::min(*hidden, kMaxHidden));
    });
  }
}

void decoder_rows(Ui& ui, const AppState& state) {
  const Recurrent& model = model_of(state);
  const QueryStateInfo* asking =
      choice_row(ui, "recurrent/asks", "Which decoder state is the query at each step",
                 all_query_states(), query_state_info(model.asks));
  if (asking != nullptr) {
    change(ui, choice_of(model), [&](RecurrentChoice& c) { c.asks = asking->asks; });
  }
  if (const auto outputs = checkbox(ui, "recurrent/outputs", "Outputs o_t", !model.w_output.empty(),
                                    "tanh([s_t; c_t] · W + b)")) {
    change(ui, choice_of(model), [&](RecurrentChoice& c) { c.outputs = *outputs; });
  }
}

void norm_rows(Ui& ui, const AppState& state) {
  struct OrderWords {
    std::string_view label, tooltip, formula, use;
  };
  constexpr std::array<OrderWords, 4> kOrders{{
      {"Post-norm", "Norms after attention and feed-forward", "norm(x + part(x))",
       "As in the original transformer"},
      {"Pre-norm", "Norms before attention and feed-forward", "x + part(norm(x))",
       "As in most current models"},
      {"Both", "Norms before attention and feed-forward, and of what they add",
       "x + norm(part(norm(x)))", "As in Gemma 2"},
      {"Branch", "Norms of what attention and feed-forward add", "x + norm(part(x))",
       "As in OLMo 2"},
  }};
  constexpr std::array<std::string_view, 2> kKinds{"LayerNorm", "RMSNorm"};
  const Stack& stack = stack_of(state);
  const auto current = static_cast<std::size_t>(stack.order);
  if (const auto order =
          segmented(ui, "blocks/order", names_of(kOrders, &OrderWords::label), current,
                    [&](std::size_t i) { return std::string(kOrders[i].tooltip); })) {
    change(ui, stack, [&](Stack& s) {
      s.order = static_cast<NormOrder>(*order);
      s.parallel = s.parallel && s.order != NormOrder::Post;
    });
  }
  formula_lines(ui, kOrders[current].formula, kOrders[current].use);
  if (stack.order != NormOrder::Post) {
    if (const auto on = checkbox(ui, "blocks/parallel", "Attention and network in parallel",
                                 stack.parallel, "Both read the block's input")) {
      change(ui, stack, [&](Stack& s) { s.parallel = *on; });
    }
  }
  if (const auto kind =
          segmented(ui, "blocks/norm", kKinds, stack.norm == NormKind::Layer ? 0 : 1,
                    explained({"Subtracts the mean and divides by the standard deviation",
                               "Divides by the root mean square only"}))) {
    change(ui, stack, [&](Stack& s) { s.norm = *kind == 0 ? NormKind::Layer : NormKind::Rms; });
  }
  if (const auto on =
          checkbox(ui, "blocks/embedding_norm", "Norm of the embeddings",
                   stack.embedding_norm.has_value(), "Adds a norm before the first block")) {
    change(ui, stack,
           [&](Stack& s) { s.embedding_norm = *on ? std::optional(Norm{}) : std::nullopt; });
  }
  if (const auto on = checkbox(ui, "blocks/final_norm", "Norm after the last block",
                               stack.final_norm.has_value(), "Adds a norm after the last block")) {
    change(ui, stack, [&](Stack& s) { s.final_norm = *on ? std::optional(Norm{}) : std::nullopt; });
  }
}

void activation_row(Ui& ui, const AppState& state) {
  const Stack& stack = stack_of(state);
  const ActivationInfo* chosen =
      choice_row(ui, "blocks/activation", "Activation of the feed-forward network's hidden layer",
                 all_activations(), activation_info(stack.blocks.front().feed_forward.activation));
  if (chosen == nullptr) return;
  change(ui, stack,
         [&](Stack& s) { s.blocks.front().feed_forward.activation = chosen->activation; });
}

void count_buttons(Ui& ui, const AppState& state) {
  const Stack& stack = stack_of(state);
  if (button(ui, "blocks/add", "Add block", {.tooltip = "Adds a block with generated matrices"})) {
    change(ui, stack, [](Stack& s) { s.blocks.emplace_back(); });
  }
  ImGui::SameLine();
  if (button(ui, "blocks/remove", "Remove last",
             {.tooltip = "Removes the last block with its matrices",
              .enabled = stack.blocks.size() > 1,
              .disabled_reason = "At least one block is needed"})) {
    change(ui, stack, [](Stack& s) { s.blocks.pop_back(); });
  }
}

// Sends a scoring or position with one member changed, if there is a new value.
template <class Part, class Member>
void change(Ui& ui, Part part, Member Part::*member,
            std::type_identity_t<std::optional<Member>> value) {
  if (!value) return;
  using Set =
      std::conditional_t<std::is_same_v<Part, Scoring>, command::SetScoring, command::SetPosition>;
  part.*member = *std::move(value);
  ui.send(Set{std::move(part), ui.field_gesture});
}

void kind_rows(Ui& ui, const AppState& state) {
  const Position& position = state.document.position;
  const PositionKindInfo* chosen = choice_row(ui, "positions/kind", "How positions enter attention",
                                              all_position_kinds(), position_info(position.kind));
  if (chosen == nullptr) return;
  ui.send(command::SetPosition{usual_position(chosen->kind)});
}

void layout_row(Ui& ui, const AppState& state) {
  constexpr std::array<std::string_view, 2> kLabels{"Interleaved", "Halves"};
  const auto current = static_cast<std::size_t>(state.document.position.layout);
  if (const auto chosen = segmented(
          ui, "positions/layout", kLabels, current,
          explained({"Rotates columns 1 and 2 together, 3 and 4, and so on",
                     "Rotates each column of the first half with one of the second half"}))) {
    change(ui, state.document.position, &Position::layout, static_cast<PositionLayout>(*chosen));
  }
}

void change_row(Ui& ui, const AppState& state, const RowWords& words, float Position::*member,
                FieldInteractions& fields) {
  const Position& position = state.document.position;
  change(ui, position, member, number_row(ui, words, position.*member, fields, true));
}

// The position with another scaling, and usual values of what that needs.
Position with_scaling(Position position, RopeScaling scaling, const AttentionShape& shape) {
  const RopeScalingInfo& info = rope_scaling_info(scaling);
  position.scaling = scaling;
  if (info.has_factor && position.factor == 1.0F) position.factor = 2.0F;
  if (info.has_original && position.original == 0) {
    position.original = std::max<std::uint64_t>(shape.n_q / 2, 2);
  }
  const std::size_t pairs = rotary_width(position, shape.d_k) / 2;
  if (info.has_factors && position.factors.size() != pairs) {
    position.factors.assign(pairs, position.factor);
    position.short_factors.clear();
  }
  return position;
}

void rope_rows(Ui& ui, const AppState& state, FieldInteractions& fields) {
  const Position& position = state.document.position;
  const std::vector<std::string_view> labels =
      names_of(all_rope_scalings(), &RopeScalingInfo::label);
  const auto current = static_cast<std::size_t>(position.scaling);
  constexpr std::size_t kInRow = 3;  // as many fit in one row
  for (std::size_t first = 0; first < labels.size(); first += kInRow) {
    const auto sentence_of = [first](std::size_t i) {
      return std::string(all_rope_scalings()[first + i].sentence);
    };
    if (const auto chosen =
            segmented(ui, "positions/scaling", std::span(labels).subspan(first, kInRow),
                      current - first, sentence_of)) {
      const RopeScaling scaling = all_rope_scalings()[first + *chosen].scaling;
      ui.send(command::SetPosition{with_scaling(position, scaling, shape_of(state.document))});
    }
  }
  if (!rope_scaling_info(position.scaling).has_factor) return;
  change_row(
      ui, state,
      {"positions/factor", "Factor", "Sequence length divided by the trained length", "a factor"},
      &Position::factor, fields);
}

void function_rows(Ui& ui, const AppState& state) {
  const Scoring& scoring = state.document.scoring;
  const ScoringFunctionInfo* chosen =
      choice_row(ui, "scoring/function", "How a query and a key give a score",
                 all_scoring_functions(), scoring_info(scoring.function));
  if (chosen != nullptr) change(ui, scoring, &Scoring::function, chosen->function);
}

void scale_row(Ui& ui, const AppState& state, FieldInteractions& fields) {
  const Scoring& scoring = state.document.scoring;
  const double usual = usual_scale(scoring.function, shape_of(state.document).d_k);
  const bool by_root = scoring_info(scoring.function).scaled_by_width;
  const std::string label = by_root ? "Scale 1/√d_k = " + short_text(usual) : "Scale 1";
  if (const auto on = checkbox(ui, "scoring/usual_scale", label, !scoring.scale.has_value(),
                               "The usual scale; turn off to enter another")) {
    change(ui, scoring, &Scoring::scale, *on ? std::nullopt : std::optional(by_root ? 1.0F : 0.5F));
  }
  if (!scoring.scale) return;
  if (const auto scale =
          number_row(ui, {"scoring/scale", "Scale", "Scores are multiplied by this", "a factor"},
                     *scoring.scale, fields)) {
    change(ui, scoring, &Scoring::scale, std::optional(*scale));
  }
}

void normaliser_rows(Ui& ui, const AppState& state, FieldInteractions& fields) {
  const Scoring& scoring = state.document.scoring;
  const NormaliserInfo* chosen =
      choice_row(ui, "scoring/normaliser", "How the scores of a row become weights",
                 all_normalisers(), normaliser_info(scoring.normaliser));
  if (chosen != nullptr) ui.send(command::SetScoring{with_normaliser(scoring, chosen->normaliser)});
  change(ui, scoring, &Scoring::temperature,
         optional_number_row(ui,
                             {"scoring/temperature", "Temperature",
                              "Divides the logits: below 1 sharpens, above 1 flattens"},
                             scoring.temperature, 1.0F, fields));
  if (scoring.temperature) {
    formula_lines(ui, "", "x in the formula is the logit divided by the temperature");
  }
  if (!normaliser_info(scoring.normaliser).exponentials) return;
  const RowWords sinks{"scoring/sinks", "Sinks",
                       "Attention sinks: extra logits that take a share of each softmax and add "
                       "nothing to the output; one for all heads, or one per head"};
  change(ui, scoring, &Scoring::sinks,
         numbers_row(ui, sinks, scoring.sinks, fields, &parse_number));
}

void recurrent_panel(Ui& ui, const AppState& state, FieldInteractions& fields) {
  cell_row(ui, state);
  section_header(ui, "Encoder");
  encoder_rows(ui, state, fields);
  section_header(ui, "Decoder");
  decoder_rows(ui, state);
}

// Names the blocks that have a rule of their own, as that of the other tabs is not theirs.
template <class Has>
void own_rule_hint(Ui& ui, const Stack& stack, const char* rule, Has has) {
  constexpr std::size_t kMostNamed = 8;
  std::vector<std::string> blocks;
  for (std::size_t layer = 0; layer < stack.blocks.size(); ++layer) {
    if (has(stack.blocks[layer].rules)) blocks.push_back(std::to_string(layer + 1));
  }
  if (blocks.empty()) return;
  empty_hint(ui, "Blocks with " + std::string(rule) +
                     " of their own: " + joined_first(blocks, kMostNamed) + ".");
}

void own_rule_hints(Ui& ui, const Stack& stack) {
  own_rule_hint(ui, stack, "a window",
                [](const BlockRules& rules) { return rules.window.has_value(); });
  own_rule_hint(ui, stack, "a position",
                [](const BlockRules& rules) { return rules.position.has_value(); });
  own_rule_hint(ui, stack, "sinks", [](const BlockRules& rules) { return !rules.sinks.empty(); });
}

void blocks_panel(Ui& ui, const AppState& state) {
  count_buttons(ui, state);
  norm_rows(ui, state);
  if (attentions_of(state.document).size() > 1) {
    empty_hint(ui, "Each block attends to its own rows, then to the keys; then comes the network.");
  }
  const Stack& stack = stack_of(state);
  own_rule_hints(ui, stack);
  section_header(ui, "Feed-forward");
  activation_row(ui, state);
  if (stack.dropout > 0.0F) {
    empty_hint(ui, "Dropout " + short_text(static_cast<double>(stack.dropout)) +
                       " in training; off here, so that numbers repeat.");
  }
}

void positions_panel(Ui& ui, const AppState& state, FieldInteractions& fields) {
  if (!has_scores(state.document.model)) {
    return empty_hint(ui, "The weights of this document are given, so positions have no effect.");
  }
  const std::string_view reason = info_of(state.document.model).no_positions;
  if (!reason.empty()) return empty_hint(ui, control_label(reason, {}) + ".");
  kind_rows(ui, state);
  if (attentions_of(state.document).size() > 1) {
    empty_hint(ui, "Positions of the decoder's own rows; the keys were encoded before.");
  }
  if (!position_info(state.document.position.kind).waves) return;
  layout_row(ui, state);
  change_row(ui, state,
             {"positions/base", "Base", "Pair i of d columns has the wavelength 2π · base^(2i/d)",
              "tokens"},
             &Position::base, fields);
  if (is_turned(state.document.position)) rope_rows(ui, state, fields);
}

void scoring_panel(Ui& ui, const AppState& state, FieldInteractions& fields) {
  if (!has_scores(state.document.model)) {
    return empty_hint(ui, "The weights of this document are given, so nothing is scored.");
  }
  function_rows(ui, state);
  scale_row(ui, state, fields);
  const Scoring& scoring = state.document.scoring;
  change(ui, scoring, &Scoring::softcap,
         optional_number_row(ui,
                             {"scoring/softcap", "Softcap",
                              "Soft limit: keeps scores within ±c by c · tanh(x / c)"},
                             scoring.softcap, 30.0F, fields));
  section_header(ui, "Normaliser");
  normaliser_rows(ui, state, fields);
}

bool is_recurrent(const AppState& state) {
  return std::holds_alternative<RecurrentModel>(state.document.model);
}

// True if the document has a rule that is shown on request only.
bool has_rare_rules(const AppState& state) {
  const Document& document = state.document;
  const Mask& mask = shown_mask(state);
  const bool rare_mask =
      !mask.query_segments.empty() || mask.alibi || mask.relative || !mask.bias.empty();
  return rare_mask || document.scoring != Scoring{} || document.position != Position{} ||
         attn::stack_of(document.model) != nullptr || is_recurrent(state);
}

void rule_tabs(Ui& ui, const AppState& state, RulesView& view) {
  std::vector<std::string_view> kinds{"Masks", "Scoring", "Positions"};
  if (attn::stack_of(state.document.model) != nullptr) kinds.push_back("Blocks");
  if (is_recurrent(state)) kinds.push_back("Recurrent");
  if (view.tab >= kinds.size()) view.tab = 0;
  const auto chosen =
      tabs(ui, "rules", kinds, view.tab,
           explained({"Which keys a query may see", "How scores are made of queries and keys",
                      "Positions of the tokens", "Settings of the model as a whole"}));
  view.tab = chosen.value_or(view.tab);
}

void more_button(Ui& ui, const AppState& state) {
  Sides sides = state.preferences.sides;
  sides.more_rules = true;
  button(ui, "rules/more", "Scoring, positions, more rules",
         {.kind = ButtonKind::Quiet,
          .tooltip = "Shows all rules of masks, how scores are made, and positions; View › More "
                     "rules hides them again",
          .sends = command::SetSides{sides}});
}

}  // namespace

Position usual_position(PositionKind kind) {
  Position position;
  position.kind = kind;
  position.layout = position_info(kind).usual_layout;
  return position;
}

Scoring with_normaliser(Scoring scoring, Normaliser normaliser) {
  scoring.normaliser = normaliser;
  if (!normaliser_info(normaliser).exponentials) scoring.sinks.clear();
  return scoring;
}

bool shows_all_rules(const AppState& state) {
  return state.preferences.sides.more_rules || is_in_lesson(state) || has_rare_rules(state);
}

void rules_panel(Ui& ui, const AppState& state, RulesView& view) {
  const bool all = shows_all_rules(state);
  if (!all) {
    section_header(ui, "Rules");
    view.tab = 0;
  } else {
    rule_tabs(ui, state, view);
  }
  // A child window per tab: the tabs stay above the scrolled part, and each keeps its scroll
  // position.
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(6), ui.px(2.5F)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(7), ui.px(4)));
  const float top = ImGui::GetWindowPos().y - ImGui::GetScrollY();
  ImGui::BeginChild(("rules/" + std::to_string(view.tab) + "/content").c_str());
  if (view.tab == 0) masks_panel(ui, state, view, all);
  if (view.tab == 1) scoring_panel(ui, state, view.fields);
  if (view.tab == 2) positions_panel(ui, state, view.fields);
  if (view.tab == 3 && attn::stack_of(state.document.model) != nullptr) blocks_panel(ui, state);
  if (view.tab == 3 && is_recurrent(state)) recurrent_panel(ui, state, view.fields);
  if (!all) more_button(ui, state);
  const float bottom = ImGui::GetWindowPos().y + ImGui::GetCursorPosY();
  view.content = (bottom - top + ImGui::GetStyle().WindowPadding.y) / ui.scale;
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
}

}  // namespace attn::gui
