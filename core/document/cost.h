// What a document has learned and what computing it takes, part by part.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "document/document.h"

namespace attn {

// One part of the model, in all its blocks.
struct PartCost {
  std::string name;  // "attention", "feed-forward"
  std::uint64_t parameters = 0;
  std::uint64_t multiply_adds = 0;
};

struct DocumentCost {
  std::vector<PartCost> parts;  // in the order of computation; empty where there is only one
  std::uint64_t parameters = 0;
  std::uint64_t multiply_adds = 0;
};

// A norm counts one multiply-add for each number. Precondition: the document is consistent.
DocumentCost cost_of(const Document& document);

// Bytes of all tensors, those in mapped files included.
std::uint64_t entered_bytes(const Document& document);

// OverMemoryLimit where so many bytes are more than the limit.
Status fits_in_memory(std::uint64_t bytes, std::uint64_t memory_limit_bytes);

// Whether the document with other extents, its masks and every stage of it are within the limit.
Status fits_in_memory(const Document& document, const AttentionShape& wanted,
                      std::uint64_t memory_limit_bytes);

}  // namespace attn
