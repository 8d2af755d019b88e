// Opens whatever stands for a document on the command line or in the window.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "document/json.h"

namespace attn {

struct Example {
  std::string_view name;  // "i-love-cats"
  std::string_view json;  // embedded in the program
  std::string title;
  std::string description;
};

// The built-in examples, in teaching order; the first opens on first start.
std::span<const Example> all_examples();

inline constexpr std::string_view kExamplePrefix = "example:";

// A path, "-" for standard input, or "example:NAME" (BadInput with the nearest name otherwise).
Result<ReadReport> open_document(const std::string& path, const ReadOptions& options = {});

}  // namespace attn
