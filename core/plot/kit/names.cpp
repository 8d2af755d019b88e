// Names and labels of tokens, heads, values and hits, and the sentence of a cell.
#include "plot/kit/names.h"

#include <cctype>
#include <cmath>

#include "attention/mask.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "document/edit.h"
#include "engine/matrix/derived.h"
#include "engine/measures.h"
#include "plot/kit/ask.h"

namespace attn {

std::string token_label(const Document& document, Side side, const HeadAddress& at,
                        std::size_t index) {
  const TokenList& tokens = tokens_of(document, side, at);
  return index < tokens.size() ? visible_token(tokens.spoken(index)) : std::to_string(index);
}

namespace {

std::string in_quotes(const std::string& text) {
  constexpr std::size_t kLongest = 24;
  const std::string token = cut_to_ends(text, kLongest);
  if (!has_right_to_left(token)) return "“" + token + "”";
  // Unicode marks: the sentence runs left to right, the token in its own direction.
  constexpr std::string_view kLeftToRight = "\u200E", kIsolate = "\u2068", kEnd = "\u2069";
  return std::string(kLeftToRight) + "“" + std::string(kIsolate) + token + std::string(kEnd) + "”";
}

}  // namespace

std::string quoted_token(const Document& document, Side side, const HeadAddress& at,
                         std::size_t index) {
  const std::string label = token_label(document, side, at, index);
  const bool has_name = tokens_of(document, side, at).name_of(index) != nullptr;
  return has_name ? in_quotes(label) : "token " + label;
}

std::string placed_token(const Document& document, Side side, const HeadAddress& at,
                         std::size_t index) {
  const std::string token = quoted_token(document, side, at, index);
  if (tokens_of(document, side, at).name_of(index) == nullptr) return token;
  return token + " (" + (side == Side::Query ? "query " : "key ") + std::to_string(index + 1) + ")";
}

std::string spelled_token(const Document& document, Side side, const HeadAddress& at,
                          std::size_t index) {
  std::string shown = quoted_token(document, side, at, index);
  const TokenList& tokens = tokens_of(document, side, at);
  if (index >= tokens.size() || tokens.spoken(index) == tokens[index]) return shown;
  return shown + ", written " + in_quotes(visible_token(tokens[index]));
}

std::string feature_label(const Document& document, const FeatureColumns& columns,
                          std::size_t column) {
  return visible_token(feature_label(document.features, columns, column));
}

std::string quoted_feature(const Document& document, const FeatureColumns& columns,
                           std::size_t column) {
  const std::string label = feature_label(document, columns, column);
  return feature_name(document.features, columns, column) == nullptr ? label : in_quotes(label);
}

std::string feature_words(const Document& document, const FeatureColumns& columns,
                          std::size_t column) {
  std::string number = "feature " + std::to_string(column);
  if (feature_name(document.features, columns, column) == nullptr) return number;
  return quoted_feature(document, columns, column) + " (" + number + ")";
}

std::string value_name(Stage stage) {
  switch (stage) {
    case Stage::Weights:
      return "Attention weight";
    case Stage::Scores:
      return "Score";
    case Stage::Scaled:
      return "Scaled score";
    case Stage::Softcapped:
      return "Softcapped score";
    case Stage::Masked:
      return "Masked score";
    case Stage::Influence:
    case Stage::FixedInfluence:
    case Stage::Survival:
      return "Norm of the derivative";
    default:
      return "Feature value";
  }
}

std::string key_value_head(const AttentionShape& shape, Stage stage, std::size_t head) {
  const bool of_keys = stage_info(stage).rows_are_keys();
  if (!of_keys || shape.kv_heads == shape.heads) return "";
  return "key-value head " + std::to_string(head / (shape.heads / shape.kv_heads) + 1);
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string numbered(const char* what, std::size_t index, std::size_t count) {
  if (count < 2) return "";
  return std::string(", ") + what + " " + std::to_string(index + 1) + " of " +
         std::to_string(count);
}

std::string address_words(const AttentionShape& shape, const HeadAddress& at, bool with_head) {
  return numbered("layer", at.layer, shape.layers) + numbered("sample", at.sample, shape.samples) +
         (with_head ? numbered("head", at.head, shape.heads) : "");
}

std::string place_words(const AttentionShape& shape, const HeadAddress& at, bool with_layer,
                        bool with_head) {
  const auto part = [](bool is_said, const char* what, std::size_t index) {
    return is_said ? std::string(what) + std::to_string(index + 1) : "";
  };
  return part(with_layer, ", layer ", at.layer) + part(shape.samples > 1, ", sample ", at.sample) +
         part(with_head, ", head ", at.head);
}

std::string which_attention(const AttentionProblem& problem, const HeadAddress& at,
                            const std::string& before) {
  if (attentions_of(problem).size() == 1) return "";
  std::string label(attention_info(at).label);
  label.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(label.front())));
  return before + label;
}

namespace {

std::string side_name(const TokenHit& token) { return token.side == Side::Query ? "query" : "key"; }

std::string label_name(const HeadLabelHit& label) {
  return std::string(all_head_labels()[label.label].name);
}

std::string counted(const std::string& what, std::size_t index) {
  return what + " " + std::to_string(index + 1);
}

// "head/2", with layer and sample when they are not 0: "layer/1/head/2".
std::string head_name(const HeadAddress& at) {
  std::string name;
  if (at.layer > 0) name += "layer/" + std::to_string(at.layer) + "/";
  if (at.sample > 0) name += "sample/" + std::to_string(at.sample) + "/";
  return name + "head/" + std::to_string(at.head);
}

struct Names {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const CellHit&) const { return ""; }
  std::string operator()(const ColorBarHit&) const { return "colorbar"; }
  std::string operator()(const RangeHit& r) const { return r.is_high ? "range/high" : "range/low"; }
  std::string operator()(const OverviewHit&) const { return "overview"; }
  std::string operator()(const OptionHit& o) const { return "option/" + o.field + "/" + o.label; }
  std::string operator()(const ReadingHit& r) const { return "reading/" + r.what; }
  std::string operator()(const TokenHit& t) const {
    return "token/" + side_name(t) + "/" + std::to_string(t.index);
  }
  std::string operator()(const StageHit& s) const {
    return "stage/" + std::string(stage_info(s.stage).name);
  }
  std::string operator()(const InputHit& i) const { return "input/" + i.label; }
  std::string operator()(const HeadHit& h) const { return head_name(h.head); }
  std::string operator()(const HeadLabelHit& l) const {
    return "label/" + std::to_string(l.head.head) + "/" + label_name(l);
  }
};

struct Words {
  std::string operator()(const auto&) const { return ""; }
  std::string operator()(const OptionHit& o) const { return o.field + ": " + o.label; }
  std::string operator()(const ReadingHit& r) const { return r.what + ": " + r.number; }
  std::string operator()(const TokenHit& t) const { return counted(side_name(t), t.index); }
  std::string operator()(const StageHit& s) const { return std::string(stage_info(s.stage).label); }
  std::string operator()(const InputHit& i) const { return i.label; }
  std::string operator()(const HeadHit& h) const {
    const std::string sample = h.head.sample > 0 ? counted("sample", h.head.sample) + ", " : "";
    return sample + counted("layer", h.head.layer) + ", " + counted("head", h.head.head);
  }
  std::string operator()(const HeadLabelHit& l) const {
    return counted("head", l.head.head) + ": " + label_name(l);
  }
};

}  // namespace

std::string hit_name(const HitId& hit) { return std::visit(Names{}, hit); }
std::string hit_words(const HitId& hit) { return std::visit(Words{}, hit); }

namespace {

std::string named_token(const PlotInput& input, Side side, const HeadAddress& at,
                        std::size_t index) {
  return placed_token(input.document, side, at, index);
}

float value_of(const PlotInput& input, const CellHit& cell) {
  return input.result.value(cell.matrix.stage, cell.matrix.head, cell.row, cell.col);
}

// ", head 1", with layer and sample when there are several, and the attention.
std::string place(const AttentionProblem& problem, const CellHit& cell) {
  const HeadAddress& at = cell.matrix.head;
  const StageInfo& info = stage_info(cell.matrix.stage);
  const std::string shared = key_value_head(problem.shape, info.stage, at.head);
  return (info.around_attention() ? "" : which_attention(problem, at, ", ")) +
         place_words(problem.shape, at, layers_of(problem.shape, info.stage) > 1, info.per_head) +
         (shared.empty() ? "" : " (" + shared + ")");
}

// Percent with one decimal; two significant digits for small shares, which must not look like 0.
std::string percent_text(double share) {
  const double percent = 100.0 * share;
  return percent > 0.0 && percent < 0.05 ? short_text(percent, 2) : fixed_text(percent, 1);
}

// Masks mark given weights without changing them.
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

// Influence of a source token on a step of the decoder, or on the fixed vector.
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

// Sentence of a cell of a derived matrix, such as "query takes 41.2 % from key".
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

// Layer, sample and head, as far as the matrix depends on them.
std::string derived_place(const AttentionProblem& problem, const MatrixId& id) {
  if (std::holds_alternative<made::PositionEncoding>(id.making)) return "";
  const AttentionShape& shape = problem.shape;
  const auto* derived = std::get_if<made::FromWeights>(&id.making);
  const bool all_layers = derived != nullptr && derived_info(derived->derived).of_all_layers;
  const bool all_heads = derived != nullptr && derived->derived != Derived::ValueNorm;
  const bool first_only = std::holds_alternative<made::FromPositions>(id.making);
  return which_attention(problem, id.head, ", ") +
         place_words(shape, id.head, shape.layers > 1 && !all_layers && !first_only, !all_heads);
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
