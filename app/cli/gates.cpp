// Reads gates of heads from the command line.
#include "cli/gates.h"

#include <optional>
#include <string>
#include <vector>

#include "base/joined.h"
#include "base/parsed_number.h"
#include "cli/flags.h"
#include "document/edit.h"
#include "view/fields.h"

namespace attn::cli {
namespace {

using Places = std::vector<std::size_t>;

// Returns the layers or heads that a part of an item names, all of which exist.
Result<Places> places_of(std::string_view item, std::string_view numbers, const char* one,
                         const AttentionShape& extents) {
  const std::string text(numbers == "*" ? std::string_view("all") : numbers);
  const std::optional<Places> found = layers_named(text, extents);
  if (found && !found->empty() && layers_missing(text, extents).empty()) return *found;
  return no_value("--gate names no " + std::string(one) + " that there is", item,
                  std::string(one) + "s " + layer_numbers_text(extents, 0) + ", or *");
}

Error no_gate(std::string_view item) {
  return no_value("--gate has no factor of a head", item,
                  "LAYER:HEAD=FACTOR such as 5:1=0, with a factor from 0 to 2");
}

// Adds the gates of one item.
Status add_gates(std::vector<HeadGate>& gates, std::string_view item, const Document& document) {
  std::string_view left = item;
  HeadAddress at;
  for (const AttentionInfo& info : attentions_of(document)) {
    const std::string name = std::string(info.name) + ":";
    if (!left.starts_with(name)) continue;
    at = info.at();
    left.remove_prefix(name.size());
  }
  const std::string_view layer = take_before(left, ":"), head = take_before(left, "=");
  const Result<float> factor = parse_number(left);
  if (head.empty() || !factor || !(*factor >= 0.0F && *factor <= kLargestGate)) {
    return no_gate(item);
  }
  const AttentionShape shape = shape_of(document);
  const Result<Places> layers = places_of(item, layer, "layer", shape);
  if (!layers) return layers.error();
  const Result<Places> heads = places_of(item, head, "head", {.layers = shape.heads});
  if (!heads) return heads.error();
  for (const std::size_t l : *layers) {
    for (const std::size_t h : *heads) gates.push_back({at.moved_to(l, 0, h), *factor});
  }
  return ok_status();
}

}  // namespace

Result<Document> with_gates_of(const Document& document, std::string_view list) {
  if (!joins_heads(document)) {
    return usage_error("--gate needs an output projection that joins the heads",
                       "a model's folder, or embeddings with projections or blocks");
  }
  std::vector<HeadGate> gates;
  while (!list.empty()) {
    if (Status added = add_gates(gates, take_before(list, ","), document); !added) {
      return added.error();
    }
  }
  return with_gates(document, gates);
}

}  // namespace attn::cli
