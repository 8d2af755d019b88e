// Parameters and computing costs of a document, by part.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "document/document.h"

namespace attn {

// One part of the model, summed over all blocks.
struct PartCost {
  std::string name;  // "attention", "feed-forward"
  std::uint64_t parameters = 0;
  std::uint64_t multiply_adds = 0;
};

struct DocumentCost {
  std::vector<PartCost> parts;  // in order of computation; empty if there is only one
  std::uint64_t parameters = 0;
  std::uint64_t multiply_adds = 0;
};

// Norms count one multiply-add per number. Precondition: the document is consistent.
DocumentCost cost_of(const Document& document);

// Bytes of all tensors but those that lie in mapped files.
std::uint64_t entered_bytes(const Document& document);

// OverMemoryLimit if `bytes` exceed the limit.
Status fits_in_memory(std::uint64_t bytes, std::uint64_t memory_limit_bytes);

// OverMemoryLimit if the document with other extents, its masks or any stage exceeds the limit.
Status fits_in_memory(const Document& document, const AttentionShape& wanted,
                      std::uint64_t memory_limit_bytes);

}  // namespace attn
