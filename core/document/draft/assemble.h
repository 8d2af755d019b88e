// Completion of a document: its form, inferred and generated values. Internal to core/document.
#pragma once

#include <cstdint>

#include "base/progress.h"
#include "document/json.h"
#include "document/json/document_text.h"

namespace attn {

// Errors have JSON pointers, but no line and column yet.
Reading assemble(DocumentText text, std::uint64_t memory_limit_bytes, Progress* progress = nullptr);

}  // namespace attn
