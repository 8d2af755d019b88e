// Opens documents named on the command line or in the window, in all formats: the first loader of a
// list that recognises a file reads it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/files.h"
#include "base/result.h"
#include "document/load/read.h"
#include "document/model_places.h"
#include "document/tensors/array_file.h"

namespace attn {

struct Example {
  std::string_view name;   // "i-love-cats"
  std::string_view group;  // heading of a group: "First steps"
  std::string_view json;   // embedded text
  std::string title;
  std::string description;
};

// Built-in examples in teaching order, grouped: models, then lessons in the user's language, by the
// locale, then all others.
std::span<const Example> all_examples();

// Name for opening: "example:i-love-cats".
std::string example_path(const Example& example);

// "example:i-love-cats", and the first lesson in the user's language.
std::string first_example();
std::string first_lesson();

// The next built-in lesson in the same language; none after the last one, or for other documents.
std::optional<std::string> lesson_after(const std::string& path);

struct Loader;

// An opened document that has not been read. The bytes can be read once; a regular file can be
// opened again by its name.
struct DocumentFile {
  std::string name;  // also for errors; "-" is standard input
  std::shared_ptr<ByteStream> bytes;
  ReadOptions options = {};
  const Loader* loader = nullptr;
};

struct Loader {
  std::string_view name;                      // "json"
  std::string_view label;                     // plural: "JSON documents"
  std::span<const std::string_view> endings;  // extensions: ".json"
  bool is_document_format;                    // saving writes this format
  bool (*sniff)(std::string_view start);      // recognises the first kSniffBytes (or fewer) bytes
  Reading (*read)(const DocumentFile& file);
};

// The last is the loader of text, the fallback.
std::span<const Loader> all_loaders();

// Judges by the extension only, case-insensitive.
bool has_ending(const Loader& loader, std::string_view name);

// The loader that recognises the first bytes; if none does, by extension.
const Loader& loader_for(std::string_view start, std::string_view name);

// Unsupported formats: BadInput if the start is that of such a file, with the Python code that
// converts it to a .npy file.
std::optional<Error> foreign_format(std::string_view start, const std::string& name);

// Opens a path, "-" for standard input, "example:NAME", or "attnscope:NAME" for a model of the
// package (BadInput with the nearest name if unknown), in any format of all_loaders(). References
// start in the folder of `path`, whatever `options` state.
Result<DocumentFile> find_document(const std::string& path, const ReadOptions& options = {});

// Reads a file once: it consumes the bytes. Out of memory becomes OverMemoryLimit.
Reading read_document(const DocumentFile& file);

// Finds and reads; returns the first error.
Result<Reading> open_document(const std::string& path, const ReadOptions& options = {});

// Reads text as a document in any known form; else as a table of numbers in any form of
// read_numbers(); else as words, which become tokens. A square table whose rows sum to 1 is given
// weights, any other table the embeddings of one token per row; names of rows are tokens, those of
// columns keys or features. A single number, and words with some numbers among them, are words.
// Text that starts like a document or lists of numbers, or is mostly numbers, is refused if it is
// neither, with the errors of its reader. Invalid UTF-8 is refused as for files, with line and
// column of the first invalid byte.
Result<Reading> read_pasted(std::string_view text, const ReadOptions& options = {});

}  // namespace attn
