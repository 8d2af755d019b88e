// Documents from text that somebody copied elsewhere.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "document/json.h"

namespace attn {

struct Pasted {
  ReadReport report;
  std::string taken_as;  // what the text was taken for, one sentence: "3 × 3 numbers as …"
};

// The text of a document in any form that reading knows; a table of numbers in any form that
// read_numbers() knows; else words, which become tokens. A square table whose rows sum to 1 is
// finished attention weights, any other table the embeddings of as many tokens; names of its rows
// are tokens, those of its columns keys or features. A single number, and words with some numbers
// among them, are text. What starts as a document or as lists of numbers, and what is mostly
// numbers, is refused where it is neither, with the reasons of its reader. Text that is not UTF-8
// is refused as reading a file does it, with the line and column of its first byte that is not.
Result<Pasted> read_pasted(std::string_view text, const ReadOptions& options = {});

}  // namespace attn
