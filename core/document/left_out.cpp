// Copies of weights, masks and tokens without some tokens.
#include "document/left_out.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "document/provenance.h"

namespace attn {
namespace {

using Indices = std::vector<std::size_t>;

// What stays of `count` tokens.
Indices others(std::size_t count, const Indices& out) {
  Indices all(count);
  std::iota(all.begin(), all.end(), 0U);
  std::erase_if(all, [&](std::size_t i) { return std::ranges::count(out, i) > 0; });
  return all;
}

TokenList chosen(const TokenList& tokens, const Indices& kept) {
  std::vector<std::string> texts;
  for (const std::size_t i : kept) texts.push_back(tokens[i]);
  return TokenList(std::move(texts));
}

struct Cut {
  const Document& document;
  const AttentionResult& result;
  AttentionShape shape;
  HeadAddress at;
  Indices queries, keys;

  TokenLists lists(Side side) const {
    TokenLists lists;
    for (std::size_t s = 0; s < shape.samples; ++s) {
      lists.push_back(chosen(tokens_of(document, side, at.moved_to(0, s, 0)),
                             side == Side::Query ? queries : keys));
    }
    return lists;
  }
};

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

// Appends what is kept of a row, to sum to 1 again if all of it did.
void add_row(std::span<const float> row, const Indices& keys, std::vector<float>& out) {
  constexpr double kRounded = 1e-3;
  double kept = 0.0;
  const double whole = std::accumulate(row.begin(), row.end(), 0.0);
  for (const std::size_t k : keys) kept += static_cast<double>(row[k]);
  const double factor = std::abs(whole - 1.0) < kRounded && kept > 0.0 ? 1.0 / kept : 1.0;
  for (const std::size_t k : keys) {
    out.push_back(static_cast<float>(factor * static_cast<double>(row[k])));
  }
}

Tensor kept_weights(const Cut& cut) {
  const AttentionShape& s = cut.shape;
  const Shape shape{s.layers, s.samples, s.heads, cut.queries.size(), cut.keys.size()};
  std::vector<float> weights, row(s.n_k);
  weights.reserve(element_count(shape));
  each_head(s, cut.at, [&](const HeadAddress& head) {
    for (const std::size_t q : cut.queries) {
      cut.result.read(Stage::Weights, head, {q, 0, 1, s.n_k}, row.data());
      add_row(row, cut.keys, weights);
    }
  });
  return {shape, std::move(weights)};
}

// The causal rule alone holds among the tokens that are left of one sequence; other rules become
// cells.
Mask kept_mask(const Cut& cut) {
  const Mask& mask = mask_of(cut.document, cut.at);
  if (!can_hide(mask)) return {};
  Mask causal;
  causal.causal = true;
  if (mask == causal && cut.queries == cut.keys) return mask;
  AttentionShape s = cut.shape;
  if (mask.visible.empty() && mask.bias.empty()) s.layers = s.heads = 1;
  std::vector<std::uint8_t> visible;
  each_head(s, cut.at, [&](const HeadAddress& head) {
    for (const std::size_t q : cut.queries) {
      for (const std::size_t k : cut.keys) {
        visible.push_back(hidden_by(mask, head, q, k) == kVisible ? 1 : 0);
      }
    }
  });
  Mask made;
  made.visible = {{s.layers, s.samples, s.heads, cut.queries.size(), cut.keys.size()},
                  std::move(visible)};
  return made;
}

std::string named(const Document& document, Side side, const HeadAddress& at, const Indices& out) {
  constexpr std::size_t kMostNamed = 6;
  std::vector<std::string> names;
  for (const std::size_t i : out) {
    names.push_back("“" + tokens_of(document, side, at).spoken(i) + "” (" + std::to_string(i + 1) +
                    ")");
  }
  return joined_first(names, kMostNamed);
}

// "Without the tokens “[CLS]” (1), “[SEP]” (15); rows renormalised."
std::string remark_of(const Document& document, const HeadAddress& at, const LeftOut& out) {
  const std::string generated = generated_sentence(document);
  const bool is_one = keys_are_queries(document, at);
  std::string words = generated.empty() ? "" : generated + ". ";
  words += "Without the " + std::string(is_one ? "tokens " : "keys ") +
           named(document, Side::Key, at, out.keys);
  if (!is_one && !out.queries.empty()) {
    words += ", and the queries " + named(document, Side::Query, at, out.queries);
  }
  return words + "; rows renormalised.";
}

Status check_kept(const Cut& cut, std::uint64_t limit_bytes) {
  if (cut.queries.empty() || cut.keys.empty()) {
    return usage_error("no token is left", "leave fewer tokens out");
  }
  if (cut.result.conceals(Stage::Weights, cut.at)) {
    return usage_error("tokens cannot be left out of weights that an exercise asks for");
  }
  const AttentionShape& s = cut.shape;
  const std::uint64_t bytes = element_count(
      {s.layers, s.samples, s.heads, cut.queries.size(), cut.keys.size(), sizeof(float) + 1});
  if (bytes <= limit_bytes) return ok_status();
  return Error{.kind = ErrorKind::OverMemoryLimit,
               .message = "the weights without the tokens that are left out need " +
                          bytes_text(bytes) + ", more than the memory limit",
               .expected = "at most " + bytes_text(limit_bytes),
               .hint = "raise the memory limit, or open fewer layers"};
}

}  // namespace

LeftOut special_tokens(const Document& document, const HeadAddress& at) {
  const auto special = [&](Side side) {
    Indices found;
    for (const auto& [index, text] : tokens_of(document, side, at).names()) {
      if (is_special_token(text)) found.push_back(index);
    }
    return found;
  };
  return {special(Side::Query), special(Side::Key)};
}

Result<Document> without_tokens(const Document& document, const AttentionResult& result,
                                const HeadAddress& at, const LeftOut& out,
                                std::uint64_t limit_bytes) {
  const AttentionShape shape = result.shape(at);
  const Cut cut{
      document, result, shape, at, others(shape.n_q, out.queries), others(shape.n_k, out.keys)};
  if (const Status good = check_kept(cut, limit_bytes); !good) return good.error();
  Document made;
  made.title = document.title;
  made.description = document.description;
  made.source = document.source;
  made.remark = remark_of(document, at, out);
  made.cross = !keys_are_queries(document, at);
  made.query_tokens = cut.lists(Side::Query);
  if (made.cross) made.key_tokens = cut.lists(Side::Key);
  made.layer_numbers = document.layer_numbers;
  made.model =
      GivenWeights{.weights = kept_weights(cut), .axes = {kWeightAxes.begin(), kWeightAxes.end()}};
  made.mask = kept_mask(cut);
  made.seed = document.seed;
  made.panes = document.panes;
  return made;
}

}  // namespace attn
