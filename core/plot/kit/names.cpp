// Names and labels of tokens, heads, values and hits, and the sentence of a cell.
#include "plot/kit/names.h"

#include <cmath>

#include "attention/mask.h"
#include "base/utf8.h"
#include "engine/matrix/derived.h"
#include "engine/measures.h"
#include "figure/text.h"

namespace attn {
namespace {

std::string in_quotes(const std::string& text) {
  constexpr std::size_t kLongest = 24;
  const std::string token = cut_to_ends(text, kLongest);
  if (!has_right_to_left(token)) return "“" + token + "”";
  // Unicode marks: the sentence runs left to right, the token in its own direction.
  constexpr std::string_view kLeftToRight = "\u200E", kIsolate = "\u2068", kEnd = "\u2069";
  return std::string(kLeftToRight) + "“" + std::string(kIsolate) + token + std::string(kEnd) + "”";
}

std::string nth(const std::string& what, std::size_t index) {
  return what + " " + grouped_text(index + 1);
}

// "head/2", with layer and sample when they are not 0: "layer/1/head/2".
std::string head_name(const HeadAddress& at) {
  std::string name;
  if (at.layer > 0) name += "layer/" + std::to_string(at.layer) + "/";
  if (at.sample > 0) name += "sample/" + std::to_string(at.sample) + "/";
  return name + "head/" + std::to_string(at.head);
}

struct HitText {
  std::string name, words;
};

struct HitTexts {
  HitText operator()(const auto& /*nameless*/) const { return {}; }
  HitText operator()(const ColorBarHit& b) const { return {b.is_words ? "range" : "colorbar", ""}; }
  HitText operator()(const RangeHit& r) const {
    return {r.is_high ? "range/high" : "range/low", ""};
  }
  HitText operator()(const OverviewHit&) const { return {"overview", ""}; }
  HitText operator()(const OptionHit& o) const {
    return {"option/" + o.field + "/" + o.label, o.field + ": " + o.label};
  }
  HitText operator()(const ReadingHit& r) const {
    return {"reading/" + r.what, r.what + ": " + r.number};
  }
  HitText operator()(const TokenHit& t) const {
    const std::string side = t.side == Side::Query ? "query" : "key";
    return {"token/" + side + "/" + std::to_string(t.index), nth(side, t.index)};
  }
  HitText operator()(const StageHit& s) const {
    const StageInfo& info = stage_info(s.stage);
    return {"stage/" + std::string(info.name), std::string(info.label)};
  }
  HitText operator()(const InputHit& i) const { return {"input/" + i.label, i.label}; }
  HitText operator()(const HeadHit& h) const {
    const std::string sample = h.head.sample > 0 ? nth("sample", h.head.sample) + ", " : "";
    return {head_name(h.head),
            sample + "layer " + std::to_string(h.layer) + ", " + nth("head", h.head.head)};
  }
  HitText operator()(const GateHit& g) const {
    const HitText head = (*this)(HeadHit{g.head, g.layer});
    return {"gate/" + head.name, "gate of " + head.words + ": × " + shortest_text(g.factor)};
  }
  HitText operator()(const AtlasHit& a) const {
    return {"atlas/" + head_name(a.out) + (a.out == a.read ? "" : "/" + head_name(a.read)),
            a.what + ": " + a.number};
  }
  HitText operator()(const HeadLabelHit& l) const {
    const std::string label(all_head_labels()[l.label].name);
    return {"label/" + std::to_string(l.head.head) + "/" + label,
            nth("head", l.head.head) + ": " + label};
  }
};

// Sentence of one cell, without its layer, sample and head.
struct CellSentence {
  const PlotInput& input;
  const Matrix& matrix;
  const CellHit& cell;
  const MatrixId& id = cell.matrix;
  const StageInfo& info = stage_info(id.stage);
  const double value = static_cast<double>(matrix.value(cell.row, cell.col));

  std::string token(Side side, std::size_t index) const {
    return placed_token(input.document, side, id.head, index);
  }
  std::string query() const { return token(Side::Query, cell.row); }
  std::string key() const { return token(Side::Key, cell.col); }
  // “animal” (feature 3), or feature 3.
  std::string column() const {
    const FeatureColumns columns = feature_columns(input.result.shape(id.head), info.columns);
    std::string number = nth("feature", cell.col);
    if (feature_name(input.document.features, columns, cell.col) == nullptr) return number;
    return quoted_feature(input.document, columns, cell.col) + " (" + number + ")";
  }
  std::string number() const { return ": " + with_minus(short_text(value)); }
  // "takes 41.2 % from “cat” (key 2)"
  std::string share(const std::string& verb) const {
    return " " + verb + " " + percent_text(value) + " % from " + key();
  }
  // "Scaled score of “sat” (query 3) and “cat” (key 2): 0.41"
  std::string reading() const {
    const std::string of =
        info.token_by_token()
            ? value_name(id.stage) + " of " + query() + " and " + key()
            : std::string(info.label) + " of " +
                  token(info.rows_are_keys() ? Side::Key : Side::Query, cell.row) + ", " + column();
    return of + number();
  }

  // Masks mark given weights without changing them.
  std::string of_given_weight(HiddenRules rules) const {
    if (rules == kVisible) return query() + share("takes");
    constexpr std::string_view kHidden = "hidden ";
    std::string why = hidden_sentence(rules);
    if (why.starts_with(kHidden)) why.erase(0, kHidden.size());
    return query() + " to " + key() + ": marked " + why + "; the given weight is " +
           with_minus(short_text(value));
  }
  // A weight of 1 is then the only possible one.
  bool sees_one_key() const {
    std::vector<HiddenRules> rules(input.result.shape(id.head).n_k);
    const Mask& mask = mask_of(input.result.problem(), id.head);
    return can_hide(mask) && hidden_row(mask, id.head, cell.row, rules) == 1;
  }
  // Influence of a source token on a step of the decoder, or on the fixed vector.
  std::string of_influence() const {
    const std::string label(info.label);
    if (id.stage == Stage::Survival) {
      return label + " of " + token(Side::Key, cell.row) + " in the one fixed vector" + number();
    }
    return label + " of " + key() + " on the " +
           (input.result.shape().d_out > 0 ? "output" : "state") + " at " + query() + number();
  }
  std::string of_stage() const {
    if (info.role == StageRole::Influence) return of_influence();
    if (!info.token_by_token()) return reading();
    const HiddenRules rules = input.result.hidden(id.head, cell.row, cell.col);
    if (!has_scores(input.result.problem())) return of_given_weight(rules);
    const bool masked = id.stage == Stage::Masked || id.stage == Stage::Weights;
    if (masked && input.result.sees_no_key(id.head, cell.row)) return query() + " sees no key";
    if (masked && rules != kVisible) {
      return query() + " cannot see " + key() + ": " + hidden_sentence(rules);
    }
    if (id.stage != Stage::Weights) return reading();
    return query() + share("takes") + (sees_one_key() ? ", the only key that it sees" : "");
  }

  std::string operator()(const made::AsComputed& /*making*/) const { return of_stage(); }
  std::string operator()(const made::FromWeights& making) const {
    const DerivedInfo words = derived_info(input.result.problem(), making.derived, id.head);
    switch (making.derived) {
      case Derived::Rollout:
        return query() + " holds " + percent_text(value) + " % of the input " + key() +
               " through all layers";
      case Derived::HeadMean:
        return query() + share("takes") + " on the mean of " +
               std::to_string(input.result.shape().heads) + " heads";
      case Derived::Flow:
      case Derived::ValueNorm:
        break;
    }
    return std::string(words.quantity) + " of " + query() + " and " + key() + number();
  }
  std::string operator()(const made::UnderFunction& making) const {
    return query() + share("would take") + " under " +
           std::string(scoring_info(making.function).label);
  }
  std::string operator()(const made::FromPositions& /*making*/) const {
    return query() + share("would take") + " by positions alone";
  }
  std::string operator()(const made::PositionEncoding& /*making*/) const {
    return "Position " + std::to_string(cell.row) + ", " + column() + number();
  }
  std::string operator()(const made::InReference& /*making*/) const {
    return "In the reference, " +
           (id.stage == Stage::Weights ? query() + share("takes") : reading());
  }
  std::string operator()(const made::Minus& /*making*/) const {
    if (id.stage == Stage::Masked && std::isinf(value)) {
      return query() + " cannot see " + key() + (value < 0.0 ? " in A only" : " in B only");
    }
    if (id.stage != Stage::Weights) return "A − B, " + reading();
    if (value == 0.0) return query() + " takes as much from " + key() + " in A as in B";
    return query() + " takes " + percent_text(std::abs(value)) + " percentage points " +
           (value > 0.0 ? "more" : "less") + " from " + key() + " in A than in B";
  }
  std::string worded() const {
    const bool is_derived = !is_computed(id);
    const HiddenRules rules = is_derived && matrix.is_masked() ? matrix.hidden(cell.row, cell.col)
                                                               : HiddenRules{kVisible};
    if (rules == kVisible) return std::visit(*this, id.making);
    const std::string why = hidden_words(id, rules);
    const bool is_seen = !why.starts_with("hidden");  // and is left out
    return query() + (is_seen ? " and " : " cannot see ") + key() + ": " + why;
  }
};

// ", head 1", with layer and sample when there are several, and the attention: as far as the
// matrix depends on them.
std::string place(const AttentionProblem& problem, const MatrixId& id) {
  if (std::holds_alternative<made::PositionEncoding>(id.making)) return "";
  const AttentionShape& shape = problem.shape;
  const StageInfo& info = stage_info(id.stage);
  if (is_computed(id)) {
    const std::string shared = key_value_head(shape, id.stage, id.head.head);
    return (info.around_attention() ? "" : which_attention(problem, id.head, ", ")) +
           place_words(shape, id.head, layers_of(shape, id.stage) > 1, info.per_head) +
           (shared.empty() ? "" : " (" + shared + ")");
  }
  const auto* derived = std::get_if<made::FromWeights>(&id.making);
  const bool all_layers = derived != nullptr && derived_info(derived->derived).of_all_layers;
  const bool all_heads = derived != nullptr && derived->derived != Derived::ValueNorm;
  const bool first_only = std::holds_alternative<made::FromPositions>(id.making);
  return which_attention(problem, id.head, ", ") +
         place_words(shape, id.head, shape.layers > 1 && !all_layers && !first_only, !all_heads);
}

}  // namespace

std::string percent_text(double share) {
  const double percent = 100.0 * share;
  return with_minus(percent > 0.0 && percent < 0.05 ? short_text(percent, 2)
                                                    : fixed_text(percent, 1));
}

std::string token_label(const Document& document, Side side, const HeadAddress& at,
                        std::size_t index) {
  const TokenList& tokens = tokens_of(document, side, at);
  return index < tokens.size() ? visible_token(tokens.spoken(index)) : std::to_string(index + 1);
}

std::string number_if_repeated(const Document& document, Side side, const HeadAddress& at,
                               std::size_t index) {
  constexpr std::size_t kMostCompared = 256;
  const TokenList& tokens = tokens_of(document, side, at);
  const std::string* const name = tokens.name_of(index);
  if (name == nullptr) return "";
  const bool is_repeated = tokens.size() > kMostCompared ||
                           std::ranges::count(tokens.names(), *name, &TokenName::text) > 1;
  return is_repeated ? " (" + std::to_string(index + 1) + ")" : "";
}

std::string quoted_token(const Document& document, Side side, const HeadAddress& at,
                         std::size_t index) {
  const std::string label = token_label(document, side, at, index);
  const bool has_name = tokens_of(document, side, at).name_of(index) != nullptr;
  return has_name ? in_quotes(label) : "token " + label;
}

std::string placed_token(const Document& document, Side side, const HeadAddress& at,
                         std::size_t index) {
  std::string token = quoted_token(document, side, at, index);
  if (tokens_of(document, side, at).name_of(index) == nullptr) return token;
  return token + " (" + (side == Side::Query ? "query " : "key ") + grouped_text(index + 1) + ")";
}

std::string spelled_token(const Document& document, Side side, const HeadAddress& at,
                          std::size_t index) {
  std::string shown = quoted_token(document, side, at, index);
  const TokenList& tokens = tokens_of(document, side, at);
  if (index >= tokens.size() || tokens.spoken(index) == tokens[index]) return shown;
  return shown + ", written " + in_quotes(visible_token(tokens[index]));
}

std::string vocabulary_label(const Vocabulary& vocabulary, std::uint32_t id, bool as_written) {
  const Tokenizer* const tokenizer = vocabulary.tokenizer.get();
  if (tokenizer == nullptr) return std::to_string(id);
  const std::string text = as_written ? tokenizer->token(id) : tokenizer->piece(id);
  return text.empty() ? std::to_string(id) : visible_token(text);
}

std::string feature_label(const Document& document, const FeatureColumns& columns,
                          std::size_t column) {
  return visible_token(feature_label(document.features, columns, column));
}

std::string what_if_sentence(const FittedView& view) {
  if (!view.options.on_screen) return "";
  const std::string list = list_of(view.result.problem().what_if, view.result.shape());
  return list.empty() ? "" : "Changed: " + list + ". ";
}

std::string quoted_feature(const Document& document, const FeatureColumns& columns,
                           std::size_t column) {
  const std::string label = feature_label(document, columns, column);
  return feature_name(document.features, columns, column) == nullptr ? label : in_quotes(label);
}

std::string concealed_words(std::uint64_t cells) {
  if (cells == 0) return "";
  return counted(cells, "cell is", "cells are") + " concealed until the guess.";
}

std::string value_name(Stage stage) {
  const StageInfo& info = stage_info(stage);
  if (stage == Stage::Weights) return "Attention weight";
  if (stage == Stage::Scores) return "Score";
  if (info.role == StageRole::Scores) return std::string(info.label) + " score";
  return info.role == StageRole::Influence ? "Norm of the derivative" : "Feature value";
}

std::string key_value_head(const AttentionShape& shape, Stage stage, std::size_t head) {
  const bool of_keys = stage_info(stage).rows_are_keys();
  if (!of_keys || shape.kv_heads == shape.heads) return "";
  return "key-value head " + std::to_string(head / (shape.heads / shape.kv_heads) + 1);
}

std::string numbered(const char* what, std::size_t index, std::size_t count) {
  if (count < 2) return "";
  return std::string(", ") + what + " " + std::to_string(index + 1) + " of " +
         std::to_string(count);
}

std::string numbered_layer(const AttentionShape& shape, std::size_t layer) {
  if (shape.layer_numbers.empty()) return numbered("layer", layer, shape.layers);
  return ", layer " + std::to_string(layer_number(shape, layer));
}

std::string address_words(const AttentionShape& shape, const HeadAddress& at, bool with_head) {
  return numbered_layer(shape, at.layer) + numbered("sample", at.sample, shape.samples) +
         (with_head ? numbered("head", at.head, shape.heads) : "");
}

std::string place_words(const AttentionShape& shape, const HeadAddress& at, bool with_layer,
                        bool with_head) {
  const auto part = [](bool is_said, const char* what, std::uint64_t number) {
    return is_said ? std::string(what) + std::to_string(number) : "";
  };
  return part(with_layer, ", layer ", layer_number(shape, at.layer)) +
         part(shape.samples > 1, ", sample ", at.sample + 1) +
         part(with_head, ", head ", at.head + 1);
}

std::string which_attention(const AttentionProblem& problem, const HeadAddress& at,
                            const std::string& before) {
  if (attentions_of(problem).size() == 1) return "";
  return before + in_small_letters(attention_info(at).label);
}

std::string hit_name(const HitId& hit) { return std::visit(HitTexts{}, hit).name; }
std::string hit_words(const HitId& hit) { return std::visit(HitTexts{}, hit).words; }

std::string cell_sentence(const PlotInput& input, const CellHit& cell) {
  const MatrixPtr matrix = matrix_in(input, cell.matrix);
  if (matrix == nullptr) return "";
  const StageShape extents = matrix->extents();
  if (cell.row >= extents.rows || cell.col >= extents.cols) return "";
  return as_sentence(CellSentence{input, *matrix, cell}.worded()) +
         place(input.result.problem(), cell.matrix);
}

}  // namespace attn
