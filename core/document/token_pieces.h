// Tokens as the text that they encode: with its blanks, and pieces joined to words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "document/token_list.h"

namespace attn {

// A token, or the tokens of a word, and its text.
struct TokenPiece {
  std::size_t first = 0, count = 1;  // tokens
  std::string text = {};             // visible, without blanks around it
  std::string in_word = {};          // without marks; the first part of a character has all of it
  bool is_glued = false;             // true: no blank before it
  bool continues_word = false;
  bool ends_line = false;
  std::string joined_by = {};  // of one that continues a word: "`##`"
};

// The first `most` tokens. Blanks are those of the tokens if some begin with one (" cat", "Ġcat",
// "▁cat"); else there is a blank between all but joined pieces ("##ing", "sing@@", "￭ing", "sing"
// before "ing</w>"), East Asian letters and punctuation. `as_written` keeps the letters of the
// vocabulary.
std::vector<TokenPiece> pieces_of(const TokenList& tokens, std::size_t most, bool as_written);

// Pieces of words joined: "un", "##believ", "##able", and the parts of a character.
std::vector<TokenPiece> words_of(const std::vector<TokenPiece>& pieces);

// Statistics of the pieces that words_of() joins: "2 of `@@`, 1 of 3 parts of a character"; empty:
// none.
std::string joins_of(const std::vector<TokenPiece>& pieces);

}  // namespace attn
