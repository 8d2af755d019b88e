// The words on what changes of structures keep, for the guide and for help, and which of them are
// of a change.
#include <algorithm>
#include <array>
#include <initializer_list>

#include "document/edit/structure_change.h"

namespace attn {
namespace {

bool is_one_of_kinds(StructureKind kind, std::initializer_list<StructureKind> kinds) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

bool projects_embeddings(StructureKind kind) {
  return is_one_of_kinds(kind,
                         {StructureKind::Layer, StructureKind::Blocks, StructureKind::Decoder});
}

// Whether heads, widths and layers are of the same numbers before and after.
bool numbers_stay(const Structure& before, const Structure& after) {
  if (before.kind == after.kind) return true;
  if (before.kind == StructureKind::Cells || after.kind == StructureKind::Cells) return false;
  return before.kind != StructureKind::Weights &&
         (before.kind != StructureKind::Qkv || after.kind == StructureKind::Weights);
}

// Otherwise what is said of the kinds says it.
bool is_chosen_by_both(std::string_view name, const Structure& before, const Structure& after) {
  const auto fields = all_structure_fields();
  const auto& field = *std::ranges::find(fields, name, &StructureField::name);
  return (name == "samples" || numbers_stay(before, after)) && applies(field, before.kind) &&
         applies(field, after.kind);
}

// Of the field that sets the member.
template <auto Member>
std::string_view name_of_field() {
  Structure structure;
  structure.*Member += 2;
  const auto fields = all_structure_fields();
  return std::ranges::find_if(fields,
                              [&](const StructureField& field) {
                                return field.get(structure) != field.get(Structure());
                              })
      ->name;
}

template <auto Member>
bool is_more(const Structure& before, const Structure& after) {
  return after.*Member > before.*Member &&
         is_chosen_by_both(name_of_field<Member>(), before, after);
}
template <auto Member>
bool is_less(const Structure& before, const Structure& after) {
  return after.*Member < before.*Member &&
         is_chosen_by_both(name_of_field<Member>(), before, after);
}

// Key-value heads that are as many as the heads go with them.
bool shares_otherwise(const Structure& before, const Structure& after) {
  const bool go_with_heads =
      before.key_value_heads == before.heads && after.key_value_heads == after.heads;
  return before.key_value_heads != after.key_value_heads && !go_with_heads &&
         is_chosen_by_both("key_value_heads", before, after);
}

bool widens(const Structure& before, const Structure& after) {
  return is_more<&Structure::d_k>(before, after) || is_more<&Structure::d_v>(before, after) ||
         is_more<&Structure::d_model>(before, after);
}
bool narrows(const Structure& before, const Structure& after) {
  return is_less<&Structure::d_k>(before, after) || is_less<&Structure::d_v>(before, after) ||
         is_less<&Structure::d_model>(before, after);
}

template <StructureKind From, StructureKind To>
bool is_change(const Structure& before, const Structure& after) {
  return before.kind == From && after.kind == To;
}
template <StructureKind To>
bool becomes(const Structure& before, const Structure& after) {
  return before.kind != To && after.kind == To;
}

// A decoder gets and loses the attention to the keys, which has rules of its own.
bool becomes_two(const Structure& before, const Structure& after) {
  return !before.cross && after.cross && after.kind != StructureKind::Decoder &&
         numbers_stay(before, after);
}
bool becomes_one(const Structure& before, const Structure& after) {
  return before.cross && !after.cross && before.kind != StructureKind::Decoder;
}
bool gets_keys(const Structure& before, const Structure& after) {
  return !before.cross && after.kind == StructureKind::Decoder;
}
bool loses_keys(const Structure& before, const Structure& after) {
  return before.kind == StructureKind::Decoder && !after.cross;
}

bool becomes_qkv(const Structure& before, const Structure& after) {
  return becomes<StructureKind::Qkv>(before, after) && before.kind != StructureKind::Weights;
}
bool leaves_weights(const Structure& before, const Structure& after) {
  return becomes<StructureKind::Weights>(after, before);
}
bool leaves_qkv(const Structure& before, const Structure& after) {
  return before.kind == StructureKind::Qkv && projects_embeddings(after.kind);
}

// Of one sequence; what attends to a second one does so in a decoder too.
bool layer_to_blocks(const Structure& before, const Structure& after) {
  const bool across = before.cross && after.cross;
  return before.kind == StructureKind::Layer && !across &&
         is_one_of_kinds(after.kind, {StructureKind::Blocks, StructureKind::Decoder});
}
bool blocks_to_layer(const Structure& before, const Structure& after) {
  const bool across = before.cross && after.cross;
  return after.kind == StructureKind::Layer && !across &&
         is_one_of_kinds(before.kind, {StructureKind::Blocks, StructureKind::Decoder});
}
bool between_cross_layer_and_decoder(const Structure& before, const Structure& after) {
  return before.cross && after.cross &&
         (is_change<StructureKind::Layer, StructureKind::Decoder>(before, after) ||
          is_change<StructureKind::Decoder, StructureKind::Layer>(before, after));
}

// What holds numbers that others compute has rules of its own.
bool concerns_cells(const Structure& before, const Structure& after) {
  return (before.kind == StructureKind::Cells && projects_embeddings(after.kind)) ||
         (becomes<StructureKind::Cells>(before, after) && before.kind != StructureKind::Weights);
}

struct RuleOfChange {
  StructureRule rule;
  bool (*concerns)(const Structure& before, const Structure& after);
};

constexpr std::array<RuleOfChange, 21> kStructureRules{{
    {{"more heads", "the numbers of all heads",
      "columns of `w_q`, `w_k`, `w_v` and rows of `w_o`; Q, K, V or weights of the new heads",
      "nothing"},
     is_more<&Structure::heads>},
    {{"fewer heads", "the first heads", "nothing", "the last heads"}, is_less<&Structure::heads>},
    {{"other key-value heads", "the first of them, in each head their columns",
      "those that come in", "the last ones"},
     shares_otherwise},
    {{"larger d_k, d_v or d_model",
      "the first columns of every head, and the first rows of matrices",
      "the columns and rows that come in", "nothing"},
     widens},
    {{"smaller d_k, d_v or d_model", "the first columns and rows", "nothing", "the last ones"},
     narrows},
    {{"more samples", "all samples",
      "rows of the new ones, which have the first one's tokens, padding and lengths", "nothing"},
     is_more<&Structure::samples>},
    {{"fewer samples", "the first ones", "nothing", "the last ones"}, is_less<&Structure::samples>},
    {{"more layers", "all layers", "the new ones behind them", "nothing"},
     is_more<&Structure::layers>},
    {{"fewer layers", "the first ones", "nothing", "the last ones"}, is_less<&Structure::layers>},
    {{"one sequence to two",
      "all numbers; the keys begin as a copy of the queries' tokens and embeddings", "nothing",
      "nothing"},
     becomes_two},
    {{"two sequences to one",
      "the queries' side; K, V and columns of weights where both sides are as long, else those of "
      "the same tokens",
      "K, V and weights of other tokens", "the keys' tokens and embeddings"},
     becomes_one},
    {{"anything to finished weights",
      "the weights of all layers as they are computed, of a decoder those to the keys, or its own "
      "with one sequence; the mask marks cells",
      "nothing", "scoring, positions and all other numbers"},
     becomes<StructureKind::Weights>},
    {{"anything but weights to Q, K and V",
      "Q, K and V as they are computed, in blocks those of the first; the mask, scoring and rope",
      "nothing", "output projection, networks and what they were computed from"},
     becomes_qkv},
    {{"finished weights to another kind", "tokens and the mask", "all numbers", "the weights"},
     leaves_weights},
    {{"Q, K and V to a layer or blocks", "tokens, mask and scoring", "embeddings and projections",
      "Q, K and V"},
     leaves_qkv},
    {{"a layer to blocks", "embeddings and projections, which are those of the first block",
      "the network, and `w_o` where there is none", "embeddings of values"},
     layer_to_blocks},
    {{"blocks to a layer", "embeddings, and the projections of the first block", "nothing",
      "networks, norms and the other blocks"},
     blocks_to_layer},
    {{"blocks to a decoder", "all blocks; the mask is that of their own attention then",
      "the attention to the keys, which begin as a copy of the queries' tokens", "nothing"},
     gets_keys},
    {{"a decoder to blocks", "all blocks and the mask of their own attention", "nothing",
      "the attention to the keys, its mask, the keys' tokens and embeddings"},
     loses_keys},
    {{"a layer with two sequences to a decoder, or back", "the attention to the keys and its mask",
      "of a decoder the blocks' own attention and network", "of a decoder these"},
     between_cross_layer_and_decoder},
    {{"anything to or from an encoder–decoder of cells", "tokens, embeddings and the mask",
      "cells, or projections", "projections, or cells; positions"},
     concerns_cells},
}};

constexpr auto kStructureRuleWords = [] {
  std::array<StructureRule, kStructureRules.size()> words{};
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = kStructureRules[i].rule;
  return words;
}();

}  // namespace

std::span<const StructureRule> all_structure_rules() { return kStructureRuleWords; }

std::vector<const StructureRule*> rules_of_change(const Structure& before, const Structure& after) {
  std::vector<const StructureRule*> rules;
  for (std::size_t i = 0; i < kStructureRules.size(); ++i) {
    if (kStructureRules[i].concerns(before, after)) rules.push_back(&kStructureRuleWords[i]);
  }
  return rules;
}

}  // namespace attn
