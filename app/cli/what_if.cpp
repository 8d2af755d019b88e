// Reads gates, patterns and cut edges of heads from the command line.
#include "cli/what_if.h"

#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "base/joined.h"
#include "base/parsed_number.h"
#include "cli/flags.h"
#include "document/edit.h"
#include "document/problem.h"
#include "view/fields.h"

namespace attn::cli {
namespace {

using Places = std::vector<std::size_t>;

// An item of a list, "5:1=0", and the flag that it is given to.
struct Item {
  const char* flag;
  std::string_view text;
};

// Returns the layers or heads that a part of an item names, all of which exist.
Result<Places> places_of(const Item& item, std::string_view numbers, const char* one,
                         const AttentionShape& extents) {
  const std::string text(numbers == "*" ? std::string_view("all") : numbers);
  const std::optional<Places> found = layers_named(text, extents);
  if (found && !found->empty() && layers_missing(text, extents).empty()) return *found;
  return no_value(std::string(item.flag) + " names no " + one + " that there is", item.text,
                  std::string(one) + "s " + layer_numbers_text(extents, 0) + ", or *");
}

// Takes the heads off a text such as "self:5:1", in sample 0.
Result<std::vector<HeadAddress>> take_heads(const Item& item, std::string_view& text,
                                            const Document& document) {
  HeadAddress at;
  for (const AttentionInfo& info : attentions_of(document)) {
    const std::string name = std::string(info.name) + ":";
    if (!text.starts_with(name)) continue;
    at = info.at();
    text.remove_prefix(name.size());
  }
  const bool is_name = !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0;
  if (is_name && !text.starts_with("all:")) {
    const auto names = names_of(attentions_of(document), &AttentionInfo::name);
    return no_value(std::string(item.flag) + " names no attention that there is", item.text,
                    names.size() > 1 ? joined(names) : "LAYER:HEAD, as there is only one");
  }
  const std::string_view layer = take_before(text, ":"), head = take_before(text, ":");
  const AttentionShape shape = shape_of(document);
  const Result<Places> layers = places_of(item, layer, "layer", shape);
  if (!layers) return layers.error();
  const Result<Places> heads = places_of(item, head, "head", {.layers = shape.heads});
  if (!heads) return heads.error();
  std::vector<HeadAddress> named;
  for (const std::size_t l : *layers) {
    for (const std::size_t h : *heads) named.push_back(at.moved_to(l, 0, h));
  }
  return named;
}

// Returns the heads of a text that names nothing else.
Result<std::vector<HeadAddress>> take_whole(const Item& item, std::string_view text,
                                            const Document& document) {
  Result<std::vector<HeadAddress>> heads = take_heads(item, text, document);
  if (!heads || text.empty()) return heads;
  return no_value(std::string(item.flag) + " names more than a layer and a head", item.text,
                  "LAYER:HEAD in front of =");
}

Status add_gates(std::vector<HeadGate>& gates, const Item& item, const Document& document) {
  std::string_view left = item.text;
  const std::string_view of = take_before(left, "=");
  const Result<float> factor = parse_number(left);
  if (of.find(':') == of.npos || !factor || !(*factor >= 0.0F && *factor <= kLargestGate)) {
    return no_value("--gate has no factor of a head", item.text,
                    "LAYER:HEAD=FACTOR such as 5:1=0, with a factor from 0 to 2");
  }
  const Result<std::vector<HeadAddress>> heads = take_whole(item, of, document);
  if (!heads) return heads.error();
  for (const HeadAddress& at : *heads) gates.push_back({at, *factor});
  return ok_status();
}

// Reads the source of a pattern, "3:2" or "3:2:0", whose sample is nothing unless it is stated.
struct PatternSource {
  HeadAddress at;
  std::optional<std::size_t> sample;
};
Result<PatternSource> source_of(const Item& item, std::string_view text, const Document& document) {
  const Result<std::vector<HeadAddress>> heads = take_heads(item, text, document);
  if (!heads) return heads.error();
  const auto sample = number_spelt<std::size_t>(text);
  const std::size_t samples = shape_of(document).samples;
  const bool is_there = text.empty() || (sample && *sample < samples);
  if (heads->size() == 1 && is_there) {
    return PatternSource{heads->front(), sample};
  }
  return no_value("--pattern takes the weights of one head", item.text,
                  "LAYER:HEAD=LAYER:HEAD, with a sample from 0 to " + std::to_string(samples - 1) +
                      " as a third number");
}

// Equal shares of the keys that each query sees.
Tensor equal_weights(const AttentionResult& result, const HeadAddress& at) {
  const StageShape shape = result.stage_shape(Stage::Weights, at);
  std::vector<float> numbers;
  std::vector<HiddenRules> rules(shape.cols);
  for (std::size_t q = 0; q < shape.rows; ++q) {
    const std::size_t seen = hidden_row(mask_of(result.problem(), at), at, q, rules);
    for (const HiddenRules rule : rules) {
      numbers.push_back(rule == kVisible ? 1.0F / static_cast<float>(seen) : 0.0F);
    }
  }
  return {{shape.rows, shape.cols}, std::move(numbers)};
}

Status add_patterns(std::vector<HeadPattern>& patterns, const Item& item, const Document& document,
                    const AttentionResult& result) {
  std::string_view left = item.text;
  const std::string_view of = take_before(left, "=");
  if (of.find(':') == of.npos || (left != "equal" && left.find(':') == left.npos)) {
    return no_value("--pattern has no weights for a head", item.text,
                    "LAYER:HEAD=LAYER:HEAD such as 5:1=3:2, or LAYER:HEAD=equal");
  }
  const Result<std::vector<HeadAddress>> heads = take_whole(item, of, document);
  if (!heads) return heads.error();
  PatternSource from;
  if (left != "equal") {
    const Result<PatternSource> named = source_of(item, left, document);
    if (!named) return named.error();
    from = *named;
  }
  for (const HeadAddress& head : *heads) {
    for (std::size_t sample = 0; sample < shape_of(document).samples; ++sample) {
      const HeadAddress at = head.moved_to(head.layer, sample, head.head);
      const HeadAddress source =
          from.at.moved_to(from.at.layer, from.sample.value_or(sample), from.at.head);
      patterns.push_back({at, left == "equal" ? equal_weights(result, at)
                                              : whole_stage(result, Stage::Weights, source)});
    }
  }
  return ok_status();
}

Status add_edges(std::vector<CutEdge>& edges, const Item& item, const Document& document) {
  std::string_view left = item.text;
  const std::string_view of = take_before(left, "=");
  const std::optional<Stage> input = stage_named(left.substr(left.rfind(':') + 1));
  if (input != Stage::Query && input != Stage::Key && input != Stage::Value) {
    return no_value("--cut names no input of a head", item.text,
                    "LAYER:HEAD=LAYER:HEAD:INPUT such as 2:4=5:1:k, with q, k or v");
  }
  const Result<std::vector<HeadAddress>> from = take_whole(item, of, document);
  if (!from) return from.error();
  left.remove_suffix(left.size() - std::min(left.rfind(':'), left.size()));
  const Result<std::vector<HeadAddress>> to = take_whole(item, left, document);
  if (!to) return to.error();
  const AttentionShape shape = shape_of(document);
  if (*input != Stage::Query && shape.kv_heads != shape.heads) {
    return no_value("--cut cannot reach keys and values that several heads share", item.text,
                    "q as the input");
  }
  const std::size_t before = edges.size();
  for (const HeadAddress& earlier : *from) {
    for (const HeadAddress& later : *to) {
      if (earlier.layer < later.layer) edges.push_back({later, *input, earlier});
    }
  }
  if (edges.size() > before) return ok_status();
  return no_value("--cut runs backwards", item.text,
                  "the head of the earlier layer in front of =, and the one that reads it behind");
}

}  // namespace

Result<Document> with_gates_of(const Document& document, std::string_view list) {
  if (!joins_heads(document)) {
    return usage_error("--gate needs an output projection that joins the heads",
                       "a model's folder, or embeddings with projections or blocks");
  }
  std::vector<HeadGate> gates;
  while (!list.empty()) {
    if (Status added = add_gates(gates, {"--gate", take_before(list, ",")}, document); !added) {
      return added.error();
    }
  }
  return with_gates(document, gates);
}

Result<Document> with_patterns_of(const Document& document, const AttentionResult& result,
                                  std::string_view list) {
  if (const std::string why = why_no_patterns(result.problem()); !why.empty()) {
    return usage_error("--pattern has no effect here: " + why);
  }
  std::vector<HeadPattern> patterns;
  while (!list.empty()) {
    const Item item{"--pattern", take_before(list, ",")};
    if (Status added = add_patterns(patterns, item, document, result); !added) {
      return added.error();
    }
  }
  return with_patterns(document, patterns);
}

Result<Document> with_edges_of(const Document& document, std::string_view list) {
  if (const std::string why = why_no_edges(make_problem(document)); !why.empty()) {
    return usage_error("--cut has no effect here: " + why);
  }
  std::vector<CutEdge> edges;
  while (!list.empty()) {
    if (Status added = add_edges(edges, {"--cut", take_before(list, ",")}, document); !added) {
      return added.error();
    }
  }
  return with_edges(document, edges, true);
}

}  // namespace attn::cli
