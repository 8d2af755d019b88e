// From what a text says to a whole document: which form it is, what is inferred, what is generated.
// Internal to core/document.
#pragma once

#include <cstdint>

#include "base/progress.h"
#include "document/json.h"
#include "document/json/fields.h"

namespace attn {

// Errors have JSON pointers, and no places yet.
Reading assemble(DocumentFields fields, std::uint64_t memory_limit_bytes,
                 Progress* progress = nullptr);

}  // namespace attn
