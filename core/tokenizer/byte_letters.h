// Letters by which byte-level vocabularies write bytes: printable bytes are themselves, the others
// count from U+0100, so that the blank is "Ġ".
#pragma once

#include <optional>

namespace attn::tokenizing {

// Byte of a letter; nothing for other letters.
inline std::optional<char> byte_of_letter(char32_t letter) {
  const auto is_in = [&](char32_t first, char32_t last) {
    return letter >= first && letter <= last;
  };
  const auto byte = [](char32_t value) {
    return static_cast<char>(static_cast<unsigned char>(value));
  };
  if (is_in(0x21, 0x7E) || is_in(0xA1, 0xAC) || is_in(0xAE, 0xFF)) return byte(letter);
  if (is_in(0x100, 0x120)) return byte(letter - 0x100);
  if (is_in(0x121, 0x142)) return byte(letter - 0x121 + 0x7F);
  if (letter == 0x143) return byte(0xAD);
  return std::nullopt;
}

// The letter with byte_of_letter(letter) == byte.
inline char32_t letter_of_byte(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  if (value <= 0x20) return 0x100U + value;
  if (value >= 0x7F && value <= 0xA0) return 0x121U + value - 0x7F;
  return value == 0xAD ? 0x143U : value;
}

}  // namespace attn::tokenizing
