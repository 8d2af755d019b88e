// Opens whatever stands for a document on the command line or in the window.
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
  std::string_view group;  // "First steps": a heading above those of one kind
  std::string_view json;   // embedded in the program
  std::string title;
  std::string description;
};

// The built-in examples, in teaching order, those of a group together; the first opens on first
// start.
std::span<const Example> all_examples();

// "example:i-love-cats", as it is opened.
std::string example_path(const Example& example);

inline constexpr std::string_view kExamplePrefix = "example:";

// "example:i-love-cats", the first of all.
std::string first_example();

// What stands for a document, found but not yet understood.
struct DocumentFile {
  LoadSource source;
  ReadOptions options;
  const Loader* loader = nullptr;
};

// A path, "-" for standard input, or "example:NAME" (BadInput with the nearest name otherwise), in
// any format of all_loaders(). References of the document start in the folder of `path`, whatever
// `options` say.
Result<DocumentFile> find_document(const std::string& path, const ReadOptions& options = {});

// Once: the bytes are gone then. Memory that is not to be had is OverMemoryLimit, no exception.
Reading read_document(const DocumentFile& file);

// Finds and reads; the first error of those that there are.
Result<ReadReport> open_document(const std::string& path, const ReadOptions& options = {});

}  // namespace attn
