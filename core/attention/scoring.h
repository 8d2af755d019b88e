// How a query and a key make a score, and how a row of scores becomes weights.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/tensor.h"

namespace attn {

enum class ScoringFunction {
  ScaledDot,  // q·k / √d_k               (Vaswani et al. 2017)
  Dot,        // q·k                      (Luong et al. 2015)
  General,    // q·W·k                    (Luong et al. 2015)
  Concat,     // v·tanh(W [q; k])         (Luong et al. 2015)
  Additive,   // v·tanh(W_q q + W_k k + b) (Bahdanau et al. 2015)
  Location,   // row j of W · q: the key itself does not matter (Luong et al. 2015)
};

enum class Normaliser {
  Softmax,    // eˣ / Σ eˣ
  Sigmoid,    // 1 / (1 + e⁻ˣ), each cell for itself: rows need not sum to 1
  Sparsemax,  // the nearest point of the simplex, with exact zeros (Martins and Astudillo 2016)
};

// Matrices are shared by all heads, or have a leading axis of heads. Those that the function does
// not use are absent. d_a is free. A value.
struct Scoring {
  ScoringFunction function = ScoringFunction::ScaledDot;
  std::optional<float> scale;        // absent: 1/√d_k for ScaledDot, 1 otherwise; finite
  std::optional<float> softcap;      // c·tanh(x / c) after the scale; > 0
  std::optional<float> temperature;  // what goes into the normaliser is divided by it; > 0
  Normaliser normaliser = Normaliser::Softmax;
  // Logits beside the keys that take a share of the softmax and lead nowhere, so that rows sum to
  // less than 1: one for all heads, or one per head. 0 is softmax off by one; empty: none.
  std::vector<float> sinks;
  Tensor w;        // General (d_q, d_k), Concat (d_a, d_q + d_k), Location (n_k or more, d_q)
  Tensor w_query;  // Additive (d_a, d_q)
  Tensor w_key;    // Additive (d_a, d_k)
  Tensor v;        // Concat and Additive (d_a)
  Tensor b;        // Additive (d_a), may be absent
  friend bool operator==(const Scoring&, const Scoring&) = default;
};

struct ScoringFunctionInfo {
  ScoringFunction function;
  std::string_view name;      // "scaled_dot": in JSON
  std::string_view label;     // "Scaled dot product": for people
  std::string_view formula;   // of the scores, before the scale
  std::string_view sentence;  // what it is, one line
};

std::span<const ScoringFunctionInfo> all_scoring_functions();
const ScoringFunctionInfo& scoring_info(ScoringFunction function);

struct NormaliserInfo {
  Normaliser normaliser;
  std::string_view name;
  std::string_view label;
  std::string_view formula;
  std::string_view sentence;
};

std::span<const NormaliserInfo> all_normalisers();
const NormaliserInfo& normaliser_info(Normaliser normaliser);

// What the extents of a scoring matrix depend on.
struct ScoringWidths {
  std::size_t d_q = 0;
  std::size_t d_k = 0;
  std::size_t n_k = 0;
  std::size_t d_a = 0;
};

struct ScoringMatrixInfo {
  std::string_view name;  // "w_query": in JSON
  std::string_view label;
  Tensor Scoring::*tensor;
};

// Every matrix that some function uses.
std::span<const ScoringMatrixInfo> all_scoring_matrices();

// The shape of one head's matrix for `function`; empty when the function does not use it.
Shape scoring_matrix_shape(ScoringFunction function, Tensor Scoring::*tensor,
                           const ScoringWidths& widths);
// Only b is optional.
bool is_optional(Tensor Scoring::*tensor);

// The rows of v, 0 for functions without hidden units.
std::size_t hidden_units(const Scoring& scoring);

// The part of a scoring matrix that serves `head`, as a matrix; a vector is one row. Borrowed.
MatrixView scoring_matrix(const Tensor& tensor, std::size_t matrix_rank, std::size_t head);

}  // namespace attn
