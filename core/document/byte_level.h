// Spelling of tokens in vocabularies. Byte-level ones write each byte of a text as a letter: "Ġcat"
// is " cat", "âĢĻ" is "’". SentencePiece writes a blank as "▁": "▁cat" is " cat", and a character
// without a piece as its bytes: "<0x0A>" is a line break.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace attn {

enum class TokenWriting { Plain, ByteLevel, SentencePiece };

// Detects the spelling of a list of tokens. Byte-level: every letter is one of the 256, some word
// begins with the letter of the blank, blanks and line breaks are where such vocabularies have
// them, and the decoded whole is UTF-8 without other control characters. SentencePiece: some token
// begins with "▁", and none contains a blank.
TokenWriting writing_of(std::span<const std::string_view> tokens);

// Decoded text of the token; unchanged if it is part of a character, or a control character.
std::string text_of_token(std::string token, TokenWriting writing);

}  // namespace attn
