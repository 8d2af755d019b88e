// Texts and properties of matrix ids.
#include "engine/matrix/matrix_id.h"

#include <array>

#include "base/enum_table.h"
#include "base/number_text.h"

namespace attn {
namespace {

constexpr std::array<DerivedInfo, 4> kDerived = {{
    {Derived::Rollout, "rollout", "Attention rollout", "Share of the input",
     "What each token holds of each token of the input: the product of all layers", true},
    {Derived::Flow, "flow", "Attention flow", "Largest flow",
     "How much can flow from each token back to each token of the input through all layers", true},
    {Derived::HeadMean, "head_mean", "Mean of the heads", "Mean weight",
     "Attention weights averaged over the heads of a layer", false},
    {Derived::ValueNorm, "value_norm", "Weights × length of values", "Weight × ‖v‖",
     "How long a vector each key contributes: its weight times the length of its value", false},
}};
static_assert(is_indexed_by(kDerived, &DerivedInfo::derived));

struct MakingText {
  Stage stage;

  std::string operator()(const made::AsComputed& /*making*/) const {
    return std::string(stage_info(stage).name);
  }
  std::string operator()(const made::FromWeights& making) const {
    return std::string(derived_info(making.derived).name) + " " + short_text(making.residual, 17) +
           (making.without_first ? " without first" : "");
  }
  std::string operator()(const made::UnderFunction& making) const {
    return "under " + std::string(scoring_info(making.function).name);
  }
  std::string operator()(const made::FromPositions& /*making*/) const { return "from positions"; }
  std::string operator()(const made::PositionEncoding& /*making*/) const {
    return "position encoding";
  }
  std::string operator()(const made::InReference& making) const {
    return std::string(stage_info(stage).name) + " in " + making.reference;
  }
  std::string operator()(const made::Minus& making) const {
    return std::string(stage_info(stage).name) + " minus (" + text_of(*making.other) + ")";
  }
};

}  // namespace

std::span<const DerivedInfo> all_derived() { return kDerived; }

const DerivedInfo& derived_info(Derived derived) {
  return kDerived[static_cast<std::size_t>(derived)];
}

namespace made {

bool operator==(const Minus& a, const Minus& b) { return *a.other == *b.other; }

}  // namespace made

bool is_computed(const MatrixId& id) { return std::holds_alternative<made::AsComputed>(id.making); }

bool is_token_by_token(const MatrixId& id) {
  if (std::holds_alternative<made::PositionEncoding>(id.making)) return false;
  const bool of_stage = is_computed(id) || std::holds_alternative<made::InReference>(id.making) ||
                        std::holds_alternative<made::Minus>(id.making);
  return !of_stage || stage_info(id.stage).token_by_token();
}

std::optional<Side> row_side(const MatrixId& id) {
  if (std::holds_alternative<made::PositionEncoding>(id.making)) return std::nullopt;
  const bool keys = !is_token_by_token(id) && stage_info(id.stage).rows_are_keys();
  return keys ? Side::Key : Side::Query;
}

std::optional<Side> column_side(const MatrixId& id) {
  return is_token_by_token(id) ? std::optional(Side::Key) : std::nullopt;
}

bool same_axes(const MatrixId& a, const MatrixId& b) {
  if (!a.head.same_attention(b.head) || a.head.sample != b.head.sample) return false;
  if (is_token_by_token(a) && is_token_by_token(b)) return true;
  return a.stage == b.stage && a.making.index() == b.making.index();
}

std::string text_of(const MatrixId& id) {
  const HeadAddress& at = id.head;
  return std::visit(MakingText{id.stage}, id.making) + "/" + std::string(attention_info(at).name) +
         "/" + std::to_string(at.layer) + "." + std::to_string(at.sample) + "." +
         std::to_string(at.head);
}

}  // namespace attn
