// Tables of scoring functions and normalisers.
#include "attention/scoring.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "attention/notation.h"
#include "base/enum_table.h"

namespace attn {
namespace {

using enum Extent;

constexpr ScoringMatrixUse kGeneralMatrices[] = {{&Scoring::w, QueryWidth, KeyWidth}};
constexpr ScoringMatrixUse kConcatMatrices[] = {{&Scoring::w, ScoringWidth, BothWidths},
                                                {&Scoring::v, ScoringWidth, {}}};
constexpr ScoringMatrixUse kAdditiveMatrices[] = {{&Scoring::w_query, ScoringWidth, QueryWidth},
                                                  {&Scoring::w_key, ScoringWidth, KeyWidth},
                                                  {&Scoring::v, ScoringWidth, {}},
                                                  {&Scoring::b, ScoringWidth, {}}};
constexpr ScoringMatrixUse kLocationMatrices[] = {{&Scoring::w, Keys, QueryWidth}};

ScoringCost dot_cost(const AttentionShape& s) { return {s.d_k, 0, 0, 0}; }

ScoringCost general_cost(const AttentionShape& s) {
  const std::uint64_t map = element_count({query_columns(s), s.d_k});
  return {s.d_k, map, 0, element_count({2, map})};
}

ScoringCost network_cost(const AttentionShape& s) {
  return {s.d_a, element_count({query_columns(s), s.d_a}), element_count({s.d_k, s.d_a}),
          element_count({2, s.d_a, query_columns(s) + s.d_k})};
}

ScoringCost location_cost(const AttentionShape& s) { return {query_columns(s), 0, 0, 0}; }

constexpr std::span<const ScoringMatrixUse> kNone;

constexpr std::array<ScoringFunctionInfo, count_of<ScoringFunction>()> kFunctions{{
    {ScoringFunction::ScaledDot, "scaled_dot", "Scaled dot product", "QKᵀ",
     "How well query and key are aligned, times the scale, usually 1/√d_k", "q · k by dimension",
     "query", "key", true, true, true, kNone, dot_cost},
    {ScoringFunction::Dot, "dot", "Dot product", "QKᵀ",
     "How well query and key are aligned; grows with d_k", "q · k by dimension", "query", "key",
     true, false, true, kNone, dot_cost},
    {ScoringFunction::General, "general", "General", "Q W Kᵀ",
     "A dot product after a learned map, so that widths may differ",
     "q W · k by dimension of the key", "q W", "key", false, false, false, kGeneralMatrices,
     general_cost},
    {ScoringFunction::Concat, "concat", "Concat", "vᵀ tanh(W [q; k])",
     "A small network reads query and key, concatenated", "v · tanh(W [q; k]) by hidden unit", "v",
     "tanh(…)", false, false, false, kConcatMatrices, network_cost},
    {ScoringFunction::Additive, "additive", "Additive (Bahdanau)", "vᵀ tanh(W_q q + W_k k + b)",
     "A small network adds what it reads from query and key",
     "v · tanh(W_q q + W_k k + b) by hidden unit", "v", "tanh(…)", false, false, false,
     kAdditiveMatrices, network_cost},
    {ScoringFunction::Location, "location", "Location-based", "Q Wᵀ",
     "The query alone decides where to look; row j of W stands for position j",
     "q · the key's row of W by dimension", "query", "row of W", false, false, false,
     kLocationMatrices, location_cost},
}};
static_assert(is_indexed_by(kFunctions, &ScoringFunctionInfo::function));

std::string sigmoid_of_cell(const Notation& write, const WrittenLogit& logit) {
  return write.fraction("1", "1 + " + write.call("exp", logit.negative));
}

std::string sparsemax_of_cell(const Notation& write, const WrittenLogit& logit) {
  return write.call("max", "0" + write.comma() + logit.x + logit.less_threshold);
}

constexpr std::array<NormaliserInfo, count_of<Normaliser>()> kNormaliserRows{{
    {Normaliser::Softmax, "softmax", "Softmax", "softmax(x)",
     "Every visible key gets a share; rows sum to 1", true, true, nullptr},
    {Normaliser::Sigmoid, "sigmoid", "Sigmoid", "1 / (1 + e⁻ˣ)",
     "Each key is weighted independently; rows need not sum to 1", false, false, sigmoid_of_cell},
    {Normaliser::Sparsemax, "sparsemax", "Sparsemax", "max(0, x - τ)",
     "Weak keys get exactly 0; rows sum to 1", false, true, sparsemax_of_cell},
}};
static_assert(is_indexed_by(kNormaliserRows, &NormaliserInfo::normaliser));

constexpr std::array<ScoringMatrixInfo, 5> kMatrices{{
    {"w", "W", &Scoring::w, StageRole::Scores},
    {"w_query", "W_q", &Scoring::w_query, StageRole::Query},
    {"w_key", "W_k", &Scoring::w_key, StageRole::Key},
    {"v", "v", &Scoring::v, StageRole::Scores},
    {"b", "b", &Scoring::b, StageRole::Scores},
}};

// Symbols of widths do not depend on whether they are equal.
constexpr AttentionShape kOtherWidths{.d_k = 1, .d_q = 2};

}  // namespace

std::span<const ScoringFunctionInfo> all_scoring_functions() { return kFunctions; }

const ScoringFunctionInfo& scoring_info(ScoringFunction function) {
  return row_of(kFunctions, function);
}

double usual_scale(ScoringFunction function, std::size_t d_k) {
  if (!scoring_info(function).scaled_by_width || d_k == 0) return 1.0;
  return 1.0 / std::sqrt(static_cast<double>(d_k));
}

bool has_hidden_units(ScoringFunction function) {
  return std::ranges::any_of(scoring_info(function).matrices,
                             [](const ScoringMatrixUse& use) { return use.rows == ScoringWidth; });
}

std::span<const NormaliserInfo> all_normalisers() { return kNormaliserRows; }

const NormaliserInfo& normaliser_info(Normaliser normaliser) {
  return row_of(kNormaliserRows, normaliser);
}

std::span<const ScoringMatrixInfo> all_scoring_matrices() { return kMatrices; }

const ScoringMatrixUse* matrix_use(ScoringFunction function, Tensor Scoring::*tensor) {
  const std::span<const ScoringMatrixUse> uses = scoring_info(function).matrices;
  const auto use = std::ranges::find(uses, tensor, &ScoringMatrixUse::tensor);
  return use == uses.end() ? nullptr : &*use;
}

std::string extents_text(const ScoringMatrixUse& use) {
  std::string text(symbol_of(kOtherWidths, use.rows));
  if (use.cols) text += " × " + std::string(symbol_of(kOtherWidths, *use.cols));
  return text;
}

Shape scoring_matrix_shape(ScoringFunction function, Tensor Scoring::*tensor,
                           const AttentionShape& shape) {
  const ScoringMatrixUse* use = matrix_use(function, tensor);
  if (use == nullptr) return {};
  Shape extents{extent_of(shape, use->rows)};
  if (use->cols) extents.push_back(extent_of(shape, *use->cols));
  return extents;
}

bool is_optional(Tensor Scoring::*tensor) { return tensor == &Scoring::b; }

std::size_t hidden_units(const Scoring& scoring) {
  return scoring.v.empty() ? 0 : scoring.v.shape().back();
}

MatrixView scoring_matrix(const Tensor& tensor, std::size_t matrix_rank, std::size_t head) {
  if (matrix_rank == 2) return matrix_at(tensor, tensor.rank() == 3 ? head : 0);
  const std::size_t width = tensor.shape().back();
  const std::size_t row = tensor.rank() == 2 ? head : 0;
  return {tensor.data() + row * width, 1, width, width};
}

}  // namespace attn
