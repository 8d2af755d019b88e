// Tokens as the text that they spell: with blanks where it has them, and pieces joined to words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "document/token_list.h"

namespace attn {

// A token, or the tokens of a word, and where it stands in the text.
struct TokenPiece {
  std::size_t first = 0, count = 1;  // tokens
  std::string text = {};             // visible, without blanks around it
  bool is_glued = false;             // no blank before it
  bool continues_word = false;
  bool ends_line = false;
};

// The first `most` tokens. Blanks are those of the tokens where some begin with one (" cat",
// "Ġcat", "▁cat"); else they stand between all but pieces such as "##ing", East Asian letters and
// punctuation. As written: with the letters of the vocabulary.
std::vector<TokenPiece> pieces_of(const TokenList& tokens, std::size_t most, bool as_written);

// Pieces of words joined: "un", "##believ", "##able".
std::vector<TokenPiece> words_of(const std::vector<TokenPiece>& pieces);

}  // namespace attn
