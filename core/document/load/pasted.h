// Documents from pasted text.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "document/load/read.h"

namespace attn {

// Reads text as a document in any known form; else as a table of numbers in any form of
// read_numbers(); else as words, which become tokens. A square table whose rows sum to 1 is given
// weights, any other table the embeddings of as many tokens; names of rows are tokens, those of
// columns keys or features. A single number, and words with some numbers among them, are words.
// Text that starts like a document or lists of numbers, or is mostly numbers, is refused if it is
// neither, with the errors of its reader. Invalid UTF-8 is refused as for files, with line and
// column of the first invalid byte.
Result<Reading> read_pasted(std::string_view text, const ReadOptions& options = {});

}  // namespace attn
