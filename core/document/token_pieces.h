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
  std::string in_word = {};          // without marks, and of parts of a character the first has all
  bool is_glued = false;             // no blank before it
  bool continues_word = false;
  bool ends_line = false;
  std::string joined_by = {};  // of one that continues a word: "`##`"
};

// The first `most` tokens. Blanks are those of the tokens where some begin with one (" cat",
// "Ġcat", "▁cat"); else they stand between all but joined pieces ("##ing", "sing@@", "￭ing", "sing"
// before "ing</w>"), East Asian letters and punctuation. As written: with the letters of the
// vocabulary.
std::vector<TokenPiece> pieces_of(const TokenList& tokens, std::size_t most, bool as_written);

// Pieces of words joined: "un", "##believ", "##able", and the parts of a character.
std::vector<TokenPiece> words_of(const std::vector<TokenPiece>& pieces);

// Numbers of pieces that words_of() joins: "2 of `@@`, 1 of 3 parts of a character"; empty: none.
std::string joins_of(const std::vector<TokenPiece>& pieces);

}  // namespace attn
