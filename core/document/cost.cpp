// Sums of costs over lists of tensors and attentions.
#include "document/cost.h"

#include <algorithm>

#include "attention/problem.h"
#include "base/mapped_file.h"
#include "document/edit.h"
#include "document/problem.h"
#include "engine/compute.h"

namespace attn {
namespace {

constexpr std::string_view kPositions = "positions";  // parameters without multiply-adds
constexpr std::string_view kOrder[] = {
    "encoder",         "encoder-attention", "attention", "self-attention", "decoder",
    "cross-attention", "feed-forward",      "norms",     kPositions};

PartCost& cost_part(std::vector<PartCost>& parts, std::string_view name) {
  const auto found = std::ranges::find(parts, name, &PartCost::name);
  if (found != parts.end()) return *found;
  return parts.emplace_back(PartCost{std::string(name), 0, 0});
}

// Name of an attention as a part of the cost.
std::string part_of(const AttentionInfo& attention, std::size_t count) {
  return count == 1 ? "attention" : std::string(attention.name) + "-attention";
}

std::uint64_t multiply_adds_of(const TensorInfo& info, const AttentionShape& shape) {
  if (info.is_norm_weight()) {
    const bool of_heads = info.part != "norms";  // of queries and keys, where it is given
    if (of_heads && !info.is_there()) return 0;
    const Extent widths =
        info.role == StageRole::Query ? Extent::AllQueryWidths : Extent::AllKeyWidths;
    const std::size_t width = of_heads ? extent_of(shape, widths) : shape.d_model;
    return element_count({shape.samples, shape.n_q, width});
  }
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

std::uint64_t tensor_bytes(const Document& document, const AttentionShape& wanted) {
  std::uint64_t bytes = 0;
  for (const TensorInfo& info : tensors_of(document.model, shape_of(document.model))) {
    if (!info.is_there()) continue;
    Shape shape{sizeof(float)};
    for (const TensorAxis& axis : info.axes) {
      shape.push_back(axis.extent == Extent::One ? axis.count : extent_of(wanted, axis.extent));
    }
    bytes = saturating_sum({bytes, element_count(shape)});
  }
  return bytes;
}

// Bytes of a tensor that broadcasts to (layers, samples, heads, n_q, n_k).
std::uint64_t map_bytes(const Shape& shape, const AttentionShape& wanted, std::size_t cell_bytes) {
  const std::size_t full[] = {wanted.layers, wanted.samples, wanted.heads, wanted.n_q, wanted.n_k};
  Shape grown{cell_bytes};
  for (std::size_t back = 1; back <= shape.size(); ++back) {
    grown.push_back(shape[shape.size() - back] == 1 ? 1 : full[std::size(full) - back]);
  }
  return shape.empty() ? 0 : element_count(grown);
}

std::uint64_t mask_bytes(const Document& document, const AttentionShape& wanted) {
  std::uint64_t bytes = 0;
  for (const MaskPlace& place : masks_of(document)) {
    const Mask& mask = document.*place.mask;
    const AttentionShape shape = shape_at(wanted, place.at);
    bytes = saturating_sum({bytes, map_bytes(mask.visible.shape(), shape, 1),
                            map_bytes(mask.bias.shape(), shape, sizeof(float))});
  }
  return bytes;
}

}  // namespace

DocumentCost cost_of(const Document& document) {
  const std::span<const AttentionInfo> attentions = attentions_of(document);
  DocumentCost cost;
  add_tensors(cost.parts, document, part_of(attentions.front(), attentions.size()));
  for (const AttentionInfo& attention : attentions) {  // without its tensors
    cost_part(cost.parts, part_of(attention, attentions.size())).multiply_adds +=
        scored_multiply_adds(document.scoring.function, shape_of(document, attention.at()));
  }
  for (const PartCost& part : cost.parts) {
    cost.parameters += part.parameters;
    cost.multiply_adds += part.multiply_adds;
  }
  std::erase_if(cost.parts, [](const PartCost& part) { return part.name == kPositions; });
  if (cost.parts.size() == 1 || cost.multiply_adds == 0) cost.parts.clear();
  std::ranges::sort(cost.parts, {}, [](const PartCost& part) {
    return std::ranges::find(kOrder, part.name) - std::begin(kOrder);
  });
  return cost;
}

std::uint64_t entered_bytes(const Document& document) {
  std::uint64_t bytes = 0;
  for (const TensorInfo& info : tensors_of(document)) {
    if (!is_mapped(info.tensor->data())) bytes += info.tensor->size() * sizeof(float);
  }
  return bytes;
}

Status fits_in_memory(std::uint64_t bytes, std::uint64_t memory_limit_bytes) {
  if (bytes <= memory_limit_bytes) return ok_status();
  return over_memory("the document and its stages would need more memory than is allowed", bytes,
                     memory_limit_bytes, "use fewer tokens, smaller widths or fewer heads");
}

Status fits_in_memory(const Document& document, const AttentionShape& wanted,
                      std::uint64_t memory_limit_bytes) {
  AttentionProblem problem = make_problem(document);
  problem.shape = wanted;
  const std::uint64_t bytes =
      saturating_sum({tensor_bytes(document, wanted), mask_bytes(document, wanted),
                      materialised_bytes(problem), laid_out_bytes(problem)});
  return fits_in_memory(bytes, memory_limit_bytes);
}

}  // namespace attn
