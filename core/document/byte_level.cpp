// Decoding of the 256 letters of byte-level vocabularies: printable bytes are themselves, others
// count from U+0100.
#include "document/byte_level.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/utf8.h"

namespace attn {
namespace {

constexpr std::string_view kBlankLetter = "Ġ", kBlankMark = "▁";
constexpr std::string_view kBlanks = " \t\r\n";

std::optional<char> byte_of(char32_t letter) {
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

// Nothing if some letter is none of the 256.
std::optional<std::string> bytes_of(std::string_view token) {
  std::string bytes;
  for (std::size_t at = 0; at < token.size();) {
    const CodePoint point = code_point_at(token, at);
    const std::optional<char> byte = byte_of(point.value);
    if (!byte) return std::nullopt;
    bytes += *byte;
    at += point.length;
  }
  return bytes;
}

// True if blanks only precede a word and line breaks only follow it.
bool has_blanks_around(std::string_view bytes) {
  const std::size_t word = std::min(bytes.find_first_not_of(kBlanks), bytes.size());
  const std::string_view before = bytes.substr(0, word), rest = bytes.substr(word);
  const std::size_t end = std::min(rest.find_first_of(kBlanks), rest.size());
  const std::string_view behind = rest.substr(end);
  const bool starts_lines = before.find('\n') != before.npos && !rest.empty();
  return !starts_lines && behind.find_first_not_of(kBlanks) == behind.npos &&
         (behind.empty() || behind.front() == '\n' || behind.front() == '\r');
}

bool is_plain_text(std::string_view text) {
  const auto is_odd = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7F || (byte < 0x20 && kBlanks.find(c) == kBlanks.npos);
  };
  return !first_invalid_utf8(text) && std::ranges::none_of(text, is_odd);
}

bool are_byte_level(std::span<const std::string_view> tokens) {
  std::string text;
  bool has_blank = false;
  for (const std::string_view token : tokens) {
    const std::optional<std::string> bytes = bytes_of(token);
    if (!bytes || !has_blanks_around(*bytes)) return false;
    has_blank = has_blank || token.starts_with(kBlankLetter);
    text += *bytes;
  }
  return has_blank && is_plain_text(text);
}

bool are_sentence_pieces(std::span<const std::string_view> tokens) {
  const auto has_blank = [](std::string_view token) {
    return token.find_first_of(kBlanks) != token.npos;
  };
  const auto starts_a_word = [](std::string_view token) { return token.starts_with(kBlankMark); };
  return std::ranges::any_of(tokens, starts_a_word) && std::ranges::none_of(tokens, has_blank);
}

// ASCII character of a byte that SentencePiece has no piece for: "<0x0A>".
std::optional<char> byte_piece(std::string_view token) {
  constexpr std::string_view kStart = "<0x";
  unsigned byte = 0;
  if (token.size() != kStart.size() + 3 || !token.starts_with(kStart) || token.back() != '>') {
    return std::nullopt;
  }
  const char* const digits = token.data() + kStart.size();
  const auto read = std::from_chars(digits, digits + 2, byte, 16);
  if (read.ptr != digits + 2 || byte >= 0x80) return std::nullopt;
  return static_cast<char>(byte);
}

}  // namespace

TokenWriting writing_of(std::span<const std::string_view> tokens) {
  if (are_byte_level(tokens)) return TokenWriting::ByteLevel;
  return are_sentence_pieces(tokens) ? TokenWriting::SentencePiece : TokenWriting::Plain;
}

std::string text_of_token(std::string token, TokenWriting writing) {
  if (writing == TokenWriting::SentencePiece) {
    const std::optional<char> byte = byte_piece(token);
    if (byte && is_plain_text({&*byte, 1})) return std::string(1, *byte);
    for (std::size_t at = 0; (at = token.find(kBlankMark, at)) != token.npos; ++at) {
      token.replace(at, kBlankMark.size(), " ");
    }
  }
  if (writing != TokenWriting::ByteLevel) return token;
  const std::optional<std::string> bytes = bytes_of(token);
  return bytes && is_plain_text(*bytes) ? *bytes : token;
}

}  // namespace attn
