// Counts what a document would have.
#include "document/edit/memory.h"

#include <algorithm>

#include "attention/problem.h"
#include "base/number_text.h"
#include "document/problem.h"
#include "engine/compute.h"

namespace attn {
namespace {

std::uint64_t tensor_bytes(const Document& document, const AttentionShape& wanted) {
  std::uint64_t bytes = 0;
  for (const TensorInfo& info : tensors_of(document.model, shape_of(document.model))) {
    if (!info.is_there()) continue;
    Shape shape{sizeof(float)};
    for (const TensorAxis& axis : info.axes) {
      shape.push_back(axis.extent == Extent::One ? axis.count : extent_of(wanted, axis.extent));
    }
    bytes = saturating_sum(bytes, element_count(shape));
  }
  return bytes;
}

// Of what broadcasts to (samples, heads, n_q, n_k).
std::uint64_t map_bytes(const Shape& shape, const AttentionShape& wanted, std::size_t cell_bytes) {
  const std::size_t full[] = {wanted.samples, wanted.heads, wanted.n_q, wanted.n_k};
  Shape grown{cell_bytes};
  for (std::size_t back = 1; back <= shape.size(); ++back) {
    grown.push_back(shape[shape.size() - back] == 1 ? 1 : full[4 - back]);
  }
  return shape.empty() ? 0 : element_count(grown);
}

std::uint64_t mask_bytes(const Document& document, const AttentionShape& wanted) {
  std::uint64_t bytes = 0;
  for (const MaskPlace& place : masks_of(document)) {
    const Mask& mask = document.*place.mask;
    AttentionShape shape = wanted;
    if (place.part == AttentionPart::Self) shape.n_k = shape.n_q;
    bytes = saturating_sum(bytes, map_bytes(mask.visible.shape(), shape, 1));
    bytes = saturating_sum(bytes, map_bytes(mask.bias.shape(), shape, sizeof(float)));
  }
  return bytes;
}

}  // namespace

Status fits_in_memory(std::uint64_t bytes, std::uint64_t memory_limit_bytes) {
  if (bytes <= memory_limit_bytes) return ok_status();
  Error error;
  error.kind = ErrorKind::OverMemoryLimit;
  error.message = "the document and its stages would need more memory than is allowed";
  error.found = bytes_text(bytes);
  error.expected = "at most " + bytes_text(memory_limit_bytes);
  error.hint = "use fewer tokens, smaller widths or fewer heads";
  return error;
}

Status fits_in_memory(const Document& document, const AttentionShape& wanted,
                      std::uint64_t memory_limit_bytes) {
  AttentionProblem problem = make_problem(document);
  problem.shape = wanted;
  const std::uint64_t stages = saturating_sum(kept_bytes(problem), laid_out_bytes(problem));
  const std::uint64_t entered =
      saturating_sum(tensor_bytes(document, wanted), mask_bytes(document, wanted));
  return fits_in_memory(saturating_sum(entered, stages), memory_limit_bytes);
}

}  // namespace attn
