// Checks tokens, rules and whole documents, and converts documents to problems.
#include "document/problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "base/number_text.h"
#include "document/scaling_check.h"
#include "view/fields.h"

namespace attn {
namespace {

// One per sample or head, or one for all. `of_which`: "sinks as heads".
bool one_or_all(Findings& findings, std::size_t count, std::size_t all, const std::string& pointer,
                const std::string& noun, const std::string& of_which) {
  return findings.require(count == 1 || count == all, pointer,
                          "as many " + of_which + " are needed", counted(count, noun),
                          all == 1 ? "1" : "1 or " + std::to_string(all));
}

void check_token_side(Findings& findings, const TokenLists& lists, const std::string& pointer,
                      std::size_t samples, std::size_t n) {
  if (!one_or_all(findings, lists.size(), samples, pointer, "list", "lists of tokens as samples")) {
    return;
  }
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const std::string place = lists.size() == 1 ? pointer : pointer + "/" + std::to_string(i);
    findings.require(lists[i].size() == n, place, "tokens and positions differ in number",
                     counted(lists[i].size(), "token"),
                     std::to_string(n) + ", one for each position of the matrices",
                     lists[i].all_named()
                         ? "without names: {\"count\": " + std::to_string(n) + "}"
                         : "make the count " + std::to_string(n) + ", or leave the tokens out");
  }
}

// One list of tokens with different numbers of queries and keys: either side may be wrong.
void refuse_tokens_of_both_sides(Findings& findings, const Document& document,
                                 const AttentionShape& shape) {
  const std::size_t tokens = document.query_tokens.front().size();
  const bool given = !has_scores(document.model);
  const std::string queries = given ? counted(shape.n_q, "row") : counted(shape.n_q, "query row");
  const std::string keys = given ? counted(shape.n_k, "column") : counted(shape.n_k, "key row");
  findings.require(false, "/tokens",
                   "one list of tokens names both queries and keys, but their numbers differ",
                   counted(tokens, "token") + " for " + queries + " and " + keys,
                   std::to_string(tokens) + " of both",
                   "complete the side that is short; or, when they are two sequences, give "
                   "query_tokens and key_tokens instead of tokens; either may be a "
                   "count without names: {\"count\": " +
                       std::to_string(tokens == shape.n_q ? shape.n_k : shape.n_q) + "}");
}

void check_tokens(Findings& findings, const Document& document, const AttentionShape& shape) {
  if (document.cross) {
    check_token_side(findings, document.query_tokens, "/query_tokens", shape.samples, shape.n_q);
    check_token_side(findings, document.key_tokens, "/key_tokens", shape.samples, shape.n_k);
    return;
  }
  if (shape.n_q == shape.n_k) {
    check_token_side(findings, document.query_tokens, "/tokens", shape.samples, shape.n_q);
  } else {
    refuse_tokens_of_both_sides(findings, document, shape);
  }
  findings.require(document.key_tokens.empty(), "/key_tokens",
                   "self-attention has one list of tokens", "key_tokens as well", "tokens only");
}

// Checks that named columns exist.
void check_features(Findings& findings, const FeatureNames& features, const AttentionShape& shape) {
  for (const FeatureAxisInfo& info : all_feature_axes()) {
    const std::size_t count = shape.*info.count;
    const std::span<const TokenName> names = features.of(info.axis);
    if (names.empty() || names.back().index < count) continue;
    const std::string key(info.key);
    findings.require(count > 0, "/features/" + key, "the document has no " + key + " to name",
                     counted(names.size(), "name"), "names of existing columns");
    findings.require(count == 0, "/features/" + key, "there are more names than columns",
                     counted(names.back().index + 1, "name"),
                     "at most " + std::to_string(count) + ", as " + key + " is");
  }
}

// Words for lists with an item per token.
struct ListWords {
  std::string lists;   // "padding lists"
  std::string misfit;  // "the padding does not fit the tokens"
  std::string item;    // "flag"
};

// One list, or one per sample, each with an item per token.
template <class List>
void check_lists(Findings& findings, const std::vector<List>& lists, const std::string& pointer,
                 const ListWords& words, std::size_t samples, std::size_t n) {
  if (lists.empty() ||
      !one_or_all(findings, lists.size(), samples, pointer, "list", words.lists + " as samples")) {
    return;
  }
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const std::string place = lists.size() == 1 ? pointer : pointer + "/" + std::to_string(i);
    findings.require(lists[i].size() == n, place, words.misfit,
                     counted(lists[i].size(), words.item),
                     std::to_string(n) + ", one for each token");
  }
}

void check_layer_numbers(Findings& findings, const AttentionShape& shape) {
  const std::set<std::uint64_t> all(shape.layer_numbers.begin(), shape.layer_numbers.end());
  const bool fits = all.size() == shape.layers && shape.layer_numbers.size() == shape.layers;
  findings.require(fits || all.empty(), "/layer_numbers", "layers and their numbers do not match",
                   layer_numbers_text(shape, 0), counted(shape.layers, "different number"));
}

void check_broadcast(Findings& findings, const Shape& shape, const std::string& pointer,
                     const AttentionShape& target) {
  if (element_count(shape) == 0 || shape.empty()) return;
  const bool layered = target.layers > 1;
  Shape full{target.layers, target.samples, target.heads, target.n_q, target.n_k};
  bool fits = shape.size() <= full.size();
  for (std::size_t back = 1; fits && back <= shape.size(); ++back) {
    const std::size_t extent = shape[shape.size() - back];
    fits = extent == 1 || extent == full[full.size() - back];
  }
  findings.require(fits, pointer, "the shape does not fit the scores", shape_text(shape),
                   std::string("the last extents of (") + (layered ? "layers, " : "") +
                       "samples, heads, n_q, n_k) = " +
                       shape_text({full.begin() + (layered ? 0 : 1), full.end()}) + ", or 1");
}

void check_segments(Findings& findings, const Mask& mask, const AttentionShape& shape) {
  const bool both = !mask.key_segments.empty();
  findings.require(!both || !mask.query_segments.empty(), "/mask/key_segments",
                   "key_segments need the queries' too", "no query_segments",
                   "query_segments and key_segments, or segments for both sides");
  const std::string pointer = both ? "/mask/query_segments" : "/mask/segments";
  if (!both && !mask.query_segments.empty() && shape.n_q != shape.n_k) {
    findings.require(false, pointer, "queries and keys differ in number",
                     std::to_string(shape.n_q) + " and " + std::to_string(shape.n_k),
                     "query_segments and key_segments");
    return;
  }
  const ListWords words{"segment lists", "the segments do not fit the tokens", "segment"};
  check_lists(findings, mask.query_segments, pointer, words, shape.samples, shape.n_q);
  check_lists(findings, mask.key_segments, "/mask/key_segments", words, shape.samples, shape.n_k);
}

void check_relative(Findings& findings, const RelativeBias& bias, const AttentionShape& shape) {
  const std::string pointer = "/mask/relative_buckets";
  if (!rank_between(findings, bias.table, pointer + "/table", 2, 2)) return;
  const std::size_t least = bias.bidirectional ? 4 : 2;
  const std::size_t buckets = bias.table.extent(0);
  findings.require(
      buckets >= least && (!bias.bidirectional || buckets % 2 == 0), pointer + "/table",
      "this number of buckets is not allowed", counted(buckets, "row"),
      bias.bidirectional ? "an even number from 4 on, half for each direction" : "at least 2");
  const std::size_t columns = bias.table.extent(1);
  one_or_all(findings, columns, shape.heads, pointer + "/table", "column", "columns as heads");
  const std::size_t exact = buckets / (bias.bidirectional ? 4 : 2);
  findings.require(bias.max_distance > exact, pointer + "/max_distance",
                   "the largest distance is too small", std::to_string(bias.max_distance),
                   "more than " + std::to_string(exact) + ", which have buckets of their own");
}

void check_scoring_matrix(Findings& findings, const Scoring& scoring, const ScoringMatrixInfo& info,
                          const AttentionShape& shape) {
  const Tensor& tensor = scoring.*info.tensor;
  const std::string name(info.name);
  const std::string function(scoring_info(scoring.function).name);
  const ScoringMatrixUse* use = matrix_use(scoring.function, info.tensor);
  const Shape expected = scoring_matrix_shape(scoring.function, info.tensor, shape);
  if (tensor.empty()) {
    findings.require(use == nullptr || is_optional(info.tensor), "/scoring/" + name,
                     function + " needs " + name, "no " + name, shape_text(expected));
    return;
  }
  if (!findings.require(use != nullptr, "/scoring/" + name, function + " does not use " + name,
                        function + " and " + name, "one of them")) {
    return;
  }
  const std::size_t rank = use->rank();
  const bool per_head = tensor.rank() == rank + 1;
  bool fits = (tensor.rank() == rank || per_head) && (!per_head || tensor.extent(0) == shape.heads);
  const bool by_position = use->rows == Extent::Keys;
  for (std::size_t axis = 0; fits && axis < rank; ++axis) {
    const std::size_t extent = tensor.extent(axis + (per_head ? 1 : 0));
    fits = by_position && axis == 0 ? extent >= expected[axis] : extent == expected[axis];
  }
  Shape with_heads = expected;
  with_heads.insert(with_heads.begin(), shape.heads);
  findings.require(fits, "/scoring/" + name,
                   name + " does not fit " + function + " (" + extents_text(*use) + ")",
                   shape_text(tensor.shape()),
                   shape_text(expected) + (by_position ? " or more rows" : "") + ", or " +
                       shape_text(with_heads) + " with one per head");
}

// A row for every position, a column for every column of the embeddings.
void check_position_table(Findings& findings, const Document& document, const MaskPlace& place,
                          const AttentionShape& shape) {
  const Tensor& table = document.position.table;
  if (!rank_between(findings, table, "/position/table", 2, 2)) return;
  const std::size_t key_columns = key_embedding_columns(shape);
  const std::size_t value_columns = value_embedding_columns(shape);
  const bool same = key_columns == shape.d_model && value_columns == shape.d_model;
  findings.require(same && table.extent(1) == shape.d_model, "/position/table",
                   "the table does not fit the embeddings", counted(table.extent(1), "column"),
                   same ? std::to_string(shape.d_model) + ", as the embeddings have"
                        : "embeddings of one width for queries, keys and values");
  std::int64_t last = static_cast<std::int64_t>(shape.n_k);
  std::int64_t first = 0;
  for (std::size_t sample = 0; sample < shape.samples; ++sample) {
    const std::int64_t offset = (document.*place.mask).offset_of(sample);
    first = std::min(first, offset);
    const auto queries = static_cast<std::int64_t>(shape.n_q);
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    last = std::max(last, std::min(offset, kMost - queries) + queries);
  }
  findings.require(first >= 0, pointer_of(place) + "/causal_offset",
                   "the position of a query is before the first row of the table",
                   std::to_string(first), "an offset from 0 on");
  findings.require(table.extent(0) >= static_cast<std::size_t>(last), "/position/table",
                   "the table has too few positions", counted(table.extent(0), "row"),
                   "at least " + std::to_string(last));
}

void check_rotary(Findings& findings, const Position& position, const std::string& place,
                  const AttentionShape& shape) {
  if (shape.d_k == 0) {
    findings.require(false, place, "given weights have no queries and keys to rotate",
                     "rope and attention", "none");
    return;
  }
  const std::size_t narrow = std::min(shape.d_k, query_columns(shape));
  const std::size_t columns = position.rotary_dim;
  const bool fits =
      columns != 0
          ? findings.require(columns % 2 == 0 && columns <= narrow, place + "/rotary_dim",
                             "columns are rotated in pairs", std::to_string(columns),
                             "an even number up to " + std::to_string(narrow))
          : findings.require(shape.d_k == query_columns(shape) && shape.d_k % 2 == 0, place,
                             "columns are rotated in pairs", "d_k " + std::to_string(shape.d_k),
                             "an even number of columns, or a rotary_dim");
  if (fits) check_scaling(findings, position, place, rotary_width(position, narrow) / 2);
}

void check_own_position(Findings& findings, const Document& document, const Position& own,
                        const std::string& place, const AttentionShape& shape) {
  const std::string added = "positions that are added to embeddings, in " +
                            std::string(is_added(own) ? "the block" : "the document");
  if (!findings.require(!is_added(own) && !is_added(document.position), place,
                        "a block's own position rotates its queries and keys", added,
                        "rope or none, in the document and its blocks")) {
    return;
  }
  if (is_turned(own)) check_rotary(findings, own, place, shape);
}

void require_above_zero(Findings& findings, const std::optional<float>& value,
                        const std::string& name) {
  if (!value) return;
  findings.require(std::isfinite(*value) && *value > 0.0F, "/scoring/" + name,
                   "the " + name + " is not above zero", shortest_text(*value),
                   "a finite number above 0");
}

void check_mask(Findings& findings, const Mask& mask, const AttentionShape& shape) {
  if (!mask.causal_offset.empty()) {
    one_or_all(findings, mask.causal_offset.size(), shape.samples, "/mask/causal_offset", "offset",
               "offsets as samples");
  }
  if (!mask.prefix.empty()) {
    one_or_all(findings, mask.prefix.size(), shape.samples, "/mask/prefix", "length",
               "lengths as samples");
  }
  const ListWords padding{"padding lists", "the padding does not fit the tokens", "flag"};
  check_lists(findings, mask.key_padding, "/mask/key_padding", padding, shape.samples, shape.n_k);
  check_lists(findings, mask.query_padding, "/mask/query_padding", padding, shape.samples,
              shape.n_q);
  check_broadcast(findings, mask.visible.shape(), "/mask/visible", shape);
  check_broadcast(findings, mask.bias.shape(), "/mask/bias", shape);
  findings.require(!mask.window || mask.window->dilation > 0, "/mask/dilation",
                   "the dilation is not above zero", "0", "a whole number from 1 on");
  check_segments(findings, mask, shape);
  if (mask.alibi && !mask.alibi->empty()) {
    one_or_all(findings, mask.alibi->size(), shape.heads, "/mask/alibi", "slope",
               "slopes as heads");
  }
  if (mask.relative) check_relative(findings, *mask.relative, shape);
}

void check_scoring_numbers(Findings& findings, const Scoring& scoring) {
  if (scoring.scale) {
    findings.require(std::isfinite(*scoring.scale), "/scoring/scale", "the scale is not finite",
                     shortest_text(*scoring.scale), "a finite number");
  }
  require_above_zero(findings, scoring.softcap, "softcap");
  require_above_zero(findings, scoring.temperature, "temperature");
}

// Sinks of the scoring or of a block.
void check_sinks(Findings& findings, const Document& document, const std::vector<float>& sinks,
                 const std::string& place) {
  if (sinks.empty()) return;
  const NormaliserInfo& normaliser = normaliser_info(document.scoring.normaliser);
  findings.require(normaliser.exponentials, place, "sinks need softmax",
                   "sinks and " + std::string(normaliser.name), "one of them");
  const AttentionShape shape = scored_shape(document);
  if (shape.d_k > 0)
    one_or_all(findings, sinks.size(), shape.heads, place, "sink", "sinks as heads");
}

void check_block_rules(Findings& findings, const Document& document) {
  const Stack* stack = stack_of(document.model);
  for (std::size_t layer = 0; stack != nullptr && layer < stack->blocks.size(); ++layer) {
    const BlockRules& rules = stack->blocks[layer].rules;
    const std::string place = "/blocks/" + std::to_string(layer);
    check_sinks(findings, document, rules.sinks, place + "/sinks");
    findings.require(!rules.window || rules.window->dilation == 1, place + "/window",
                     "a block's own window has no dilation", "a dilation", "1");
  }
}

// Checks that the head of an entry is there.
bool check_head(Findings& findings, const Document& document, const HeadAddress& at,
                const std::string& place, const std::string& noun) {
  const AttentionShape shape = shape_of(document);
  const auto need = [&](const char* one, std::size_t index, std::size_t count) {
    return findings.require(index < count, place,
                            "there is no " + std::string(one) + " for this " + noun,
                            one + (" " + std::to_string(index)),
                            "0 to " + std::to_string(count - 1) + ", counted from 0");
  };
  return need("layer", at.layer, shape.layers) && need("head", at.head, shape.heads) &&
         need("sample", at.sample, shape.samples) &&
         findings.require(
             has(attentions_of(document), at), place, "there is no such attention for this " + noun,
             std::string(attention_info(at).name), "no attention, or one of a decoder's");
}

void check_gates(Findings& findings, const Document& document) {
  constexpr const char* kPlace = "/what_if/gates";
  const std::vector<HeadGate>& gates = document.what_if.gates;
  if (!gates.empty() && !joins_heads(document)) {
    findings.require(false, kPlace, "gates act where an output projection joins the heads",
                     "gates and no w_o", "embeddings with projections or blocks, or no gates");
    return;
  }
  for (const auto& [at, factor] : gates) {
    if (!check_head(findings, document, at, kPlace, "gate")) return;
    findings.require(factor >= 0.0F && factor <= kLargestGate, kPlace,
                     "a gate is a factor of a head", shortest_text(factor), "a number from 0 to 2");
  }
}

void check_patterns(Findings& findings, const Document& document) {
  const std::vector<HeadPattern>& patterns = document.what_if.patterns;
  const std::string no_patterns = patterns.empty() ? "" : why_no_patterns(make_problem(document));
  if (!no_patterns.empty()) {
    findings.require(false, "/what_if/patterns", no_patterns, "patterns", "no patterns");
    return;
  }
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const auto& [at, weights] = patterns[i];
    const std::string place = "/what_if/patterns/" + std::to_string(i);
    if (!check_head(findings, document, at, place, "pattern")) return;
    const AttentionShape shape = shape_of(document, at);
    const Shape wanted{shape.n_q, shape.n_k};
    findings.require(weights.shape() == wanted, place + "/weights",
                     "a pattern has a weight for each query and key", shape_text(weights.shape()),
                     shape_text(wanted));
  }
}

void check_edges(Findings& findings, const Document& document) {
  const std::vector<CutEdge>& edges = document.what_if.edges;
  const AttentionShape shape = shape_of(document);
  const std::string no_edges = edges.empty() ? "" : why_no_edges(make_problem(document));
  findings.require(no_edges.empty(), "/what_if/edges", no_edges, "cut edges", "no edges");
  for (std::size_t i = 0; i < edges.size() && no_edges.empty(); ++i) {
    const auto& [at, input, from] = edges[i];
    const std::string place = "/what_if/edges/" + std::to_string(i);
    if (!check_head(findings, document, at, place, "edge") ||
        !check_head(findings, document, from, place, "edge")) {
      return;
    }
    findings.require(from.layer < at.layer, place, "a head reads the outputs of earlier layers",
                     "an edge from layer " + std::to_string(from.layer) + " to layer " +
                         std::to_string(at.layer),
                     "from_layer below layer");
    findings.require(input == Stage::Query || shape.kv_heads == shape.heads, place,
                     "heads share their keys and values in this model",
                     "an edge to those of one head", R"("input": "q")");
  }
}

void check_scoring_matrices(Findings& findings, const Scoring& scoring,
                            const AttentionShape& shape) {
  if (shape.d_k == 0) return;  // given weights
  for (const ScoringMatrixInfo& info : all_scoring_matrices()) {
    check_scoring_matrix(findings, scoring, info, shape);
  }
}

}  // namespace

void check_scaling(Findings& findings, const Position& position, const std::string& place,
                   std::size_t pairs) {
  const RopeScalingInfo& info = rope_scaling_info(position.scaling);
  const std::string name(info.name);
  const auto need = [&](bool fits, const char* key, const std::string& message,
                        const std::string& found, const std::string& expected) {
    return findings.require(fits, place + "/" + key, message, found, expected);
  };
  const float low = position.low.value_or(info.low), high = position.high.value_or(info.high);
  if (info.high > 0.0F) {
    need(low < high, "low", "low is not below high", shortest_text(low),
         "less than " + shortest_text(high));
    need(position.base > 1.0F, "base", name + " needs waves that grow",
         shortest_text(position.base), "a base above 1");
  }
  if (info.has_original &&
      !need(position.original > 0, "original", name + " needs the trained length", "no original",
            "a whole number of tokens from 1 on")) {
    return;
  }
  need(std::isfinite(rope_gain(position)) && rope_gain(position) > 0.0, "gain",
       "the gain is not above zero", short_text(rope_gain(position)),
       "a finite number above 0, or an original above 1");
  if (!info.has_factors) return;
  const auto check_factors = [&](const std::vector<float>& factors, const char* key) {
    need(factors.size() == pairs, key, name + " has a factor for each pair of columns",
         counted(factors.size(), "factor"), std::to_string(pairs));
    need(std::ranges::all_of(factors, [](float f) { return std::isfinite(f) && f > 0.0F; }), key,
         "a factor is not above zero", "another one", "finite numbers above 0");
  };
  check_factors(position.factors, "factors");
  if (!position.short_factors.empty()) check_factors(position.short_factors, "short_factors");
}

void check_position(Findings& findings, const Document& document) {
  const MaskPlace& positioned = positioned_mask(document);
  const AttentionShape shape = shape_of(document, positioned.at);
  const Position& position = document.position;
  const PositionKindInfo& info = position_info(position.kind);
  const std::string name(info.name);
  const bool embedded = embeddings_of(document.model) != nullptr;
  const KindInfo& kind = info_of(document.model);
  findings.require(kind.no_positions.empty() || !info.acts(), "/position",
                   std::string(kind.no_positions), name + " and " + std::string(kind.name),
                   "one of them");
  findings.require(!is_added(position) || embedded, "/position",
                   name + " positions are added to embeddings", name + " and no embeddings",
                   "embeddings, or none or rope");
  findings.require(position.table.empty() || info.has_table, "/position/table",
                   name + " positions use no table", name + " and a table", "one of them");
  if (info.has_table && embedded) check_position_table(findings, document, positioned, shape);
  if (info.turns) check_rotary(findings, position, "/position", shape);
  const Stack* stack = stack_of(document.model);
  for (std::size_t layer = 0; stack != nullptr && layer < stack->blocks.size(); ++layer) {
    const std::optional<Position>& own = stack->blocks[layer].rules.position;
    const std::string place = "/blocks/" + std::to_string(layer) + "/position";
    if (own) check_own_position(findings, document, *own, place, shape);
  }
}

std::vector<Error> input_inconsistencies(const Document& document,
                                         std::span<const std::string> generated) {
  Findings findings(generated);
  check(findings, document.model, {document.cross, document.scoring.function});
  return findings.take();
}

std::vector<Error> inconsistencies(const Document& document) {
  std::vector<Error> errors = input_inconsistencies(document);
  Findings findings;
  check_scoring_numbers(findings, document.scoring);
  if (errors.empty()) {
    const AttentionShape shape = shape_of(document);
    check_tokens(findings, document, shape);
    check_features(findings, document.features, shape);
    check_layer_numbers(findings, shape);
    for (const MaskPlace& place : masks_of(document)) {
      Findings of_mask;
      check_mask(of_mask, document.*place.mask, shape_of(document, place.at));
      findings.add_from(of_mask, "/mask", pointer_of(place));
    }
    check_position(findings, document);
    check_scoring_matrices(findings, document.scoring, scored_shape(document));
    check_sinks(findings, document, document.scoring.sinks, "/scoring/sinks");
    check_block_rules(findings, document);
    check_gates(findings, document);
    if (findings.none()) check_patterns(findings, document);  // which makes a problem of all rules
    if (findings.none()) check_edges(findings, document);
  }
  for (Error& error : findings.take()) errors.push_back(std::move(error));
  return errors;
}

Status check(const Document& document) {
  std::vector<Error> errors = inconsistencies(document);
  if (!errors.empty()) return std::move(errors.front());
  return ok_status();
}

Result<Document> if_consistent(Document document) {
  const Status sound = check(document);
  return sound ? Result<Document>(std::move(document)) : sound.error();
}

std::vector<Error> missing_in_view(const Document& document, const ViewOptions& options) {
  const AttentionShape s = shape_of(document, options.at);
  std::vector<Error> missing;
  const auto need = [&](const char* key, const std::string& one, std::size_t index,
                        std::size_t count) {
    if (index < count) return;
    missing.push_back(refusal_at(key,
                                 "there is no " + one + " " + std::to_string(index + 1) +
                                     "; the document has " + std::to_string(count),
                                 std::to_string(index), "0 to " + std::to_string(count - 1)));
  };
  need("/layer", "layer", options.at.layer, s.layers);
  need("/sample", "sample", options.at.sample, s.samples);
  need("/head", "head", options.at.head, s.heads);
  need("/minus_layer", "layer", options.minus_layer.value_or(0), s.layers);
  need("/minus_sample", "sample", options.minus_sample.value_or(0), s.samples);
  need("/minus_head", "head", options.minus_head.value_or(0), s.heads);
  for (const std::size_t head : heads_missing(options.heads, s.heads))
    need("/heads", "head", head, s.heads);
  if (const std::optional<TokenHit> token = token_chosen(options.token))
    need("/token", "token", token->index, token->side == Side::Query ? s.n_q : s.n_k);
  return missing;
}

AttentionProblem make_problem(const Document& document) {
  AttentionProblem problem;
  problem.shape = shape_of(document);
  problem.cross = document.cross;
  problem.scoring = document.scoring;
  problem.mask = with_slopes(document.mask, problem.shape.heads);
  problem.self_mask = with_slopes(document.self_mask, problem.shape.heads);
  problem.encoder_mask = with_slopes(document.encoder_mask, problem.shape.heads);
  const AttentionShape positioned = shape_of(document, positioned_mask(document).at);
  problem.position = for_length(document.position, std::max(positioned.n_q, positioned.n_k));
  if (document.source_model) problem.vocabulary = document.source_model->vocabulary;
  problem.what_if = document.what_if;
  put_into(problem, document.model);
  return problem;
}

}  // namespace attn
