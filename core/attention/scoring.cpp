#include "attention/scoring.h"

#include <array>

#include "base/enum_table.h"

namespace attn {
namespace {

constexpr std::array<ScoringFunctionInfo, 6> kFunctions{{
    {ScoringFunction::ScaledDot, "scaled_dot", "Scaled dot product", "QKᵀ",
     "How far query and key point the same way, divided by √d_k"},
    {ScoringFunction::Dot, "dot", "Dot product", "QKᵀ",
     "How far query and key point the same way; grows with d_k"},
    {ScoringFunction::General, "general", "General", "Q W Kᵀ",
     "A dot product after a learned map, so that widths may differ"},
    {ScoringFunction::Concat, "concat", "Concat", "vᵀ tanh(W [q; k])",
     "A small network reads query and key side by side"},
    {ScoringFunction::Additive, "additive", "Additive (Bahdanau)", "vᵀ tanh(W_q q + W_k k + b)",
     "A small network adds what it reads from query and key"},
    {ScoringFunction::Location, "location", "Location-based", "Q Wᵀ",
     "The query alone says where to look; row j of W stands for position j"},
}};
static_assert(is_indexed_by(kFunctions, &ScoringFunctionInfo::function));

constexpr std::array<NormaliserInfo, 3> kNormalisers{{
    {Normaliser::Softmax, "softmax", "Softmax", "softmax(x)",
     "Every visible key gets a share; rows sum to 1"},
    {Normaliser::Sigmoid, "sigmoid", "Sigmoid", "1 / (1 + e⁻ˣ)",
     "Every key is judged for itself; rows need not sum to 1"},
    {Normaliser::Sparsemax, "sparsemax", "Sparsemax", "max(0, x - τ)",
     "Weak keys get exactly nothing; rows sum to 1"},
}};
static_assert(is_indexed_by(kNormalisers, &NormaliserInfo::normaliser));

constexpr std::array<ScoringMatrixInfo, 5> kMatrices{{
    {"w", "W", &Scoring::w},
    {"w_query", "W_query", &Scoring::w_query},
    {"w_key", "W_key", &Scoring::w_key},
    {"v", "v", &Scoring::v},
    {"b", "b", &Scoring::b},
}};

}  // namespace

std::span<const ScoringFunctionInfo> all_scoring_functions() { return kFunctions; }

const ScoringFunctionInfo& scoring_info(ScoringFunction function) {
  return kFunctions[static_cast<std::size_t>(function)];
}

std::span<const NormaliserInfo> all_normalisers() { return kNormalisers; }

const NormaliserInfo& normaliser_info(Normaliser normaliser) {
  return kNormalisers[static_cast<std::size_t>(normaliser)];
}

std::span<const ScoringMatrixInfo> all_scoring_matrices() { return kMatrices; }

Shape scoring_matrix_shape(ScoringFunction function, Tensor Scoring::*tensor,
                           const ScoringWidths& widths) {
  switch (function) {
    case ScoringFunction::ScaledDot:
    case ScoringFunction::Dot:
      return {};
    case ScoringFunction::General:
      return tensor == &Scoring::w ? Shape{widths.d_q, widths.d_k} : Shape{};
    case ScoringFunction::Concat:
      if (tensor == &Scoring::w) return {widths.d_a, widths.d_q + widths.d_k};
      return tensor == &Scoring::v ? Shape{widths.d_a} : Shape{};
    case ScoringFunction::Additive:
      if (tensor == &Scoring::w_query) return {widths.d_a, widths.d_q};
      if (tensor == &Scoring::w_key) return {widths.d_a, widths.d_k};
      return tensor == &Scoring::v || tensor == &Scoring::b ? Shape{widths.d_a} : Shape{};
    case ScoringFunction::Location:
      return tensor == &Scoring::w ? Shape{widths.n_k, widths.d_q} : Shape{};
  }
  return {};
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
