// Choices of reading a document or another text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/progress.h"

namespace attn {

struct ReadOptions {
  std::uint64_t memory_limit_bytes = std::uint64_t{4} << 30;  // for the text and its contents
  std::size_t depth_limit = 64;
  std::string folder = {};                 // base of references to files; empty: the working folder
  bool allows_outside = false;             // references may lead out of that folder
  Progress* progress = nullptr;            // of reading files; may be cancelled
  std::optional<std::uint64_t> seed = {};  // replaces the document's
};

}  // namespace attn
