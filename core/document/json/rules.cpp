// Keys of scoring, positions and masks.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/number_text.h"
#include "document/json/document_text.h"
#include "document/json/tensors.h"

namespace attn {
namespace {

using Kind = JsonValue::Kind;

// --- scoring

namespace scoring_keys {
using Key = RowOf<ScoringText>;
constexpr Row kAll[] = {
    Key::always<&Scoring::function>(
        "function",
        name_form<all_scoring_functions, &ScoringFunctionInfo::function>("scoring function"),
        "scaled_dot q·k/√d_k; dot q·k; general q·W·k; concat v·tanh(W[q; k]); additive "
        "v·tanh(W_query q + W_key k + b); location: row j of W · q."),
    Key::at<&Scoring::scale>(
        "scale", kFinite,
        "Factor of the scores; when absent 1/√d_k for scaled_dot, 1 for the others."),
    Key::at<&Scoring::softcap>("softcap", kPositive,
                               "Keeps scores within ±c by c·tanh(x/c), after the scale and before "
                               "the bias; off when absent."),
    Key::at<&Scoring::temperature>("temperature", kPositive,
                                   "Divides the logits before the normaliser; 1 when absent."),
    Key::at<&Scoring::normaliser>(
        "normaliser", name_form<all_normalisers, &NormaliserInfo::normaliser>("normaliser"),
        "softmax: rows sum to 1; sigmoid: each cell independently; sparsemax: rows sum to 1 with "
        "exact zeros."),
    Key::at<&Scoring::sinks>("sinks", kFinites,
                             "Extra logits that take a share of the softmax and have no value: one "
                             "for all heads, or one per head."),
    Key::at<&Scoring::w>("w", depth(2, 3),
                         "general (d_q, d_k), concat (d_a, d_q + d_k), location (n_k or more, "
                         "d_q); with a leading axis one per head. Generated when absent."),
    Key::at<&Scoring::w_query>(
        "w_query", depth(2, 3),
        "additive (d_a, d_q); with a leading axis one per head. Generated when absent."),
    Key::at<&Scoring::w_key>(
        "w_key", depth(2, 3),
        "additive (d_a, d_k); with a leading axis one per head. Generated when absent."),
    Key::at<&Scoring::v>(
        "v", depth(1, 2),
        "concat and additive (d_a); with a leading axis one per head. Generated when absent."),
    Key::at<&Scoring::b>("b", depth(1, 2),
                         "additive (d_a); with a leading axis one per head. Optional."),
    Key::at<&ScoringText::d_a>(
        "d_a", kCount,
        "Hidden units of generated matrices for concat and additive; d_k when absent."),
};
}  // namespace scoring_keys

// --- what if

bool read_gate(JsonValue json, float& factor) {
  const std::string found = json.describe();
  if (!json.read_float(factor)) return false;
  return (factor >= 0.0F && factor <= kLargestGate) ||
         json.refuse("a gate is a factor of a head", found, "a number from 0 to 2");
}

constexpr auto kGateForm = form_of<float, read_gate, write_value<float>>(
    {.one_of = R"({"type": "number", "minimum": 0, "maximum": 2})"});

// The member that only the key names.
auto& attention_in(auto& at) {
  auto& [layer, sample, head, attention] = at;
  return attention;
}

// The key of one part of the head that an entry is about.
template <class Entry, std::size_t HeadAddress::*part>
constexpr RowOf<Entry> head_key(const char* name, const char* words) {
  return RowOf<Entry>::by(
      name, kIndex, [](Entry& entry) -> std::size_t& { return entry.at.*part; },
      [](const Entry& entry) { return &(entry.at.*part); }, words);
}
template <class Entry>
constexpr Row kLayerKey =
    head_key<Entry, &HeadAddress::layer>("layer", "Layer, counted from 0.").required();
template <class Entry>
constexpr Row kHeadKey =
    head_key<Entry, &HeadAddress::head>("head", "Head, counted from 0.").required();
template <class Entry>
constexpr Row kAttentionKey =
    RowOf<Entry>::by(
        "attention", name_form<all_attentions, &AttentionInfo::attention>("attention"),
        [](Entry& entry) -> std::size_t& { return attention_in(entry.at); },
        [](const Entry& entry) { return &attention_in(entry.at); },
        "Which attention of a decoder; the one to the keys when absent.")
        .when([](const Entry& entry) { return !entry.at.same_attention({}); })
        .absent_means("\"cross\"");

namespace gate_keys {
constexpr Row kAll[] = {
    kAttentionKey<HeadGate>,
    kLayerKey<HeadGate>,
    kHeadKey<HeadGate>,
    RowOf<HeadGate>::always<&HeadGate::factor>(
        "factor", kGateForm,
        "Factor of the head's output in front of w_o: 0 takes the head out, 2 doubles it.")
        .required(),
};
}  // namespace gate_keys

namespace pattern_keys {
constexpr Row kAll[] = {
    kAttentionKey<HeadPattern>,
    kLayerKey<HeadPattern>,
    kHeadKey<HeadPattern>,
    head_key<HeadPattern, &HeadAddress::sample>("sample", "Sample, counted from 0.")
        .when([](const HeadPattern& pattern) { return pattern.at.sample > 0; })
        .absent_means("0"),
    RowOf<HeadPattern>::always<&HeadPattern::weights>(
        "weights", depth(2),
        "(n_q, n_k): weights in place of those from the scores; 0 where the mask hides.")
        .required(),
};
}  // namespace pattern_keys

namespace edge_keys {
using Key = RowOf<CutEdge>;
constexpr Choice<Stage> kInputs[] = {{"q", Stage::Query}, {"k", Stage::Key}, {"v", Stage::Value}};
constexpr Row kAll[] = {
    kLayerKey<CutEdge>,
    kHeadKey<CutEdge>,
    Key::always<&CutEdge::input>("input", choice_form<kInputs>("input of a head"),
                                 "What the head makes without the other one's output.")
        .required(),
    Key::by(
        "from_layer", kIndex, [](CutEdge& edge) -> std::size_t& { return edge.from.layer; },
        [](const CutEdge& edge) { return &edge.from.layer; },
        "Layer of the other head, an earlier one.")
        .required(),
    Key::by(
        "from_head", kIndex, [](CutEdge& edge) -> std::size_t& { return edge.from.head; },
        [](const CutEdge& edge) { return &edge.from.head; }, "The other head.")
        .required(),
};
}  // namespace edge_keys

constexpr ObjectOf<HeadGate> kGateObject{{.rows = gate_keys::kAll}};

constexpr ObjectOf<HeadPattern> kPatternObject{{.rows = pattern_keys::kAll}};

constexpr ObjectOf<CutEdge> kEdgeObject{{.rows = edge_keys::kAll}};

bool are_of_one(const auto& one, const auto& other) { return one.at == other.at; }
bool are_of_one(const CutEdge& one, const CutEdge& other) { return one == other; }

const char* place_in_words(const CutEdge* /*entries*/) { return "path"; }
const char* place_in_words(const auto* /*entries*/) { return "head"; }

// Reads entries in any order, each head or edge once.
template <class Entry>
bool read_entries(JsonValue json, std::vector<Entry>& entries, const ObjectOf<Entry>& object,
                  const std::string& noun, const char* example) {
  const std::string of = place_in_words(entries.data());
  const auto read_one = [&](JsonValue item, Entry& entry) {
    const std::size_t known = item.reader().errors().size();
    entry = {};
    if (!read_as(item, object, entry)) return false;
    for (const Row& row : object.rows) {
      if (!row.is_required || item.has(row.key)) continue;
      return item.refuse("a " + noun + " lacks a key", "no \"" + std::string(row.key) + "\"",
                         example);
    }
    if (item.reader().errors().size() > known) return true;  // reported already
    const auto is_again = [&](const Entry& other) { return are_of_one(other, entry); };
    return std::ranges::none_of(entries, is_again) ||
           item.refuse("two " + noun + "s of one " + of, "a second one", "one for each " + of);
  };
  return read_list(json, entries, sizeof(Entry), "no " + noun + "s", "at least one " + noun,
                   read_one);
}

bool read_gates(JsonValue json, std::vector<HeadGate>& gates) {
  if (!read_entries(json, gates, kGateObject, "gate", R"({"layer": 5, "head": 1, "factor": 0})")) {
    return false;
  }
  Interventions ordered;
  for (const HeadGate& gate : gates) set_gate(ordered, gate.at, gate.factor);
  gates = std::move(ordered.gates);
  return true;
}

bool read_patterns(JsonValue json, std::vector<HeadPattern>& patterns) {
  if (!read_entries(json, patterns, kPatternObject, "pattern",
                    R"({"layer": 5, "head": 1, "weights": [[1, 0], [0.5, 0.5]]})")) {
    return false;
  }
  Interventions ordered;
  for (HeadPattern& pattern : patterns) {
    set_pattern(ordered, pattern.at, std::move(pattern.weights));
  }
  patterns = std::move(ordered.patterns);
  return true;
}

bool read_edges(JsonValue json, std::vector<CutEdge>& edges) {
  if (!read_entries(json, edges, kEdgeObject, "cut edge",
                    R"({"layer": 5, "head": 1, "input": "k", "from_layer": 2, "from_head": 4})")) {
    return false;
  }
  Interventions ordered;
  for (const CutEdge& edge : edges) set_edge(ordered, edge, true);
  edges = std::move(ordered.edges);
  return true;
}

template <class Entry, const ObjectOf<Entry>& object>
void write_entries(const TextWriter& to, const std::vector<Entry>& entries) {
  append_list(to.out, entries.size(), to.level, [&](std::size_t i) {
    write_object({to.out, to.level + 1, to.count, to.known}, object, &entries[i]);
  });
}

constexpr Row kWhatIfKeys[] = {
    RowOf<Interventions>::at<&Interventions::gates>(
        "gates",
        form_of<std::vector<HeadGate>, read_gates, write_entries<HeadGate, kGateObject>>(
            {.one_of = "objects", .object = &kGateObject}),
        "Factors of heads in front of w_o; other heads have 1."),
    RowOf<Interventions>::at<&Interventions::patterns>(
        "patterns",
        form_of<std::vector<HeadPattern>, read_patterns,
                write_entries<HeadPattern, kPatternObject>>(
            {.one_of = "objects", .object = &kPatternObject}),
        "Weights of heads in place of those from their scores."),
    RowOf<Interventions>::at<&Interventions::edges>(
        "edges",
        form_of<std::vector<CutEdge>, read_edges, write_entries<CutEdge, kEdgeObject>>(
            {.one_of = "objects", .object = &kEdgeObject}),
        "Paths from heads to later ones that are cut: a head makes its queries, keys or values "
        "without the output of an earlier head. Of blocks with norms in front of their parts.")};

// --- mask

// One list, or one per sample. read_one(json, list) reads one of them.
template <class List, class ReadOne>
bool read_one_or_many(JsonValue json, std::vector<List>& lists, ReadOne read_one) {
  const auto add = [&](JsonValue one) { return read_item(one, lists, 2 * sizeof(List), read_one); };
  return json.is_list_of("[") ? json.each_item(add) : add(json);
}

bool read_flags(JsonValue json, std::vector<std::uint8_t>& flags) {
  return read_list(json, flags, 2, "no flags", "one flag for each token", read_element);
}

bool read_padding(JsonValue json, PaddingLists& lists) {
  return read_one_or_many(json, lists, read_flags);
}

// Reads "segments" or "query_segments", of which only one may be given.
bool read_segments(JsonValue json, SegmentLists& lists) {
  if (lists.empty())
    return read_one_or_many(json, lists, read_one_or_list<std::int64_t, read_integer>);
  return json.refuse("two keys exclude each other", "segments and query_segments",
                     "segments for both sides, or query_segments and key_segments");
}

template <class List>
void write_lists(const TextWriter& to, const std::vector<List>& lists) {
  append_lists(to.out, lists, to.level);
}

Window& window_of(Mask& mask) { return mask.window ? *mask.window : mask.window.emplace(); }

// true: the standard slopes; false: none; a number or a list: these.
bool read_alibi(JsonValue json, std::optional<std::vector<float>>& alibi) {
  std::vector<float> slopes;
  bool wanted = true;
  const bool is_flag = json.kind() == Kind::Bool;
  if (is_flag ? !json.read_bool(wanted) : !read_one_or_list<float, read_finite>(json, slopes))
    return false;
  if (wanted) alibi = std::move(slopes);
  return true;
}

void write_alibi(const TextWriter& to, const std::optional<std::vector<float>>& alibi) {
  alibi->empty() ? write_bool(to, true) : write_one_or_list(to, *alibi);
}

constexpr auto kPaddingForm =
    form_of<PaddingLists, read_padding, write_lists<std::vector<std::uint8_t>>>(
        {.one_of = "padding"});
constexpr auto kSegmentsForm =
    form_of<SegmentLists, read_segments, write_lists<std::vector<std::int64_t>>>(
        {.one_of = "segments"});
constexpr auto kAlibiForm = form_of<std::optional<std::vector<float>>, read_alibi, write_alibi>(
    {.one_of = "boolean|finite|finites"});

namespace relative_keys {
using Key = RowOf<RelativeBias>;
constexpr Row kAll[] = {
    Key::at<&RelativeBias::table>("table", depth(1, 2),
                                  "(buckets, heads), or one number per bucket for all heads.")
        .required(),
    Key::always<&RelativeBias::bidirectional>("bidirectional", kBool,
                                              "Half of the buckets for keys after the query."),
    Key::always<&RelativeBias::max_distance>("max_distance", kCount,
                                             "Distances from this one on share the last bucket."),
};
}  // namespace relative_keys

bool settle_relative(JsonValue json, void* object, bool is_sound) {
  if (!is_sound) return true;  // the error may be about the table
  RelativeBias& bias = *static_cast<RelativeBias*>(object);
  if (bias.table.empty()) {
    return json.refuse("relative buckets need their numbers", "no table",
                       "\"table\" with a number for each bucket");
  }
  if (bias.table.rank() == 1) bias.table = bias.table.reshaped({bias.table.size(), 1});
  return true;
}

constexpr ObjectOf<RelativeBias> kRelativeObject{
    {.rows = relative_keys::kAll, .settle = settle_relative}};

namespace mask_keys {
using Key = RowOf<MaskText>;
constexpr Row kAll[] = {
    Key::by(
        "causal", kBool,
        [](MaskText& mask) -> bool& {
          mask.says_causal = true;
          return mask.causal;
        },
        [](const MaskText& mask) { return &mask.causal; },
        "Each query sees the keys up to its own position plus causal_offset. If a document gives "
        "weights of one sequence and no rule on visible keys, and all weights above the diagonal "
        "are 0, it is read as true. With a model its rule stays where the key is absent.")
        .absent_means("false"),
    Key::at<&Mask::causal_offset>(
        "causal_offset", kIntegers,
        "Moves the causal diagonal to the right; one number, or one per sample.")
        .absent_means("0"),
    Key::at<&Mask::prefix>(
        "prefix", kIndices,
        "Number of first keys exempt from the causal rule; one number, or one per sample."),
    Key::by(
        "window", kWindowForm, [](MaskText& mask) -> Window& { return window_of(mask); },
        [](const MaskText& mask) { return mask.window ? &*mask.window : nullptr; },
        "[left, right]: how far before and after its own position plus causal_offset a query sees; "
        "null: without end."),
    Key::by(
        "dilation", kCount,
        [](MaskText& mask) -> std::uint64_t& { return window_of(mask).dilation; },
        [](const MaskText& mask) {
          return mask.window && mask.window->dilation != 1 ? &mask.window->dilation : nullptr;
        },
        "Only every n-th key around the query counts, and the window reaches n times as far.")
        .absent_means("1"),
    Key::at<&Mask::sink_tokens>("sink_tokens", kIndex,
                                "Leading keys that stay visible outside the window."),
    Key::at<&Mask::query_segments>("segments", kSegmentsForm,
                                   "A number for each token: a query sees only keys of its own "
                                   "segment. One list, or one per sample.")
        .when([](const MaskText& mask) {
          return !mask.query_segments.empty() && mask.key_segments.empty();
        }),
    Key::at<&Mask::query_segments>("query_segments", kSegmentsForm,
                                   "Segments of the queries, when keys have others.")
        .when([](const MaskText& mask) {
          return !mask.query_segments.empty() && !mask.key_segments.empty();
        }),
    Key::at<&Mask::key_segments>("key_segments", kSegmentsForm, "Segments of the keys."),
    Key::at<&Mask::key_padding>(
        "key_padding", kPaddingForm,
        "Which keys are real tokens; the others are hidden from every query."),
    Key::at<&Mask::query_padding>("query_padding", kPaddingForm,
                                  "Which queries are real tokens; the others see no key."),
    Key::at<&MaskText::key_lengths>("key_lengths", kIndices,
                                    "How many first keys are real tokens, one number or one per "
                                    "sample, in place of key_padding."),
    Key::at<&MaskText::query_lengths>("query_lengths", kIndices,
                                      "How many first queries are real tokens, one number or one "
                                      "per sample, in place of query_padding."),
    Key::at<&Mask::visible>(
        "visible", kFlagsOfAnyDepth,
        "Cells that may be seen; its last axes are (layers, samples, heads, queries, "
        "keys), and an axis of length 1 serves for all."),
    Key::at<&Mask::bias>(
        "bias", depth(1, 5),
        "Added to the scaled scores; its last axes are (layers, samples, heads, queries, "
        "keys), and an axis of length 1 serves for all."),
    Key::at<&Mask::alibi>("alibi", kAlibiForm,
                          "Adds -slope · distance to the scores: true for the standard slopes, or "
                          "one slope, or one per head."),
    Key::at<&Mask::relative>("relative_buckets", object_form(kRelativeObject),
                             "T5's relative bias: a number for each bucket of distances."),
};
}  // namespace mask_keys

// --- position

constexpr Choice<PositionLayout> kLayouts[] = {{"interleaved", PositionLayout::Interleaved},
                                               {"halves", PositionLayout::Halves}};

namespace position_keys {
using Key = RowOf<PositionText>;
constexpr Row kAll[] = {
    Key::always<&Position::kind>(
        "kind", name_form<all_position_kinds, &PositionKindInfo::kind>("position encoding"),
        "sinusoidal and learned are added to embeddings; rope rotates pairs of columns of queries "
        "and keys."),
    Key::at<&Position::table>(
        "table", depth(2),
        "learned: a row for each position, as wide as the embeddings. Generated when absent.")
        .when([](const PositionText& position) {
          return position_info(position.kind).has_table && !position.table.empty();
        }),
    Key::at<&PositionText::said_layout>(
        "layout", choice_form<kLayouts>("layout"),
        "sinusoidal: sin and cos alternate, or all sines come first; rope: neighbouring columns "
        "make a pair, or columns half the width apart. Default: interleaved for sinusoidal, halves "
        "for rope."),
    Key::at<&Position::base>("base", kPositive,
                             "Pair i of d columns has the wavelength 2π · base^(2i/d).")
        .when([](const PositionText& position) {
          return position_info(position.kind).waves || position.base != Position{}.base;
        }),
    Key::at<&Position::rotary_dim>(
        "rotary_dim",
        form_of<std::uint64_t, read_count_of_form, write_value<std::uint64_t>>(
            {.one_of = R"({"type": "integer", "minimum": 2})", .low = 2}),
        "Number of first columns that are rotated, an even number; all when absent."),
    Key::at<&Position::scaling>(
        "scaling", name_form<all_rope_scalings, &RopeScalingInfo::scaling>("scaling"),
        "rope beyond the trained length: linear divides positions by factor, ntk raises the base; "
        "llama3 and yarn divide the frequencies of columns that turn seldom by factor, longrope "
        "divides each by one of factors."),
    Key::at<&Position::factor>("factor", kPositive, "Of the scaling.")
        .when([](const PositionText& position) {
          return position.scaling != RopeScaling::None || position.factor != Position{}.factor;
        }),
    Key::at<&Position::original>("original", kIndex,
                                 "The trained length in tokens, of llama3, yarn and longrope."),
    Key::at<&Position::low>("low", kPositive,
                            "llama3 and yarn: columns that turn less often within original get the "
                            "whole scaling; 1 when absent."),
    Key::at<&Position::high>("high", kPositive,
                             "llama3 and yarn: columns that turn more often within original get "
                             "none; 4 for llama3 and 32 for yarn when absent."),
    Key::at<&Position::truncate>(
        "truncate", kBool, "yarn: whether low and high are rounded to whole pairs of columns."),
    Key::at<&Position::factors>("factors", kFinites, "longrope: one for each pair of columns."),
    Key::at<&Position::short_factors>("short_factors", kFinites,
                                      "longrope: in place of factors for sequences of at most "
                                      "original tokens."),
    Key::at<&Position::gain>("gain", kPositive,
                             "Multiplies the rotated columns; when absent 0.1 · ln(factor) + 1 for "
                             "yarn, √(1 + ln(factor) / ln(original)) for longrope, else 1."),
};
}  // namespace position_keys

}  // namespace

constinit const ObjectOf<Interventions> kWhatIfObject{{.rows = kWhatIfKeys}};

constinit const ObjectOf<ScoringText> kScoringObject{{.rows = scoring_keys::kAll}};

constinit const ObjectOf<MaskText> kMaskObject{
    {.name = "mask",
     .words =
         "Which query may attend to which key. true always means: may attend, or a real token.",
     .rows = mask_keys::kAll}};

constinit const ObjectOf<PositionText> kPositionObject{
    {.name = "position", .rows = position_keys::kAll}};

bool read_window(JsonValue json, Window& window) {
  std::vector<std::optional<std::uint64_t>> sides;
  const bool read = json.each_item([&](JsonValue side) {
    sides.emplace_back();
    if (side.kind() == Kind::Null) return side.read_null();
    return side.charge(sizeof sides.front()) && read_count(side, 0, sides.back().emplace());
  });
  if (!read) return false;
  if (sides.size() != 2) {
    return json.refuse("a window has two sides", counted(sides.size(), "item"),
                       "[left, right], null for a side without end");
  }
  window.left = sides[0];
  window.right = sides[1];
  return true;
}

void write_window(const TextWriter& to, const Window& window) {
  const auto side = [](const std::optional<std::uint64_t>& reach) {
    return reach ? std::to_string(*reach) : std::string("null");
  };
  to.out += "[" + side(window.left) + ", " + side(window.right) + "]";
}

bool read_position(JsonValue json, PositionText& position) {
  position.is_said = true;
  if (json.kind() == Kind::Object) return read_as(json, kPositionObject, position);
  const Form& kind = position_keys::kAll[0].form;
  return kind.read(json, kind, &position.kind);
}

void write_position(const TextWriter& to, const PositionText& position) {
  write_object(to, kPositionObject, &position);
}

Position position_of(const PositionText& text) {
  Position position = text;
  position.layout = text.said_layout.value_or(position_info(text.kind).usual_layout);
  return position;
}

PositionText as_text(const Position& position) {
  PositionText text{position, {}};
  const bool is_said = position_info(position.kind).waves || position.layout != Position{}.layout;
  if (is_said) text.said_layout = position.layout;
  text.layout = Position{}.layout;
  return text;
}

}  // namespace attn
