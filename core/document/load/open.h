// Opening of documents named on the command line or in the window.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "document/load/loader.h"

namespace attn {

struct Example {
  std::string_view name;   // "i-love-cats"
  std::string_view group;  // heading of a group: "First steps"
  std::string_view json;   // embedded text
  std::string title;
  std::string description;
};

// Built-in examples in teaching order, grouped; the first opens on first start.
std::span<const Example> all_examples();

// Name for opening: "example:i-love-cats".
std::string example_path(const Example& example);

inline constexpr std::string_view kExamplePrefix = "example:";

// Name of the first example: "example:i-love-cats".
std::string first_example();

// Opens a path, "-" for standard input, or "example:NAME" (BadInput with the nearest name if
// unknown), in any format of all_loaders(). References start in the folder of `path`, whatever
// `options` state.
Result<DocumentFile> find_document(const std::string& path, const ReadOptions& options = {});

// To be called once: it consumes the bytes. Out of memory becomes OverMemoryLimit.
Reading read_document(const DocumentFile& file);

// Finds and reads; returns the first error.
Result<Reading> open_document(const std::string& path, const ReadOptions& options = {});

}  // namespace attn
