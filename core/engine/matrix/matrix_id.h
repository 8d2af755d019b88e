// Id of a matrix: a computed stage, or something made from stages.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "attention/block.h"
#include "attention/scoring.h"
#include "attention/stage.h"

namespace attn {

// Matrices made from the weights of a layer, or of all of them (engine/matrix/derived.h).
enum class Derived { Rollout, Flow, HeadMean, ValueNorm };

struct DerivedInfo {
  Derived derived;
  std::string_view name;      // name on the command line: "rollout"
  std::string_view label;     // "Attention rollout"
  std::string_view quantity;  // of the colour bar: "Share of the input"
  std::string_view sentence;  // one-line explanation
  bool of_all_layers;         // has a residual share and requires n_q = n_k
};
std::span<const DerivedInfo> all_derived();
const DerivedInfo& derived_info(Derived derived);

struct MatrixId;

// Ways in which a matrix is made from its stage.
namespace made {

// The stage itself.
struct AsComputed {
  friend bool operator==(const AsComputed&, const AsComputed&) = default;
};
struct FromWeights {
  Derived derived = Derived::Rollout;
  // Share of a layer's input that bypasses its attention: layers are residual · 1 + (1 − residual)
  // · A with A the mean over heads. Between 0 and 1; only through all layers.
  double residual = 0.5;
  // Rollouts only: leaves out the first token, on which most weight of a language model rests, and
  // renormalises rows.
  bool without_first = false;
  friend bool operator==(const FromWeights&, const FromWeights&) = default;
};
// Weights as another scoring function would make them.
struct UnderFunction {
  ScoringFunction function{};
  friend bool operator==(const UnderFunction&, const UnderFunction&) = default;
};
// Weights as they would be if all tokens had equal content.
struct FromPositions {
  friend bool operator==(const FromPositions&, const FromPositions&) = default;
};
// Encoding of positions: rows are positions, columns features.
struct PositionEncoding {
  friend bool operator==(const PositionEncoding&, const PositionEncoding&) = default;
};
// The stage in another document or an earlier state, which this names.
struct InReference {
  std::string reference;
  friend bool operator==(const InReference&, const InReference&) = default;
};
// The computed matrix of the other members minus another one.
struct Minus {
  std::shared_ptr<const MatrixId> other;  // never null
  friend bool operator==(const Minus& a, const Minus& b);
};

}  // namespace made

using Making =
    std::variant<made::AsComputed, made::FromWeights, made::UnderFunction, made::FromPositions,
                 made::PositionEncoding, made::InReference, made::Minus>;

// Equal ids of one result have equal numbers. Members that a matrix does not depend on, such as the
// head of a rollout, are 0 in canonical ids.
struct MatrixId {
  Stage stage = Stage::Weights;
  HeadAddress head;
  Making making = {};
  friend bool operator==(const MatrixId&, const MatrixId&) = default;
};

bool is_computed(const MatrixId& id);  // the stage itself

// True if rows are queries and columns keys.
bool is_token_by_token(const MatrixId& id);

// Side whose tokens label rows or columns; nothing for rows that are positions and columns that are
// features.
std::optional<Side> row_side(const MatrixId& id);
std::optional<Side> column_side(const MatrixId& id);

// True if (row, col) means the same pair of tokens in both, whatever the head, or if they are one
// stage.
bool same_axes(const MatrixId& a, const MatrixId& b);

// Unique line within a result: "weights/cross/0.0.1", "rollout 0.5/cross/0.0.0".
std::string text_of(const MatrixId& id);

}  // namespace attn
