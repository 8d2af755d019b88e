// Scoring functions (query and key to score) and normalisers (scores to weights), each one row of a
// table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attention/stage.h"
#include "base/tensor.h"

namespace attn {

struct Notation;

enum class ScoringFunction {
  ScaledDot,  // q·k / √d_k               (Vaswani et al. 2017)
  Dot,        // q·k                      (Luong et al. 2015)
  General,    // q·W·k                    (Luong et al. 2015)
  Concat,     // v·tanh(W [q; k])         (Luong et al. 2015)
  Additive,   // v·tanh(W_q q + W_k k + b) (Bahdanau et al. 2015)
  Location,   // row j of W · q: independent of the key (Luong et al. 2015)
};

enum class Normaliser {
  Softmax,    // eˣ / Σ eˣ
  Sigmoid,    // 1 / (1 + e⁻ˣ) of each cell: rows need not sum to 1
  Sparsemax,  // projection onto the simplex, with exact zeros (Martins and Astudillo 2016)
};

// Accepts states of any widths, so it is the default of recurrent models.
inline constexpr ScoringFunction kScoringOfAnyWidths = ScoringFunction::Additive;

// Matrices are shared by all heads or have a leading axis of heads; those that the function does
// not use are absent. d_a is free.
struct Scoring {
  ScoringFunction function = ScoringFunction::ScaledDot;
  std::optional<float> scale;        // absent: 1/√d_k for ScaledDot, 1 otherwise; finite
  std::optional<float> softcap;      // c·tanh(x / c) after the scale; > 0
  std::optional<float> temperature;  // divides the logits; > 0
  Normaliser normaliser = Normaliser::Softmax;
  // Logits that take a share of the softmax but have no value, so that rows sum to less than 1: one
  // for all heads, or one per head. 0 is softmax-off-by-one; empty: none.
  std::vector<float> sinks;
  Tensor w;        // General (d_q, d_k), Concat (d_a, d_q + d_k), Location (n_k or more, d_q)
  Tensor w_query;  // Additive (d_a, d_q)
  Tensor w_key;    // Additive (d_a, d_k)
  Tensor v;        // Concat and Additive (d_a)
  Tensor b;        // Additive (d_a), may be absent
  friend bool operator==(const Scoring&, const Scoring&) = default;
};

// Extents of a function's matrix: (rows, cols), or (rows) for a vector. Rows for keys may be more
// than the keys.
struct ScoringMatrixUse {
  Tensor Scoring::*tensor = nullptr;
  Extent rows = Extent::QueryWidth;
  std::optional<Extent> cols;

  std::size_t rank() const { return cols ? 2 : 1; }
};

// Multiply-adds of one head.
struct ScoringCost {
  std::uint64_t cell = 0;   // of each score
  std::uint64_t query = 0;  // of each query before it meets a key
  std::uint64_t key = 0;
  std::uint64_t slope = 0;  // of the derivatives of a score by query and key
};

struct ScoringFunctionInfo {
  ScoringFunction function;
  std::string_view name;      // name in JSON: "scaled_dot"
  std::string_view label;     // label: "Scaled dot product"
  std::string_view formula;   // of the unscaled score
  std::string_view sentence;  // one-line explanation
  std::string_view terms;     // title of the score's summands: "q · k by dimension"
  std::string_view left;      // their factors: "query", "key"
  std::string_view right;
  bool plain;               // the summands are products of the unchanged query and key
  bool scaled_by_width;     // default scale is 1/√d_k, else 1
  bool needs_equal_widths;  // requires d_q = d_k
  std::span<const ScoringMatrixUse> matrices;
  ScoringCost (*cost)(const AttentionShape&);
};

std::span<const ScoringFunctionInfo> all_scoring_functions();
const ScoringFunctionInfo& scoring_info(ScoringFunction function);

// Default scale of the function: 1/√d_k or 1; 1 if d_k is 0.
double usual_scale(ScoringFunction function, std::size_t d_k);

// True if d_a may be chosen.
bool has_hidden_units(ScoringFunction function);

// The logit of a cell, by the temperature, as formulas have it: "x / 2", "−x / 2"; and what
// follows it where a threshold is subtracted: " − τ".
struct WrittenLogit {
  std::string x, negative, less_threshold;
};

struct NormaliserInfo {
  Normaliser normaliser;
  std::string_view name;
  std::string_view label;
  std::string_view formula;
  std::string_view sentence;
  bool exponentials;  // weights are shares of e^x in their sum over the row, to which sinks add
  bool shares;        // rows sum to 1
  // A weight from its own logit, which is all that it needs; null with exponentials.
  std::string (*of_cell)(const Notation&, const WrittenLogit&);
};

std::span<const NormaliserInfo> all_normalisers();
const NormaliserInfo& normaliser_info(Normaliser normaliser);

struct ScoringMatrixInfo {
  std::string_view name;   // name in JSON: "w_query"
  std::string_view label;  // label in the window: "W_q"
  Tensor Scoring::*tensor;
  StageRole role;  // for its colour
};

std::span<const ScoringMatrixInfo> all_scoring_matrices();

// Use of a matrix by `function`; null if unused.
const ScoringMatrixUse* matrix_use(ScoringFunction function, Tensor Scoring::*tensor);
// "d_a × (d_q + d_k)"
std::string extents_text(const ScoringMatrixUse& use);

// Shape of one head's matrix; empty if unused by `function`.
Shape scoring_matrix_shape(ScoringFunction function, Tensor Scoring::*tensor,
                           const AttentionShape& shape);
// True only for b.
bool is_optional(Tensor Scoring::*tensor);

// Rows of v; 0 for functions without hidden units.
std::size_t hidden_units(const Scoring& scoring);

// One head's part of a scoring matrix; a vector is one row. Borrowed.
MatrixView scoring_matrix(const Tensor& tensor, std::size_t matrix_rank, std::size_t head);

}  // namespace attn
