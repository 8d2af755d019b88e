// The sentence of a cell.
#include <cmath>

#include "attention/mask.h"
#include "base/number_text.h"
#include "engine/matrix/derived.h"
#include "plot/kit/ask.h"
#include "plot/kit/names.h"

namespace attn {
namespace {

std::string named_token(const PlotInput& input, Side side, const HeadAddress& at,
                        std::size_t index) {
  return placed_token(input.document, side, at, index);
}

float value_of(const PlotInput& input, const CellHit& cell) {
  return input.result.value(cell.matrix.stage, cell.matrix.head, cell.row, cell.col);
}

// ", head 1", with layer and sample where there are several, and which attention.
std::string place(const AttentionProblem& problem, const CellHit& cell) {
  const AttentionShape& shape = problem.shape;
  std::string text;
  if (!stage_info(cell.matrix.stage).around_attention())
    text = which_attention(problem, cell.matrix.head, ", ");
  if (layers_of(shape, cell.matrix.stage) > 1)
    text += ", layer " + std::to_string(cell.matrix.head.layer + 1);
  if (shape.samples > 1) text += ", sample " + std::to_string(cell.matrix.head.sample + 1);
  if (stage_info(cell.matrix.stage).per_head)
    text += ", head " + std::to_string(cell.matrix.head.head + 1);
  const std::string shared = key_value_head(shape, cell.matrix.stage, cell.matrix.head.head);
  if (!shared.empty()) text += " (" + shared + ")";
  return text;
}

// In percent, with a digit after the point; of a small share the digits that say that it is not 0.
std::string percent_text(double share) {
  const double percent = 100.0 * share;
  return percent > 0.0 && percent < 0.05 ? short_text(percent, 2) : fixed_text(percent, 1);
}

// Masks mark given weights and change none.
std::string given_weight_sentence(const PlotInput& input, const CellHit& cell,
                                  const std::string& query, const std::string& key) {
  const float value = value_of(input, cell);
  const HiddenRules rules = input.result.hidden(cell.matrix.head, cell.row, cell.col);
  if (rules == kVisible) {
    return query + " takes " + percent_text(value) + " % from " + key;
  }
  constexpr std::string_view kHidden = "hidden ";
  std::string why = hidden_sentence(rules);
  if (why.starts_with(kHidden)) why.erase(0, kHidden.size());
  return query + " to " + key + ": marked " + why + "; the given weight is " + short_text(value);
}

// Of a source token on what the decoder makes of a step, or on the one fixed vector.
std::string influence_sentence(const PlotInput& input, const CellHit& cell) {
  const float value = value_of(input, cell);
  const std::string label(stage_info(cell.matrix.stage).label);
  if (cell.matrix.stage == Stage::Survival) {
    return label + " of " + named_token(input, Side::Key, cell.matrix.head, cell.row) +
           " in the one fixed vector: " + short_text(value);
  }
  return label + " of " + named_token(input, Side::Key, cell.matrix.head, cell.col) + " on the " +
         (input.result.shape().d_out > 0 ? "output" : "state") + " at " +
         named_token(input, Side::Query, cell.matrix.head, cell.row) + ": " + short_text(value);
}

std::string pair_sentence(const PlotInput& input, const CellHit& cell) {
  const std::string query = named_token(input, Side::Query, cell.matrix.head, cell.row);
  const std::string key = named_token(input, Side::Key, cell.matrix.head, cell.col);
  if (!has_scores(input.result.problem())) {
    return given_weight_sentence(input, cell, query, key);
  }
  const bool masked = cell.matrix.stage == Stage::Masked || cell.matrix.stage == Stage::Weights;
  if (masked && input.result.sees_no_key(cell.matrix.head, cell.row)) return query + " sees no key";
  if (masked) {
    const HiddenRules rules = input.result.hidden(cell.matrix.head, cell.row, cell.col);
    if (rules != kVisible) return query + " cannot see " + key + ": " + hidden_sentence(rules);
  }
  const float value = value_of(input, cell);
  if (cell.matrix.stage == Stage::Weights) {
    return query + " takes " + percent_text(value) + " % from " + key;
  }
  return value_name(cell.matrix.stage) + " of " + query + " and " + key + ": " + short_text(value);
}

std::string column_words(const PlotInput& input, const CellHit& cell) {
  const Extent columns = stage_info(cell.matrix.stage).columns;
  return feature_words(input.document,
                       feature_columns(input.result.shape(cell.matrix.head), columns), cell.col);
}

std::string feature_sentence(const PlotInput& input, const CellHit& cell) {
  const bool of_key = stage_info(cell.matrix.stage).rows_are_keys();
  const float value = value_of(input, cell);
  return std::string(stage_info(cell.matrix.stage).label) + " of " +
         named_token(input, of_key ? Side::Key : Side::Query, cell.matrix.head, cell.row) + ", " +
         column_words(input, cell) + ": " + short_text(value);
}

// "query takes 41.2 % from key" in the words of what it is.
struct DerivedSentence {
  const PlotInput& input;
  const CellHit& cell;
  double value;

  std::string query() const { return named(Side::Query, cell.row); }
  std::string key() const { return named(Side::Key, cell.col); }
  std::string named(Side side, std::size_t index) const {
    return named_token(input, side, cell.matrix.head, index);
  }
  std::string share() const { return percent_text(value) + " % "; }

  std::string operator()(const made::AsComputed& /*making*/) const { return ""; }
  std::string operator()(const made::FromWeights& making) const {
    const DerivedWords words =
        derived_words(input.result.problem(), making.derived, cell.matrix.head);
    switch (making.derived) {
      case Derived::Rollout:
        return query() + " holds " + share() + "of the input " + key() + " through all layers";
      case Derived::HeadMean:
        return query() + " takes " + share() + "from " + key() + " on the mean of " +
               std::to_string(input.result.shape().heads) + " heads";
      case Derived::Flow:
      case Derived::ValueNorm:
        break;
    }
    return std::string(words.quantity) + " of " + query() + " and " + key() + ": " +
           short_text(value);
  }
  std::string operator()(const made::UnderFunction& making) const {
    return query() + " would take " + share() + "from " + key() + " under " +
           std::string(scoring_info(making.function).label);
  }
  std::string operator()(const made::FromPositions& /*making*/) const {
    return query() + " would take " + share() + "from " + key() + " by positions alone";
  }
  std::string operator()(const made::PositionEncoding& /*making*/) const {
    return "Position " + std::to_string(cell.row) + ", " + column_words(input, cell) + ": " +
           short_text(value);
  }
  std::string operator()(const made::InReference& /*making*/) const {
    if (cell.matrix.stage == Stage::Weights) {
      return "In the reference, " + query() + " takes " + share() + "from " + key();
    }
    return "In the reference, " + value_words() + ": " + short_text(value);
  }
  std::string operator()(const made::Minus& /*making*/) const {
    if (cell.matrix.stage == Stage::Masked && std::isinf(value)) {
      return query() + " cannot see " + key() + (value < 0.0 ? " in A only" : " in B only");
    }
    if (cell.matrix.stage != Stage::Weights) {
      return "A − B, " + value_words() + ": " + short_text(value);
    }
    if (value == 0.0) return query() + " takes as much from " + key() + " in A as in B";
    return query() + " takes " + percent_text(std::abs(value)) + " percentage points " +
           (value > 0.0 ? "more" : "less") + " from " + key() + " in A than in B";
  }
  // "scaled score of “sat” (query 3) and “cat” (key 2)"
  std::string value_words() const {
    const StageInfo& info = stage_info(cell.matrix.stage);
    if (info.token_by_token()) {
      return value_name(cell.matrix.stage) + " of " + query() + " and " + key();
    }
    return std::string(info.label) + " of " +
           named(info.rows_are_keys() ? Side::Key : Side::Query, cell.row) + ", " +
           column_words(input, cell);
  }
};

// Of which layer, sample and head, as far as it depends on them.
std::string derived_place(const AttentionProblem& problem, const MatrixId& id) {
  if (std::holds_alternative<made::PositionEncoding>(id.making)) return "";
  const AttentionShape& shape = problem.shape;
  const auto* derived = std::get_if<made::FromWeights>(&id.making);
  const bool all_layers = derived != nullptr && derived_info(derived->derived).of_all_layers;
  const bool all_heads = derived != nullptr && derived->derived != Derived::ValueNorm;
  const bool first_only = std::holds_alternative<made::FromPositions>(id.making);
  std::string text = which_attention(problem, id.head, ", ");
  if (shape.layers > 1 && !all_layers && !first_only) {
    text += ", layer " + std::to_string(id.head.layer + 1);
  }
  if (shape.samples > 1) text += ", sample " + std::to_string(id.head.sample + 1);
  if (!all_heads) text += ", head " + std::to_string(id.head.head + 1);
  return text;
}

std::string derived_sentence(const PlotInput& input, const Matrix& matrix, const CellHit& cell) {
  const DerivedSentence words{input, cell, static_cast<double>(matrix.value(cell.row, cell.col))};
  const HiddenRules rules =
      matrix.is_masked() ? matrix.hidden(cell.row, cell.col) : HiddenRules{kVisible};
  std::string sentence = std::visit(words, cell.matrix.making);
  if (rules != kVisible) {
    const std::string why = hidden_words(cell.matrix, rules);
    const bool is_seen = !why.starts_with("hidden");  // but is left out
    sentence = words.query() + (is_seen ? " and " : " cannot see ") + words.key() + ": " + why;
  }
  return sentence + derived_place(input.result.problem(), cell.matrix);
}

}  // namespace

std::string cell_sentence(const PlotInput& input, const CellHit& cell) {
  const MatrixPtr matrix = matrix_in(input, cell.matrix);
  if (matrix == nullptr) return "";
  const StageShape extents = matrix->extents();
  if (cell.row >= extents.rows || cell.col >= extents.cols) return "";
  const StageInfo& info = stage_info(cell.matrix.stage);
  std::string sentence = !is_computed(cell.matrix) ? derived_sentence(input, *matrix, cell)
                         : info.role == StageRole::Influence ? influence_sentence(input, cell)
                         : info.token_by_token()             ? pair_sentence(input, cell)
                                                             : feature_sentence(input, cell);
  if (sentence.starts_with('t')) sentence.front() = 'T';  // a token without a name
  return is_computed(cell.matrix) ? sentence + place(input.result.problem(), cell) : sentence;
}

}  // namespace attn
