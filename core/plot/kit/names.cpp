// Names tokens, heads, values and hits in words and labels.
#include "plot/kit/names.h"

#include <cctype>

#include "base/utf8.h"
#include "document/edit.h"
#include "engine/measures.h"

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
  // Unicode's marks: the sentence goes left to right, the token by itself as it is written.
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

// "head/2", and where that is not enough "layer/1/head/2".
std::string head_name(const HeadAddress& at) {
  std::string name;
  if (at.layer > 0) name += "layer/" + std::to_string(at.layer) + "/";
  if (at.sample > 0) name += "sample/" + std::to_string(at.sample) + "/";
  return name + "head/" + std::to_string(at.head);
}

std::string head_words(const HeadAddress& at) {
  const std::string words = counted("layer", at.layer) + ", " + counted("head", at.head);
  return at.sample > 0 ? counted("sample", at.sample) + ", " + words : words;
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
  std::string operator()(const HeadHit& h) const { return head_words(h.head); }
  std::string operator()(const HeadLabelHit& l) const {
    return counted("head", l.head.head) + ": " + label_name(l);
  }
};

}  // namespace

std::string hit_name(const HitId& hit) { return std::visit(Names{}, hit); }
std::string hit_words(const HitId& hit) { return std::visit(Words{}, hit); }

}  // namespace attn
