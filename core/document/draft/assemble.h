// From what a text says to a whole document: which form it is, what is inferred, what is generated.
// Internal to core/document.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "document/json.h"
#include "document/json/fields.h"

namespace attn {

struct Assembly {
  ReadReport report;          // meaningful when there are no errors
  std::vector<Error> errors;  // with JSON pointers, without places
};

Assembly assemble(DocumentFields fields, std::uint64_t memory_limit_bytes,
                  Progress* progress = nullptr);

}  // namespace attn
