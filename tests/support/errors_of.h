// All problems of a document's text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "document/load/read.h"

namespace attn::test {

inline std::vector<Error> errors_of(std::string_view text, const std::string& file,
                                    const ReadOptions& options = {}) {
  ByteStream stream(text);
  return read_document(stream, file, options).errors;
}

}  // namespace attn::test
