// Table of extents with their symbols, and table of stages.
#include "attention/stage.h"

#include <algorithm>
#include <array>

#include "base/joined.h"

namespace attn {
namespace {

using S = AttentionShape;

struct ExtentInfo {
  Extent extent;
  std::string_view symbol;
  std::size_t (*of)(const S&);
};

template <auto Member>
constexpr ExtentInfo plain(Extent extent, std::string_view symbol) {
  return {extent, symbol, [](const S& s) { return s.*Member; }};
}

constexpr std::array kExtents = {
    ExtentInfo{Extent::One, "1", [](const S&) { return std::size_t{1}; }},
    plain<&S::layers>(Extent::Layers, "layers"),
    plain<&S::samples>(Extent::Samples, "samples"),
    plain<&S::heads>(Extent::Heads, "h"),
    plain<&S::kv_heads>(Extent::KeyHeads, "h_kv"),
    plain<&S::n_q>(Extent::Queries, "n_q"),
    plain<&S::n_k>(Extent::Keys, "n_k"),
    ExtentInfo{Extent::QueryWidth, "d_q", query_columns},
    plain<&S::d_k>(Extent::KeyWidth, "d_k"),
    plain<&S::d_v>(Extent::ValueWidth, "d_v"),
    ExtentInfo{Extent::AllQueryWidths, "h·d_q",
               [](const S& s) { return s.heads * query_columns(s); }},
    ExtentInfo{Extent::AllKeyWidths, "h_kv·d_k", [](const S& s) { return s.kv_heads * s.d_k; }},
    ExtentInfo{Extent::AllValueWidths, "h_kv·d_v", [](const S& s) { return s.kv_heads * s.d_v; }},
    ExtentInfo{Extent::ConcatWidth, "h·d_v", [](const S& s) { return s.heads * s.d_v; }},
    plain<&S::d_model>(Extent::ModelWidth, "d_model"),
    ExtentInfo{Extent::KeyInputWidth, "d_model", key_embedding_columns},
    ExtentInfo{Extent::ValueInputWidth, "d_model", value_embedding_columns},
    plain<&S::d_out>(Extent::OutputWidth, "d_out"),
    plain<&S::d_ff>(Extent::HiddenWidth, "d_ff"),
    plain<&S::d_a>(Extent::ScoringWidth, "d_a"),
    ExtentInfo{Extent::StateWidth, "d_q", query_columns},
    ExtentInfo{Extent::BothWidths, "(d_q + d_k)",
               [](const S& s) { return query_columns(s) + s.d_k; }},
};
static_assert(is_indexed_by(kExtents, &ExtentInfo::extent));

constexpr std::array<StageInfo, kStageCount> kStages{{
    {Stage::QueryInput, "query_input", "Query input", "X + P",
     "Embeddings of the queries with their positions added", StageRole::Query, StagePlace::Beside,
     Extent::Queries, Extent::ModelWidth},
    {Stage::KeyInput, "key_input", "Key input", "X_K + P",
     "Embeddings of the keys with their positions added", StageRole::Key, StagePlace::Beside,
     Extent::Keys, Extent::KeyInputWidth},
    {Stage::ValueInput, "value_input", "Value input", "X_V + P",
     "Embeddings of the values with their positions added", StageRole::Value, StagePlace::Beside,
     Extent::Keys, Extent::ValueInputWidth},
    {Stage::BlockInput, "block_input", "Block input", "x", "Input of the block", StageRole::Output,
     StagePlace::Block, Extent::Queries, Extent::ModelWidth},
    {Stage::AttentionNorm, "attention_norm", "Attention norm", "norm(x)", "Each row normalised",
     StageRole::Output, StagePlace::Block, Extent::Queries, Extent::ModelWidth},
    {Stage::EncoderCell, "encoder_cell", "Encoder memory", "c_j", "Memory of the encoder's LSTM",
     StageRole::Key, StagePlace::Beside, Extent::Keys, Extent::KeyWidth},
    {Stage::Query, "q", "Query", "Q", "What each position looks for", StageRole::Query,
     StagePlace::Projections, Extent::Queries, Extent::QueryWidth},
    {Stage::Key, "k", "Key", "K", "What each position is matched by", StageRole::Key,
     StagePlace::Projections, Extent::Keys, Extent::KeyWidth},
    {Stage::Value, "v", "Value", "V", "What each position contributes when attended to",
     StageRole::Value, StagePlace::Projections, Extent::Keys, Extent::ValueWidth},
    {Stage::NormedQuery, "q_normed", "Normed query", "RMSNorm(Q)",
     "Queries normalised, so that their lengths do not decide", StageRole::Query,
     StagePlace::Projections, Extent::Queries, Extent::QueryWidth},
    {Stage::NormedKey, "k_normed", "Normed key", "RMSNorm(K)",
     "Keys normalised, so that their lengths do not decide", StageRole::Key,
     StagePlace::Projections, Extent::Keys, Extent::KeyWidth},
    {Stage::RotatedQuery, "q_rotated", "Rotated query", "R(pos) Q",
     "Queries with their columns rotated in pairs by position", StageRole::Query,
     StagePlace::Projections, Extent::Queries, Extent::QueryWidth},
    {Stage::RotatedKey, "k_rotated", "Rotated key", "R(pos) K",
     "Keys with their columns rotated in pairs by position", StageRole::Key,
     StagePlace::Projections, Extent::Keys, Extent::KeyWidth},
    {Stage::Scores, "scores", "Scores", "QKᵀ", "How well each query matches each key",
     StageRole::Scores, StagePlace::Attention, Extent::Queries, Extent::Keys},
    {Stage::Scaled, "scaled", "Scaled", "QKᵀ · scale",
     "Scores times the scale, so that their spread does not grow with d_k", StageRole::Scores,
     StagePlace::Attention, Extent::Queries, Extent::Keys},
    {Stage::Softcapped, "softcapped", "Softcapped", "c · tanh(x / c)",
     "Scaled scores squeezed into (-c, c)", StageRole::Scores, StagePlace::Attention,
     Extent::Queries, Extent::Keys},
    {Stage::Masked, "masked", "Masked", "x + bias, hidden: -∞",
     "Input of the softmax: bias added, hidden cells at -∞", StageRole::Scores,
     StagePlace::Attention, Extent::Queries, Extent::Keys},
    {Stage::Weights, "weights", "Weights", "softmax(x)",
     "The share of each query's attention that each key gets", StageRole::Scores,
     StagePlace::Attention, Extent::Queries, Extent::Keys},
    {Stage::Output, "output", "Output", "weights · V",
     "The mean of the values, weighted by the attention", StageRole::Output, StagePlace::Attention,
     Extent::Queries, Extent::ValueWidth},
    {Stage::Concat, "concat", "Concat", "[head 1 … head h]", "The heads' outputs, concatenated",
     StageRole::Output, StagePlace::Beside, Extent::Queries, Extent::ConcatWidth},
    {Stage::Projected, "projected", "Projected", "concat · W_O + b_O",
     "The heads' outputs mixed into the width of the model", StageRole::Output, StagePlace::Beside,
     Extent::Queries, Extent::OutputWidth},
    {Stage::AttentionOutNorm, "attention_out_norm", "Attention output norm", "norm(attention)",
     "Each row of the attention's output normalised, before it is added", StageRole::Output,
     StagePlace::Block, Extent::Queries, Extent::ModelWidth},
    {Stage::AttentionResidual, "attention_residual", "Attention residual", "x + attention",
     "The block's input plus the output of the attention", StageRole::Output, StagePlace::Block,
     Extent::Queries, Extent::ModelWidth},
    {Stage::CrossNorm, "cross_norm", "Cross-attention norm", "norm(x)", "Each row normalised",
     StageRole::Output, StagePlace::Block, Extent::Queries, Extent::ModelWidth},
    {Stage::CrossOutNorm, "cross_out_norm", "Cross-attention output norm", "norm(attention)",
     "Each row of the attention's output normalised, before it is added", StageRole::Output,
     StagePlace::Block, Extent::Queries, Extent::ModelWidth},
    {Stage::CrossResidual, "cross_residual", "Cross-attention residual", "x + cross-attention",
     "The rows plus the output of the attention to the other sequence", StageRole::Output,
     StagePlace::Block, Extent::Queries, Extent::ModelWidth},
    {Stage::FeedForwardNorm, "feed_forward_norm", "Feed-forward norm", "norm(x)",
     "Each row normalised", StageRole::Output, StagePlace::Block, Extent::Queries,
     Extent::ModelWidth},
    {Stage::Hidden, "hidden", "Hidden", "x · W_1 + b_1", "The hidden units of the network",
     StageRole::Output, StagePlace::Block, Extent::Queries, Extent::HiddenWidth},
    {Stage::Gate, "gate", "Gate", "x · W_gate + b_gate", "Gate of the hidden units",
     StageRole::Output, StagePlace::Block, Extent::Queries, Extent::HiddenWidth},
    {Stage::Activated, "activated", "Activated", "f(hidden)", "Hidden units after the activation",
     StageRole::Output, StagePlace::Block, Extent::Queries, Extent::HiddenWidth},
    {Stage::FeedForward, "feed_forward", "Feed-forward", "activated · W_2 + b_2",
     "Output of the network, added to each position", StageRole::Output, StagePlace::Block,
     Extent::Queries, Extent::ModelWidth},
    {Stage::FeedForwardOutNorm, "feed_forward_out_norm", "Feed-forward output norm",
     "norm(network)", "Each row of the network's output normalised, before it is added",
     StageRole::Output, StagePlace::Block, Extent::Queries, Extent::ModelWidth},
    {Stage::FeedForwardResidual, "feed_forward_residual", "Feed-forward residual", "x + network",
     "Input of the last norm of the block", StageRole::Output, StagePlace::Block, Extent::Queries,
     Extent::ModelWidth},
    {Stage::BlockOutput, "block_output", "Block output", "y",
     "Output of the block, input of the next", StageRole::Output, StagePlace::Block,
     Extent::Queries, Extent::ModelWidth},
    {Stage::FinalNorm, "final_norm", "Final norm", "norm(x)", "The norm after the last block",
     StageRole::Output, StagePlace::Block, Extent::Queries, Extent::ModelWidth},
    {Stage::DecoderState, "decoder_state", "Decoder state", "s_t",
     "The decoder's state after each step", StageRole::Query, StagePlace::Beside, Extent::Queries,
     Extent::StateWidth},
    {Stage::DecoderCell, "decoder_cell", "Decoder memory", "c_t", "Memory of the decoder's LSTM",
     StageRole::Query, StagePlace::Beside, Extent::Queries, Extent::StateWidth},
    {Stage::DecoderOutput, "decoder_output", "Decoder output", "tanh([s_t; c_t] · W + b)",
     "Computed at each step from its state and its context", StageRole::Output, StagePlace::Beside,
     Extent::Queries, Extent::OutputWidth},
    {Stage::FixedState, "fixed_state", "State without attention", "s_t",
     "The same decoder when every step gets the one fixed vector instead of its context",
     StageRole::Query, StagePlace::Beside, Extent::Queries, Extent::StateWidth},
    {Stage::FixedCell, "fixed_cell", "Memory without attention", "c_t",
     "The LSTM's memory in the decoder that gets the one fixed vector", StageRole::Query,
     StagePlace::Beside, Extent::Queries, Extent::StateWidth},
    {Stage::FixedOutput, "fixed_output", "Output without attention", "tanh([s_t; c] · W + b)",
     "Computed at each step from its state and the one fixed vector", StageRole::Output,
     StagePlace::Beside, Extent::Queries, Extent::OutputWidth},
    {Stage::Influence, "influence", "Influence", "‖∂o_t / ∂x_j‖",
     "How much a small change of each source token moves each output", StageRole::Influence,
     StagePlace::Beside, Extent::Queries, Extent::Keys},
    {Stage::FixedInfluence, "fixed_influence", "Influence without attention", "‖∂o_t / ∂x_j‖",
     "How much a small change of each source token moves each output through the one fixed vector",
     StageRole::Influence, StagePlace::Beside, Extent::Queries, Extent::Keys},
    {Stage::Survival, "survival", "Survival", "‖∂c / ∂x_j‖",
     "How much a small change of each source token moves the one fixed vector",
     StageRole::Influence, StagePlace::Beside, Extent::Keys, Extent::One},
}};
static_assert(is_indexed_by(kStages, &StageInfo::stage));

}  // namespace

std::uint64_t layer_number(const AttentionShape& s, std::size_t layer, std::size_t first) {
  return layer < s.layer_numbers.size() ? s.layer_numbers[layer] : layer + first;
}

std::optional<std::size_t> layer_numbered(const AttentionShape& s, std::uint64_t number,
                                          std::size_t first) {
  const auto found = std::ranges::find(s.layer_numbers, number);
  const auto layer = s.layer_numbers.empty()
                         ? number - first
                         : static_cast<std::size_t>(found - s.layer_numbers.begin());
  return layer < s.layers ? std::optional(layer) : std::nullopt;
}

std::string layer_numbers_text(const AttentionShape& s, std::size_t first) {
  constexpr std::size_t kMostListed = 12;
  std::vector<std::string> all;
  for (const std::uint64_t number : s.layer_numbers) all.push_back(std::to_string(number));
  if (!all.empty()) return joined_first(all, kMostListed);
  return std::to_string(first) + " to " + std::to_string(s.layers - 1 + first);
}

std::size_t query_columns(const AttentionShape& s) { return s.d_q == 0 ? s.d_k : s.d_q; }

std::size_t key_embedding_columns(const AttentionShape& s) {
  return s.key_width == 0 ? s.d_model : s.key_width;
}

std::size_t value_embedding_columns(const AttentionShape& s) {
  return s.value_width == 0 ? key_embedding_columns(s) : s.value_width;
}

std::size_t extent_of(const AttentionShape& shape, Extent extent) {
  return kExtents[static_cast<std::size_t>(extent)].of(shape);
}

std::string_view symbol_of(const AttentionShape& shape, Extent extent) {
  if (extent == Extent::QueryWidth && query_columns(shape) == shape.d_k) return "d_k";
  return kExtents[static_cast<std::size_t>(extent)].symbol;
}

std::span<const StageInfo> all_stages() { return kStages; }

const StageInfo& stage_info(Stage stage) { return kStages[index_of(stage)]; }

std::optional<Stage> stage_named(std::string_view name) {
  const auto found = std::ranges::find(kStages, name, &StageInfo::name);
  if (found == kStages.end()) return std::nullopt;
  return found->stage;
}

CellRange part_of(const CellRange& range, std::size_t first, std::size_t rows) {
  return {range.row_at(first), range.col, rows, range.cols, range.row_step};
}

}  // namespace attn
