// Tokens as vocabularies write them. Byte-level ones write each byte of a text as a letter of their
// own: "Ġcat" is " cat", "âĢĻ" is "’". SentencePiece writes a blank as "▁": "▁cat" is " cat".
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace attn {

enum class TokenWriting { Plain, ByteLevel, SentencePiece };

// What the tokens as a whole can only be meant as. Byte-level: every letter is one of the 256, some
// word begins with the letter of the blank, blanks and line breaks stand where such vocabularies
// have them, and all together are UTF-8 without other control characters. SentencePiece: some token
// begins with "▁", and none has a blank of its own.
TokenWriting writing_of(std::span<const std::string_view> tokens);

// The text that the token stands for; as it is written where it is part of a character.
std::string text_of_token(std::string token, TokenWriting writing);

}  // namespace attn
