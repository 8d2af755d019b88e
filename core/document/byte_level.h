// Tokens of byte-level vocabularies, which write each byte of a text as a letter of their own:
// "Ġcat" is " cat", "âĢĻ" is "’".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace attn {

// Whether the tokens as a whole can only be meant so: every letter is one of the 256, some word
// begins with the letter of the blank, blanks and line breaks stand where such vocabularies have
// them, and all together are UTF-8 without other control characters.
bool are_byte_level(std::span<const std::string_view> tokens);

// The text that the token stands for; nothing where it is part of a character.
std::optional<std::string> byte_level_text(std::string_view token);

}  // namespace attn
