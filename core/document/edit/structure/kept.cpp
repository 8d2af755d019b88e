// The words on what changes of structures keep, for the guide and for help.
#include <array>

#include "document/edit/structure.h"

namespace attn {
namespace {

constexpr std::array<StructureRule, 21> kRules{{
    {"more heads", "the numbers of all heads",
     "columns of `w_q`, `w_k`, `w_v` and rows of `w_o`; Q, K, V or weights of the new heads",
     "nothing"},
    {"fewer heads", "the first heads", "nothing", "the last heads"},
    {"other key-value heads", "the first of them, in each head their columns", "those that come in",
     "the last ones"},
    {"larger d_k, d_v or d_model",
     "the first columns of every head, and the first rows of matrices",
     "the columns and rows that come in", "nothing"},
    {"smaller d_k, d_v or d_model", "the first columns and rows", "nothing", "the last ones"},
    {"more samples", "all samples",
     "rows of the new ones, which have the first one's tokens, padding and lengths", "nothing"},
    {"fewer samples", "the first ones", "nothing", "the last ones"},
    {"more layers", "all layers", "the new ones behind them", "nothing"},
    {"fewer layers", "the first ones", "nothing", "the last ones"},
    {"one sequence to two",
     "all numbers; the keys begin as a copy of the queries' tokens and embeddings", "nothing",
     "nothing"},
    {"two sequences to one",
     "the queries' side; K, V and columns of weights where both sides are as long, else those of "
     "the same tokens",
     "K, V and weights of other tokens", "the keys' tokens and embeddings"},
    {"anything to finished weights",
     "the weights of all layers as they are computed, of a decoder those to the keys, or its own "
     "with one sequence; the mask marks cells",
     "nothing", "scoring, positions and all other numbers"},
    {"anything but weights to Q, K and V",
     "Q, K and V as they are computed, in blocks those of the first; the mask, scoring and rope",
     "nothing", "output projection, networks and what they were computed from"},
    {"finished weights to another kind", "tokens and the mask", "all numbers", "the weights"},
    {"Q, K and V to a layer or blocks", "tokens, mask and scoring", "embeddings and projections",
     "Q, K and V"},
    {"a layer to blocks", "embeddings and projections, which are those of the first block",
     "the network, and `w_o` where there is none", "embeddings of values"},
    {"blocks to a layer", "embeddings, and the projections of the first block", "nothing",
     "networks, norms and the other blocks"},
    {"blocks to a decoder", "all blocks; the mask is that of their own attention then",
     "the attention to the keys, which begin as a copy of the queries' tokens", "nothing"},
    {"a decoder to blocks", "all blocks and the mask of their own attention", "nothing",
     "the attention to the keys, its mask, the keys' tokens and embeddings"},
    {"a layer with two sequences to a decoder, or back", "the attention to the keys and its mask",
     "of a decoder the blocks' own attention and network", "of a decoder these"},
    {"anything to or from an encoder–decoder of cells", "tokens, embeddings and the mask",
     "cells, or projections", "projections, or cells; positions"},
}};

}  // namespace

std::span<const StructureRule> all_structure_rules() { return kRules; }

}  // namespace attn
