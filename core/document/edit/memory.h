// Whether a change of extents would take more memory than is allowed. Internal to core/document.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "document/document.h"

namespace attn {

// OverMemoryLimit where so many bytes are more than the limit.
Status fits_in_memory(std::uint64_t bytes, std::uint64_t memory_limit_bytes);

// The same of the document with other extents, its masks and every stage of it.
Status fits_in_memory(const Document& document, const AttentionShape& wanted,
                      std::uint64_t memory_limit_bytes);

}  // namespace attn
