// Costs by loops over the lists of tensors and attentions.
#include "document/cost.h"

#include <algorithm>

#include "document/edit.h"

namespace attn {
namespace {

constexpr std::string_view kPositions = "positions";  // parameters without work of their own
constexpr std::string_view kOrder[] = {"encoder", "attention",       "self-attention",
                                       "decoder", "cross-attention", "feed-forward",
                                       "norms",   kPositions};

PartCost& cost_part(std::vector<PartCost>& parts, std::string_view name) {
  const auto found = std::ranges::find(parts, name, &PartCost::name);
  if (found != parts.end()) return *found;
  return parts.emplace_back(PartCost{std::string(name), 0, 0});
}

// What attentions are called as parts of the cost.
std::string part_of(const AttentionPartInfo& attention, std::size_t count) {
  return count == 1 ? "attention" : std::string(attention.name) + "-attention";
}

std::uint64_t multiply_adds_of(const TensorInfo& info, const AttentionShape& shape) {
  const bool norm = info.use == TensorUse::Norm && info.path.ends_with("/weight");
  if (norm) return element_count({shape.samples, shape.n_q, shape.d_model});
  if (info.use != TensorUse::Matrix) return 0;
  return element_count({shape.samples, extent_of(shape, info.applied), info.tensor->size()});
}

void add_tensors(std::vector<PartCost>& parts, const Document& document,
                 std::string_view first_attention) {
  const AttentionShape shape = shape_of(document);
  for (const TensorInfo& info : tensors_of(document)) {
    if (info.part.empty()) continue;
    PartCost& part = cost_part(parts, info.part == "scores" ? first_attention : info.part);
    part.parameters += info.tensor->size();
    part.multiply_adds += multiply_adds_of(info, shape);
  }
}

// What tensors do is counted by them.
void add_attentions(std::vector<PartCost>& parts, const Document& document) {
  const std::span<const AttentionPartInfo> attentions = attentions_of(document);
  for (const AttentionPartInfo& attention : attentions) {
    cost_part(parts, part_of(attention, attentions.size())).multiply_adds +=
        scored_multiply_adds(document.scoring.function, shape_of(document, attention.part));
  }
}

std::ptrdiff_t place_of(const PartCost& part) {
  return std::ranges::find(kOrder, part.name) - std::begin(kOrder);
}

}  // namespace

DocumentCost cost_of(const Document& document) {
  const std::span<const AttentionPartInfo> attentions = attentions_of(document);
  DocumentCost cost;
  add_tensors(cost.parts, document, part_of(attentions.front(), attentions.size()));
  add_attentions(cost.parts, document);
  for (const PartCost& part : cost.parts) {
    cost.parameters += part.parameters;
    cost.multiply_adds += part.multiply_adds;
  }
  std::erase_if(cost.parts, [](const PartCost& part) { return part.name == kPositions; });
  if (cost.parts.size() == 1) cost.parts.clear();
  std::ranges::sort(cost.parts, {}, place_of);
  return cost;
}

std::uint64_t entered_bytes(const Document& document) {
  std::uint64_t bytes = 0;
  for (const TensorInfo& info : tensors_of(document)) bytes += info.tensor->size() * sizeof(float);
  return bytes;
}

}  // namespace attn
