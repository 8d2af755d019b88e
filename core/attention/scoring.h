// How a query and a key make a score, and how a row of scores becomes weights: one row of a table
// for every function and every normaliser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
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
inline constexpr std::size_t kScoringFunctions = 6;  // rows of every table of them

enum class Normaliser {
  Softmax,    // eˣ / Σ eˣ
  Sigmoid,    // 1 / (1 + e⁻ˣ), each cell for itself: rows need not sum to 1
  Sparsemax,  // the nearest point of the simplex, with exact zeros (Martins and Astudillo 2016)
};
inline constexpr std::size_t kNormalisers = 3;  // rows of every table of them

// Takes states of any widths, so that it is what a recurrent model asks with unless told otherwise.
inline constexpr ScoringFunction kScoringOfAnyWidths = ScoringFunction::Additive;

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

// What the extents of a scoring matrix depend on.
struct ScoringWidths {
  std::size_t d_q = 0;
  std::size_t d_k = 0;
  std::size_t n_k = 0;
  std::size_t d_a = 0;
};

enum class ScoringExtent {
  QueryWidth,    // d_q
  KeyWidth,      // d_k
  BothWidths,    // d_q + d_k
  KeyPositions,  // n_k; more of them do as well
  HiddenUnits,   // d_a, free
};

// A matrix of a function: (rows, cols), or the vector (rows) without columns.
struct ScoringMatrixUse {
  Tensor Scoring::*tensor = nullptr;
  ScoringExtent rows = ScoringExtent::QueryWidth;
  std::optional<ScoringExtent> cols;

  std::size_t rank() const { return cols ? 2 : 1; }
};

// What a score is a sum of, in words, and what its summands are counted by.
struct ScoreTermWords {
  std::string_view title;  // "q · k by dimension"
  std::string_view left;   // "query"
  std::string_view right;  // "key"
};

// Multiply-adds of one head.
struct ScoringCost {
  std::uint64_t cell = 0;   // of each score
  std::uint64_t query = 0;  // of each query before it meets a key
  std::uint64_t key = 0;
  std::uint64_t slope = 0;  // of a score's derivatives by its query and its key
};

struct ScoringFunctionInfo {
  ScoringFunction function;
  std::string_view name;      // "scaled_dot": in JSON
  std::string_view label;     // "Scaled dot product": for people
  std::string_view formula;   // of the scores, before the scale
  std::string_view sentence;  // what it is, one line
  ScoreTermWords terms;
  bool scaled_by_width;     // the usual scale is 1/√d_k, else 1
  bool needs_equal_widths;  // d_q = d_k
  std::span<const ScoringMatrixUse> matrices;
  ScoringCost (*cost)(const ScoringWidths&);
};

std::span<const ScoringFunctionInfo> all_scoring_functions();
const ScoringFunctionInfo& scoring_info(ScoringFunction function);

// 1/√d_k or 1, whichever the function has; 1 where d_k is 0.
double usual_scale(ScoringFunction function, std::size_t d_k);

// Whether d_a may be chosen.
bool has_hidden_units(ScoringFunction function);

struct NormaliserInfo {
  Normaliser normaliser;
  std::string_view name;
  std::string_view label;
  std::string_view formula;
  std::string_view sentence;
  bool takes_sinks;
  std::string_view note;  // about the rows it makes; empty: they sum to 1
};

std::span<const NormaliserInfo> all_normalisers();
const NormaliserInfo& normaliser_info(Normaliser normaliser);

struct ScoringMatrixInfo {
  std::string_view name;  // "w_query": in JSON
  std::string_view label;
  Tensor Scoring::*tensor;
};

// Every matrix that some function uses.
std::span<const ScoringMatrixInfo> all_scoring_matrices();

// How `function` uses a matrix; null when it does not.
const ScoringMatrixUse* matrix_use(ScoringFunction function, Tensor Scoring::*tensor);
// "d_a × (d_q + d_k)"
std::string extents_text(const ScoringMatrixUse& use);

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
