// Reads a document's text, tolerant of its form.
#pragma once

#include <string>
#include <string_view>

#include "base/files.h"
#include "base/result.h"
#include "document/reading.h"
#include "text/reader.h"

namespace attn {

// Reads the whole stream. If it fails, its error is the only one: BadInput for a file that was
// truncated meanwhile, Interrupted after cancelling.
Reading read_document(ByteStream& stream, const std::string& file, const ReadOptions& options = {});

// `file` is only named in errors. Refuses with file, line, column, JSON pointer, found and
// expected: syntax, depth, duplicate and unknown keys (with the nearest known one), invalid UTF-8,
// ragged rows, wrong depth, inconsistent counts, and values that exceed the memory limit.
Result<Reading> read_document(std::string_view text, const std::string& file,
                              const ReadOptions& options = {});

}  // namespace attn
