// The formats that documents are opened from: one list, and what is done with the first of it that
// knows the file.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/byte_stream.h"
#include "document/json.h"

namespace attn {

// Where a document comes from. `name` stands in errors; "-" is standard input. The bytes are read
// once; a regular file may also be opened by its name.
struct LoadSource {
  std::string name;
  std::shared_ptr<ByteStream> bytes;
};

struct Loader {
  std::string_view name;                      // "json"
  std::string_view label;                     // of several such files: "JSON documents"
  std::span<const std::string_view> endings;  // of file names, ".json"
  bool is_document_format;                    // what is opened from it is saved to it again
  bool (*sniff)(std::string_view start);      // knows the first kSniffBytes (or fewer) of a file
  Reading (*read)(const LoadSource& source, const ReadOptions& options);
};

inline constexpr std::size_t kSniffBytes = 256;

// The last is that of text, which takes what nobody knows.
std::span<const Loader> all_loaders();

// By the ending of the name alone, in letters of either case.
bool has_ending(const Loader& loader, std::string_view name);

// By the first bytes; where nobody knows them, by the ending of the name.
const Loader& loader_for(std::string_view start, std::string_view name);

}  // namespace attn
