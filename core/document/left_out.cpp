// Copies of weights, masks and tokens without some tokens.
#include "document/left_out.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/special_numbers.h"
#include "document/provenance.h"

namespace attn {
namespace {

using Indices = std::vector<std::size_t>;
using Lists = std::vector<Indices>;  // one for each sample

// Returns the indices of `count` tokens that stay in each sample.
Lists others(std::size_t count, const Lists& out) {
  Lists kept;
  for (const Indices& list : out) {
    Indices& all = kept.emplace_back(count);
    std::iota(all.begin(), all.end(), 0U);
    std::erase_if(all, [&](std::size_t i) { return std::ranges::binary_search(list, i); });
  }
  return kept;
}

// Counts of rows by their treatment.
struct Rows {
  std::size_t renormalised = 0, as_they_were = 0, empty = 0;
};

struct Cut {
  const Document& document;
  const AttentionResult& result;
  AttentionShape shape;
  Lists queries, keys;  // that stay
  Rows rows{};
  bool has_painted = false;  // cells that another rule hides

  const Lists& kept(const HeadAddress& at, Side side) const {
    return listed_side(document, at, side) == Side::Query ? queries : keys;
  }
};

// Tokens without names get those that figures show them by.
TokenLists cut_lists(const Cut& cut, Side side, const HeadAddress& at) {
  TokenLists lists;
  for (std::size_t s = 0; s < cut.shape.samples; ++s) {
    const TokenList& tokens = tokens_of(cut.document, side, at.moved_to(0, s, 0));
    std::vector<std::string> texts;
    for (const std::size_t i : cut.kept(at, side)[s])
      texts.push_back(tokens.name_of(i) != nullptr ? tokens[i] : tokens.spoken(i));
    lists.emplace_back(std::move(texts));
  }
  return lists;
}

template <class Visit>
void each_head(const AttentionShape& shape, const HeadAddress& at, const Visit& visit) {
  for (std::size_t layer = 0; layer < shape.layers; ++layer) {
    for (std::size_t sample = 0; sample < shape.samples; ++sample) {
      for (std::size_t head = 0; head < shape.heads; ++head) {
        visit(at.moved_to(layer, sample, head));
      }
    }
  }
}

// Appends the remaining part of a row.
void add_row(std::span<const float> row, const Indices& keys, Rows& rows, std::vector<float>& out) {
  constexpr double kRounded = 1e-3;
  double kept = 0.0;
  const double whole = std::accumulate(row.begin(), row.end(), 0.0);
  for (const std::size_t k : keys) kept += static_cast<double>(row[k]);
  const bool is_share = std::abs(whole - 1.0) < kRounded;
  const double factor = is_share && kept > 0.0 ? 1.0 / kept : 1.0;
  ++(!is_share ? rows.as_they_were : kept > 0.0 ? rows.renormalised : rows.empty);
  for (const std::size_t k : keys) {
    out.push_back(static_cast<float>(factor * static_cast<double>(row[k])));
  }
}

Shape cut_shape(const Cut& cut, const HeadAddress& at) {
  return {cut.shape.layers, cut.shape.samples, cut.shape.heads,
          cut.kept(at, Side::Query).front().size(), cut.kept(at, Side::Key).front().size()};
}

Tensor cut_weights(Cut& cut, const HeadAddress& at) {
  const std::size_t n_k = cut.result.shape(at).n_k;
  std::vector<float> weights, row(n_k);
  weights.reserve(element_count(cut_shape(cut, at)));
  each_head(cut.shape, at, [&](const HeadAddress& head) {
    for (const std::size_t q : cut.kept(at, Side::Query)[head.sample]) {
      cut.result.read(Stage::Weights, head, {q, 0, 1, n_k}, row.data());
      add_row(row, cut.kept(at, Side::Key)[head.sample], cut.rows, weights);
    }
  });
  return {cut_shape(cut, at), std::move(weights)};
}

// Makes a list per sample, from one per sample or one for all, without the tokens left out.
template <class List>
std::vector<List> cut_each(const std::vector<List>& lists, const Lists& kept) {
  std::vector<List> cut;
  for (std::size_t s = 0; s < kept.size() && !lists.empty(); ++s) {
    List& list = cut.emplace_back();
    for (const std::size_t i : kept[s]) list.push_back((*list_of(lists, s))[i]);
  }
  return cut;
}

// Cells that one of these rules hides: 1, others 0.
std::vector<std::uint8_t> hidden_cells(const Cut& cut, const HeadAddress& at, HiddenRules rules) {
  std::vector<std::uint8_t> hidden;
  each_head(cut.shape, at, [&](const HeadAddress& head) {
    const Mask& mask = mask_of(cut.result.problem(), head);  // of the layer
    for (const std::size_t q : cut.kept(at, Side::Query)[head.sample]) {
      for (const std::size_t k : cut.kept(at, Side::Key)[head.sample]) {
        hidden.push_back((hidden_by(mask, head, q, k) & rules) != 0 ? 1 : 0);
      }
    }
  });
  return hidden;
}

Mask cut_mask(Cut& cut, const HeadAddress& at) {
  const Mask& mask = mask_of(cut.document, at);
  Mask made;
  made.key_padding = cut_each(mask.key_padding, cut.kept(at, Side::Key));
  made.query_padding = cut_each(mask.query_padding, cut.kept(at, Side::Query));
  made.query_segments = cut_each(mask.query_segments, cut.kept(at, Side::Query));
  const SegmentLists& segments =
      mask.key_segments.empty() ? mask.query_segments : mask.key_segments;
  made.key_segments = cut_each(segments, cut.kept(at, Side::Key));
  // The order of the tokens of one sequence is preserved; distances are not.
  const bool stays_causal =
      keys_are_queries(cut.document, at) && mask.causal_offset.empty() && mask.prefix.empty();
  made.causal = mask.causal && stays_causal;
  const auto by_distance = static_cast<HiddenRules>(kHiddenByWindow | kHiddenByDilation |
                                                    (stays_causal ? 0 : kHiddenByCausal));
  const auto painted = static_cast<HiddenRules>(by_distance | kHiddenByHand);
  HiddenRules used = kVisible;
  for (std::size_t i = 0; i < cut.shape.layers * cut.shape.samples; ++i) {
    const HeadAddress in_layer = at.moved_to(i / cut.shape.samples, 0, 0);
    used |= rules_of(mask_of(cut.result.problem(), in_layer), i % cut.shape.samples);
  }
  cut.has_painted = cut.has_painted || (used & by_distance) != 0;
  if ((used & painted) != 0) {
    std::vector<std::uint8_t> cells = hidden_cells(cut, at, painted);
    for (std::uint8_t& cell : cells) cell = cell == 0 ? 1 : 0;
    made.visible = {cut_shape(cut, at), std::move(cells)};
  }
  if ((used & kHiddenByBias) != 0) {
    const std::vector<std::uint8_t> cells = hidden_cells(cut, at, kHiddenByBias);
    std::vector<float> bias;
    for (const std::uint8_t cell : cells) bias.push_back(cell == 0 ? 0.0F : -kInfinity);
    made.bias = {cut_shape(cut, at), std::move(bias)};
  }
  return made;
}

// "[CLS], [SEP]", or "at place 2" if samples have different texts there.
std::string named(const Document& document, Side side, const Lists& out) {
  constexpr std::size_t kMostNamed = 6;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < out.front().size(); ++i) {
    const std::string name = tokens_of(document, side).spoken(out.front()[i]);
    bool is_alike = true;
    for (std::size_t s = 1; s < out.size(); ++s) {
      is_alike = is_alike && tokens_of(document, side, s).spoken(out[s][i]) == name;
    }
    names.push_back(is_alike ? "“" + name + "”" : "at place " + std::to_string(out.front()[i] + 1));
  }
  return joined_first(names, kMostNamed);
}

std::string words_of(const Rows& rows) {
  std::string words = rows.renormalised > 0 ? "rows renormalised" : "rows as they were";
  if (rows.renormalised > 0 && rows.as_they_were > 0) {
    words += ", but " + std::to_string(rows.as_they_were) + " that did not sum to 1";
  }
  if (rows.renormalised == 0 && rows.empty == 0) words += ", as they did not sum to 1";
  if (rows.empty > 0) words += "; " + counted(rows.empty, "row") + " without weight left 0";
  return words;
}

// "Without the tokens “[CLS]”, “[SEP]”: rows renormalised. Numbers count the 12 tokens left."
std::string remark_of(const Cut& cut, const LeftOut& out) {
  const std::string generated = generated_sentence(cut.document);
  const bool has_keys = cut.document.cross && !out.keys.front().empty();
  const bool has_queries = !out.queries.front().empty();
  std::string words = generated.empty() ? "Without " : generated + ". Without ";
  if (has_keys) words += "the keys " + named(cut.document, Side::Key, out.keys);
  if (has_keys && has_queries) words += " and ";
  const std::string noun = cut.document.cross ? "the queries " : "the tokens ";
  if (has_queries) words += noun + named(cut.document, Side::Query, out.queries);
  words += ": " + words_of(cut.rows) + ". Numbers count the tokens that are left.";
  if (cut.has_painted) words += " Cells hidden by distance are hatched as painted ones.";
  return words;
}

Status check_kept(const Cut& cut, std::uint64_t limit_bytes) {
  if (cut.queries.front().empty() || (cut.document.cross && cut.keys.front().empty())) {
    return usage_error("no token is left", "leave fewer tokens out");
  }
  std::uint64_t bytes = 0;
  for (const AttentionInfo& attention : attentions_of(cut.document)) {
    if (cut.result.conceals(Stage::Weights, attention.at())) {
      return usage_error("tokens cannot be left out of weights that the lesson conceals");
    }
    Shape shape = cut_shape(cut, attention.at());
    shape.push_back(2 * sizeof(float) + 1);  // weights, bias, flags
    bytes += element_count(shape);
  }
  if (bytes <= limit_bytes) return ok_status();
  return Error{.kind = ErrorKind::OverMemoryLimit,
               .message = "the weights without the tokens that are left out need " +
                          bytes_text(bytes) + ", more than the memory limit",
               .expected = "at most " + bytes_text(limit_bytes),
               .hint = "raise the memory limit, or open fewer layers"};
}

}  // namespace

Result<Document> without_tokens(const Document& document, const AttentionResult& result,
                                const LeftOut& out, std::uint64_t limit_bytes) {
  const AttentionShape shape = result.shape();
  Cut cut{document, result, shape, others(shape.n_q, out.queries), others(shape.n_k, out.keys)};
  if (const Status good = check_kept(cut, limit_bytes); !good) return good.error();
  Document made;
  made.title = document.title;
  made.description = document.description;
  made.source = document.source;
  made.cross = document.cross;
  made.layer_numbers = document.layer_numbers;
  made.seed = document.seed;
  made.panes = document.panes;
  made.query_tokens = cut_lists(cut, Side::Query, {});
  if (made.cross) made.key_tokens = cut_lists(cut, Side::Key, {});
  GivenWeights weights{.weights = {}, .axes = {kWeightAxes.begin(), kWeightAxes.end()}};
  for (const AttentionInfo& attention : attentions_of(document)) {
    weights_of(weights, attention.at()) = cut_weights(cut, attention.at());
  }
  made.model = std::move(weights);
  for (const AttentionInfo& attention : attentions_of(document)) {
    mask_of(made, attention.at()) = cut_mask(cut, attention.at());
  }
  made.remark = remark_of(cut, out);
  return made;
}

}  // namespace attn
