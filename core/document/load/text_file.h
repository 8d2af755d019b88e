// Tables of numbers and alignments of words in files of text, as documents.
#pragma once

#include <string_view>

#include "document/load/open.h"

namespace attn {

// True where a document begins, or a list; lists of numbers without commas, and rows of numbers,
// are tables.
bool is_json(std::string_view start);

// The first note says how the text was read, and how to read it otherwise.
Reading read_text_file(const DocumentFile& file);

}  // namespace attn
