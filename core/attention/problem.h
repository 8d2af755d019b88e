// What the mathematics needs, with every shape checked: the input of the engine and the reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
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
#include "base/result.h"
#include "base/tensor.h"

namespace attn {

// Small enough to be computed anew between two frames.
inline constexpr std::uint64_t kMostKeptMapBytes = std::uint64_t{16} << 20U;

// Exactly one of the inputs is set, as `source` says.
struct AttentionProblem {
  enum class Source { Qkv, Embeddings, Weights, Recurrent };
  Source source = Source::Qkv;
  bool cross = false;  // queries and keys are different sequences, even where both are equally long
  AttentionShape shape;
  Scoring scoring;
  Mask mask;          // with slopes (with_slopes) where it has ALiBi
  Position position;  // added kinds only with Source::Embeddings; queries stand at i + offset

  // Source::Qkv: (samples, heads, n_q, d_q), (samples, kv_heads, n_k, d_k), (samples, kv_heads,
  // n_k, d_v)
  Tensor q, k, v;

  // Source::Embeddings and Source::Recurrent, whose key embeddings are the source and whose query
  // embeddings the target: (samples, n, width)
  Tensor query_embeddings, key_embeddings, value_embeddings;
  Projections projections;
  Stack stack;          // with blocks: theirs are the projections
  Mask self_mask;       // of a decoder, whose other attention is above; with slopes as that
  Recurrent recurrent;  // Source::Recurrent: one head, no projections, d_v = d_k = encoder width

  // Source::Weights: (layers, samples, heads, n_q, n_k)
  Tensor weights;

  // Maps of queries by keys are kept whole when all of them together take at most so much; else
  // they, and what comes of them, are computed where they are read.
  std::uint64_t most_kept_map_bytes = kMostKeptMapBytes;

  // Influence is left out where it would take more multiply-adds: for those who do not wait.
  std::uint64_t most_influence_steps = std::numeric_limits<std::uint64_t>::max();
};

// The scale in force: scoring.scale, or 1/√d_k for ScaledDot and 1 for the others.
float scale_of(const AttentionProblem& problem);

// Whether anything is scored; else the weights are as they were given.
bool has_scores(const AttentionProblem& problem);
// Whether queries, keys and values are made here; else they were given, or nothing is scored.
bool makes_projections(const AttentionProblem& problem);

// What a stage was given as, where it is not computed; else null. Borrowed.
const Tensor* given_tensor(const AttentionProblem& problem, Stage stage);

// Blocks that attend to their own rows and then to the keys.
bool is_decoder(const AttentionProblem& problem);

// In the order in which they are computed: of a decoder two, of everything else one.
std::span<const AttentionInfo> attentions_of(const AttentionProblem& problem);

// Below, `at` says of which attention an answer is: without it of the last one.
//
// Extents: problem.shape, but for the keys of a decoder's attention to its own rows.
AttentionShape shape_of(const AttentionProblem& problem, const HeadAddress& at);
const Mask& mask_of(const AttentionProblem& problem, const HeadAddress& at);  // borrowed

// The attention of a decoder's rows to the keys.
bool attends_across(const AttentionProblem& problem, const HeadAddress& at);
// Queries and keys are different sequences, in a decoder or elsewhere.
bool joins_two_sequences(const AttentionProblem& problem, const HeadAddress& at);

// Whether positions can act in the attention: not across, where the keys were encoded before.
bool counts_positions(const AttentionProblem& problem, const HeadAddress& at);
// The positions that act in the attention. Borrowed.
const Position& position_of(const AttentionProblem& problem, const HeadAddress& at = {});

// Where the first row of the queries stands among those that positions count.
std::int64_t first_position(const AttentionProblem& problem, std::size_t sample);

// The stages that the problem has, in order of computation: of a decoder those of one attention and
// all that are around both.
std::vector<Stage> stages_of(const AttentionProblem& problem, const HeadAddress& at = {});

// What a stage of a problem of this shape has, whether or not it has been computed.
struct StageShape {
  std::size_t rows = 0;
  std::size_t cols = 0;
};
StageShape stage_shape(const AttentionShape& shape, Stage stage);

// How many layers have the stage: FinalNorm is there once, whatever their number.
std::size_t layers_of(const AttentionShape& shape, Stage stage);

// Those of an attention of a block, or of the single layer without blocks. Borrowed.
const Projections& projections_of(const AttentionProblem& problem, const HeadAddress& at);

// One block's attention as a problem of its own: one layer, from the rows `x` (samples, n, d_model)
// that the attention gets, after the norm in front of it, if there is one. Precondition: the
// problem has blocks.
AttentionProblem layer_problem(const AttentionProblem& problem, const HeadAddress& at, Tensor x);

// The stages that scores are made from: the rotated ones where there are any.
Stage query_stage(const AttentionProblem& problem, const HeadAddress& at = {});
Stage key_stage(const AttentionProblem& problem, const HeadAddress& at = {});

// How this problem computes a stage: "Q W Kᵀ", "softmax(x / 0.5)".
std::string formula_of(const AttentionProblem& problem, Stage stage);

// Whether what a row asks with comes from the row before, as in recurrent models.
bool goes_row_by_row(const AttentionProblem& problem);
// Whether maps of queries by keys are kept whole (see most_kept_map_bytes), as those made row by
// row always are.
bool keeps_maps(const AttentionProblem& problem, const HeadAddress& at = {});
// A stage that is not materialised, but computed where it is read.
bool is_computed_when_read(const AttentionProblem& problem, Stage stage,
                           const HeadAddress& at = {});

// A stage that is rows times a matrix: x·W + b.
struct LinearStage {
  std::optional<Stage> input{};     // whose rows x are; else they are given:
  const Tensor* rows = nullptr;     // (samples, n, width)
  const Tensor* weights = nullptr;  // (in, out), heads side by side
  const Tensor* bias = nullptr;     // (out), or empty
  std::size_t heads = 1;            // that share the columns of the matrix
  const char *input_name = "", *matrix_name = "", *bias_name = "";  // "X", "W_Q", "b_Q"
};
// Nothing for stages that are none. Borrowed.
std::optional<LinearStage> linear_stage(const AttentionProblem& problem, Stage stage,
                                        const HeadAddress& at);

// One array that computing allocates and the result keeps.
struct StoredStage {
  Stage stage;
  std::uint64_t elements = 0;  // floats; saturates
};

// What computing allocates, in order of computation; of a decoder what is in its self-attentions
// comes first. Given tensors are shared, not stored, and Concat is the heads' outputs side by side:
// one array serves both. Without those that are computed when they are read.
std::vector<StoredStage> stored_stages(const AttentionProblem& problem);

// Bytes that keeping every stage takes: those of stored_stages.
std::uint64_t kept_bytes(const AttentionProblem& problem);
// Bytes that computing takes at most: those that are kept, and the derivatives behind influence.
std::uint64_t predicted_bytes(const AttentionProblem& problem);

// Multiply-adds from queries, keys and values to the outputs of the heads. A tanh counts as one.
std::uint64_t scored_multiply_adds(ScoringFunction function, const AttentionShape& shape);
// Of every stage, for choosing where to compute: with the maps that the widths of the shape tell.
// What a document's tensors cost is in document/cost.h, with the same scores.
std::uint64_t predicted_multiply_adds(ScoringFunction function, const AttentionShape& shape);
// With the cells of a recurrent model and both attentions of a decoder, where there are any.
std::uint64_t predicted_multiply_adds(const AttentionProblem& problem);

// Multiply-adds of the exact derivatives behind the stages of influence, and the bytes that they
// take meanwhile; 0 without a recurrent model.
std::uint64_t influence_multiply_adds(const AttentionProblem& problem);
std::uint64_t influence_bytes(const AttentionProblem& problem);
// A recurrent model whose derivatives stay below the problem's limit.
bool has_influence(const AttentionProblem& problem);
// The limit of those who wait for a second, but not for minutes.
inline constexpr std::uint64_t kInfluenceStepsOfASecond = 1'500'000'000;
// Of everything that computing the problem does: its stages, and the derivatives unless left out.
std::uint64_t computing_multiply_adds(const AttentionProblem& problem);

// What kinds of problems are put together from. From queries, keys and values to the outputs of the
// heads, and on to what the heads make together:
std::vector<Stage> attention_stages(const AttentionProblem& problem, const HeadAddress& at = {});
std::vector<Stage> joined_attention_stages(const AttentionProblem& problem,
                                           const HeadAddress& at = {});
void append(std::vector<Stage>& stages, const std::vector<Stage>& more);
std::uint64_t attention_multiply_adds(const AttentionProblem& problem);

// Queries, keys or values made from rows of their own; of another stage nothing.
struct ProjectedRows {
  std::optional<Stage> input;    // of all three; else each has its own
  const Tensor* keys = nullptr;  // in place of that input, for keys and values
};
std::optional<LinearStage> projection_of(const AttentionProblem& problem, Stage stage,
                                         const HeadAddress& at, const ProjectedRows& rows);

// What each kind of problem answers by itself: one row for each, found by what the problem holds.
struct ProblemKind {
  // In the order of computation.
  std::vector<Stage> (*stages)(const AttentionProblem&, const HeadAddress&);
  // The formula of a stage that is not as in every attention, else empty; null: of none.
  std::string (*formula)(const AttentionProblem&, Stage) = nullptr;
  // Of one attention and of what is around it.
  std::uint64_t (*multiply_adds)(const AttentionProblem&) = attention_multiply_adds;
  // Multiply-adds of the derivatives behind the stages of influence, and the bytes that they take
  // meanwhile; null where there are none.
  std::uint64_t (*derivatives)(const AttentionProblem&) = nullptr;
  std::uint64_t (*derivative_bytes)(const AttentionProblem&) = nullptr;
  // What linear_stage says beside the output projection; null where nothing is projected.
  std::optional<LinearStage> (*linear)(const AttentionProblem&, Stage,
                                       const HeadAddress&) = nullptr;
  bool goes_row_by_row = false;  // what a row asks with comes from the row before
};
extern const ProblemKind kBlockProblems, kRecurrentProblems;
const ProblemKind& kind_of(const AttentionProblem& problem);

// Sums and products that stay at the largest number instead of beginning anew.
std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b);
std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b);

// Bytes of the largest projection, laid out for products while they are computed.
std::uint64_t laid_out_bytes(const AttentionProblem& problem);

}  // namespace attn
