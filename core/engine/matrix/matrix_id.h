// Which matrix something is: a computed stage, or what is made from stages.
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
  std::string_view name;      // "rollout": on the command line
  std::string_view label;     // "Attention rollout"
  std::string_view quantity;  // "Share of the input": of the colour bar
  std::string_view sentence;  // what it is, one line
  bool of_all_layers;         // has a residual share and asks for n_q = n_k
};
std::span<const DerivedInfo> all_derived();
const DerivedInfo& derived_info(Derived derived);

struct MatrixId;

// How a matrix comes from its stage.
namespace made {

// It is the stage.
struct AsComputed {
  friend bool operator==(const AsComputed&, const AsComputed&) = default;
};
struct FromWeights {
  Derived derived = Derived::Rollout;
  double residual = 0.0;       // of those through all layers; 0 for the others
  bool without_first = false;  // a rollout whose rows leave the first token out
  friend bool operator==(const FromWeights&, const FromWeights&) = default;
};
// What if: the weights, were the document's scoring function this one.
struct UnderFunction {
  ScoringFunction function{};
  friend bool operator==(const UnderFunction&, const UnderFunction&) = default;
};
// What if: the weights, had all tokens the same content.
struct FromPositions {
  friend bool operator==(const FromPositions&, const FromPositions&) = default;
};
// The encoding of positions: rows are positions, columns its features.
struct PositionEncoding {
  friend bool operator==(const PositionEncoding&, const PositionEncoding&) = default;
};
// The stage as another document or an earlier state has it, which this names.
struct InReference {
  std::string reference;
  friend bool operator==(const InReference&, const InReference&) = default;
};
// The matrix that the rest of the id says, as computed, minus another one.
struct Minus {
  std::shared_ptr<const MatrixId> other;  // never null
  friend bool operator==(const Minus& a, const Minus& b);
};

}  // namespace made

using Making =
    std::variant<made::AsComputed, made::FromWeights, made::UnderFunction, made::FromPositions,
                 made::PositionEncoding, made::InReference, made::Minus>;

// Equal ids of one result have equal numbers. What a matrix does not depend on, such as the head of
// a rollout, is 0 in canonical ids.
struct MatrixId {
  Stage stage = Stage::Weights;
  HeadAddress head;
  Making making = {};
  friend bool operator==(const MatrixId&, const MatrixId&) = default;
};

bool is_computed(const MatrixId& id);  // a stage itself

// Rows are queries and columns keys.
bool is_token_by_token(const MatrixId& id);

// Whose tokens rows or columns are; nothing where they are none's, such as dimensions.
std::optional<Side> row_side(const MatrixId& id);
std::optional<Side> column_side(const MatrixId& id);

// Two matrices have the same rows and columns: (row, col) is the same pair of tokens in both,
// whatever head they are of; or they are one stage.
bool same_axes(const MatrixId& a, const MatrixId& b);

// One line that tells it from all others of a result: "weights/cross/0.0.1", "rollout
// 0.5/cross/0.0.0".
std::string text_of(const MatrixId& id);

}  // namespace attn
