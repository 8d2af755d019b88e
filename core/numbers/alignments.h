// Alignments of words as translation programs write them: fairseq, Marian, Nematus, OpenNMT-py, and
// the pairs of Pharaoh, as a table of numbers for each sentence.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "numbers/number_table.h"

namespace attn {

struct Alignments {
  std::string form{};      // "alignments of fairseq"
  bool are_pairs = false;  // of words, source first; else rows of numbers
  // Rows are words of the translation, columns words of the source. Labels if the words are known.
  // The first of several translations of a sentence is taken.
  std::vector<NumberTable> sentences{};
  std::size_t left_out = 0;                           // further translations of a sentence
  std::size_t unnamed_rows = 0, unnamed_columns = 0;  // sentences with a different number of words
};

// Nothing if the text has none of the forms. BadInput with the line of ragged rows, of a pair
// beyond the end of its sentence, and of output without alignments; OverMemoryLimit.
std::optional<Result<Alignments>> read_alignments(std::string_view text, std::uint64_t limit_bytes);

}  // namespace attn
