// Problem: checked input of the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attention/block.h"
#include "attention/mask.h"
#include "attention/position.h"
#include "attention/recurrent.h"
#include "attention/scoring.h"
#include "attention/stage.h"
#include "attention/what_if.h"
#include "base/tensor.h"

namespace attn {

class AttentionResult;
class PanelStore;
struct ComputeOptions;
struct Vocabulary;

// Small enough to be computed between two frames.
inline constexpr std::uint64_t kMostMaterialisedMapBytes = std::uint64_t{16} << 20U;

struct ProblemKind;
// Problems of one attention, with given queries, keys and values, with embeddings and the one layer
// that projects them, or with finished weights. Other kinds have their rows in kinds/.
extern const ProblemKind kQkvProblems, kLayerProblems, kWeightsProblems;

// Exactly one of the inputs is set, as the kind determines.
struct AttentionProblem {
  const ProblemKind* kind = &kQkvProblems;  // never null
  bool cross = false;  // cross-attention, even if both sequences have equal lengths
  AttentionShape shape;
  Scoring scoring;
  Mask mask;          // ALiBi slopes are filled in (with_slopes)
  Position position;  // added kinds only to embeddings; queries stand at i + offset

  // Queries, keys and values: (samples, heads, n_q, d_q), (samples, kv_heads, n_k, d_k), (samples,
  // kv_heads, n_k, d_v), with several layers behind an axis of these. Values may be absent.
  Tensor q, k, v;

  // Embeddings, of a recurrent model the source as keys and the target as queries: (samples, n,
  // width)
  Tensor query_embeddings, key_embeddings, value_embeddings;
  Projections projections;
  Stack stack;        // with blocks, which have the projections
  Mask self_mask;     // of a decoder's self-attention; with slopes as `mask`, of the last one
  Mask encoder_mask;  // of the encoder's, with given weights
  // Masks of the layers' attentions to their own rows, if some blocks have their own window
  // (with_layer_masks).
  std::vector<Mask> layer_masks;
  std::shared_ptr<const Vocabulary> vocabulary;  // of a language model; null: none
  Interventions what_if;                         // of heads in front of a W_O
  Recurrent recurrent;  // one head, no projections, d_v = d_k = encoder width

  // Given weights: (layers, samples, heads, n_q, n_k), and if these are a cross-attention those of
  // the decoder, of n_q rows and keys, and of the encoder, of n_k, if they are given.
  Tensor weights, self_weights, encoder_weights;

  // Maps of queries by keys are materialised if all of them together take at most this; otherwise
  // they and what follows from them are computed when read.
  std::uint64_t most_materialised_map_bytes = kMostMaterialisedMapBytes;

  // Packed weights that this problem shares with others of its model (shared_panels); null: each
  // computation packs its own.
  std::shared_ptr<PanelStore> panels;

  // Influence is left out if it would take more multiply-adds.
  std::uint64_t most_influence_steps = std::numeric_limits<std::uint64_t>::max();
};

// The problem with the masks of its layers, as the windows of its blocks require.
AttentionProblem with_layer_masks(AttentionProblem problem);

// scoring.scale, or its default: 1/√d_k for ScaledDot, else 1.
float scale_of(const AttentionProblem& problem);

// False for given weights.
bool has_scores(const AttentionProblem& problem);
// True if the head's weights come from its scores: they are not given, nor replaced by a pattern.
bool weighs_scores(const AttentionProblem& problem, const HeadAddress& head);
// True if queries, keys and values are computed; false if they or the weights are given.
bool makes_projections(const AttentionProblem& problem);

// Given tensor of a stage that is not computed; else null. Borrowed.
const Tensor* given_tensor(const AttentionProblem& problem, Stage stage);

// Finished weights of an attention, if there are any. Borrowed.
const Tensor& given_weights(const AttentionProblem& problem, const HeadAddress& at);

// True for blocks with self-attention and cross-attention.
bool is_decoder(const AttentionProblem& problem);

// Attentions in order of computation: two for a decoder, up to three for given weights, else one.
std::span<const AttentionInfo> attentions_of(const AttentionProblem& problem);

// In the functions below, `at` selects the attention; by default it is the last one.
//
// Extents of an attention: problem.shape, except for the attentions that precede a cross-attention.
AttentionShape shape_of(const AttentionProblem& problem, const HeadAddress& at);
const Mask& mask_of(const AttentionProblem& problem, const HeadAddress& at);  // borrowed

// True for the cross-attention of several attentions.
bool attends_across(const AttentionProblem& problem, const HeadAddress& at);
// True if queries and keys come from different sequences.
bool joins_two_sequences(const AttentionProblem& problem, const HeadAddress& at);

// True if positions act in the attention: not across, where keys were encoded before.
bool counts_positions(const AttentionProblem& problem, const HeadAddress& at);
// Positions that act in the attention. Borrowed.
const Position& position_of(const AttentionProblem& problem, const HeadAddress& at = {});

// Sinks of the attention: those of its block, or of the scoring. Borrowed.
const std::vector<float>& sinks_of(const AttentionProblem& problem, const HeadAddress& at);

std::int64_t first_position(const AttentionProblem& problem, std::size_t sample);

// Stages of the problem, in order of computation: of a decoder those of one attention and all
// around both.
std::vector<Stage> stages_of(const AttentionProblem& problem, const HeadAddress& at = {});

// Extents of a stage for a problem of this shape, whether computed or not.
struct StageShape {
  std::size_t rows = 0;
  std::size_t cols = 0;
};
StageShape stage_shape(const AttentionShape& shape, Stage stage);

// Number of layers with the stage: 1 for FinalNorm.
std::size_t layers_of(const AttentionShape& shape, Stage stage);
// Number of its matrices per layer and sample: one per head, or per key/value head, or 1.
std::size_t heads_of(const AttentionShape& shape, Stage stage);

// Projections of an attention of a block, or of the single layer. Borrowed.
const Projections& projections_of(const AttentionProblem& problem, const HeadAddress& at);

// Queries and keys before they are rotated: normed stages if there are any.
Stage unrotated_query_stage(const AttentionProblem& problem, const HeadAddress& at = {});
Stage unrotated_key_stage(const AttentionProblem& problem, const HeadAddress& at = {});

// Inputs of the scores: rotated stages if there are any.
Stage query_stage(const AttentionProblem& problem, const HeadAddress& at = {});
Stage key_stage(const AttentionProblem& problem, const HeadAddress& at = {});

// Formula of a stage in this problem: "Q W Kᵀ", "softmax(x / 0.5)".
std::string formula_of(const AttentionProblem& problem, Stage stage);

// True if queries depend on the row before, as in recurrent models.
bool goes_row_by_row(const AttentionProblem& problem);
// True if maps of queries by keys are materialised (see most_materialised_map_bytes); always if
// computed row by row.
bool materialises_maps(const AttentionProblem& problem, const HeadAddress& at = {});

// Reason why no head can have a pattern (what_if.h), as a clause; "" if all can.
std::string why_no_patterns(const AttentionProblem& problem);
// Reason why no edge between heads can be cut (what_if.h), as a clause; "" if all can but those to
// keys and values that several heads share.
std::string why_no_edges(const AttentionProblem& problem);

// A stage that is rows times a matrix: x·W + b.
struct LinearStage {
  std::optional<Stage> input{};     // stage of the rows x; else they are given:
  const Tensor* rows = nullptr;     // (samples, n, width)
  const Tensor* weights = nullptr;  // (in, out), heads side by side
  const Tensor* bias = nullptr;     // (out), or empty
  std::size_t heads = 1;            // side by side in the matrix
  const char *input_name = "", *matrix_name = "", *bias_name = "";  // "X", "W_Q", "b_Q"
  std::vector<float> gates{};  // factors of the heads side by side in x; empty: all are 1
};
// The linear map that computes the stage; nothing for stages that are no linear map. Borrowed.
std::optional<LinearStage> linear_stage(const AttentionProblem& problem, Stage stage,
                                        const HeadAddress& at);

// An array that computing allocates and the result owns.
struct StoredStage {
  Stage stage;
  std::uint64_t elements = 0;  // floats; saturates
};

// Arrays that computing allocates, in order of computation; of a decoder self-attentions come
// first. Given tensors are shared; Concat shares the array of the heads' outputs. Excludes stages
// computed when read.
std::vector<StoredStage> stored_stages(const AttentionProblem& problem);

// Bytes of stored_stages().
std::uint64_t materialised_bytes(const AttentionProblem& problem);
// Peak bytes of computing: materialised stages, and derivatives for influence.
std::uint64_t predicted_bytes(const AttentionProblem& problem);

// Multiply-adds from queries, keys and values to the outputs of the heads; a tanh counts as one.
std::uint64_t scored_multiply_adds(ScoringFunction function, const AttentionShape& shape);
// Multiply-adds of all stages, for choosing how to compute, with the maps that the shape's widths
// imply. document/cost.h has the cost of a document's tensors, with equal scores.
std::uint64_t predicted_multiply_adds(ScoringFunction function, const AttentionShape& shape);
// Includes the cells of a recurrent model and both attentions of a decoder.
std::uint64_t predicted_multiply_adds(const AttentionProblem& problem);

// Multiply-adds and temporary bytes of the exact derivatives for influence; 0 without a recurrent
// model.
std::uint64_t influence_multiply_adds(const AttentionProblem& problem);
std::uint64_t influence_bytes(const AttentionProblem& problem);
// True for a recurrent model whose derivatives stay within the problem's limit.
bool has_influence(const AttentionProblem& problem);
// Limit for callers that wait about a second.
inline constexpr std::uint64_t kInfluenceStepsOfASecond = 1'500'000'000;
// Multiply-adds of computing the problem: its stages, and derivatives unless left out.
std::uint64_t computing_multiply_adds(const AttentionProblem& problem);

// Building blocks of the kinds of problems. Stages from queries, keys and values to the outputs of
// the heads, and to their joined outputs:
std::vector<Stage> attention_stages(const AttentionProblem& problem, const HeadAddress& at = {});
std::vector<Stage> joined_attention_stages(const AttentionProblem& problem,
                                           const HeadAddress& at = {});
void append(std::vector<Stage>& stages, const std::vector<Stage>& more);
std::uint64_t attention_multiply_adds(const AttentionProblem& problem);

// The linear stage for queries, keys or values made from their own rows, or for all three from the
// stage `input`, which given `keys` replace for keys and values; nothing for other stages.
std::optional<LinearStage> projection_of(const AttentionProblem& problem, Stage stage,
                                         const HeadAddress& at, std::optional<Stage> input = {},
                                         const Tensor* keys = nullptr);

// Differences between kinds of problems: one row for each.
struct ProblemKind {
  // Stages in order of computation.
  std::vector<Stage> (*stages)(const AttentionProblem&, const HeadAddress&);
  // Formula of a stage if it differs from that of plain attention, else empty; null: never differs.
  std::string (*formula)(const AttentionProblem&, Stage) = nullptr;
  // Multiply-adds of one attention and its surroundings.
  std::uint64_t (*multiply_adds)(const AttentionProblem&) = attention_multiply_adds;
  // Multiply-adds and temporary bytes of the derivatives for influence; null: none.
  std::uint64_t (*derivatives)(const AttentionProblem&) = nullptr;
  std::uint64_t (*derivative_bytes)(const AttentionProblem&) = nullptr;
  // Linear stages other than the output projection; null if nothing is projected.
  std::optional<LinearStage> (*linear)(const AttentionProblem&, Stage,
                                       const HeadAddress&) = nullptr;
  // Given tensor of a stage, or null if it is computed; null: all are.
  const Tensor* (*given)(const AttentionProblem&, Stage) = nullptr;
  bool goes_row_by_row = false;  // queries depend on the row before
  // The result of the engine (engine/compute.h), null when cancelled; null for one attention of one
  // layer.
  std::shared_ptr<AttentionResult> (*compute)(const AttentionProblem&,
                                              const ComputeOptions&) = nullptr;
};

std::uint64_t saturating_sum(std::initializer_list<std::uint64_t> parts);

// Bytes of the largest projection, packed during computation.
std::uint64_t laid_out_bytes(const AttentionProblem& problem);

}  // namespace attn
