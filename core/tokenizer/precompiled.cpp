// SentencePiece's normalizer: a trie of characters (a double array) with the texts that replace
// them.
#include <cstdint>

#include "base/utf8.h"
#include "tokenizer/steps.h"
#include "tokenizer/unicode.h"

namespace attn::tokenizing {
namespace {

struct CharacterMap {
  std::vector<std::uint32_t> units;
  std::string texts;  // each ends in a zero
};

// Empty if it is no base64.
std::string decoded_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0, count = 0;
  for (const char c : text.substr(0, text.find('='))) {
    const std::size_t digit = kDigits.find(c);
    if (digit == kDigits.npos) return {};
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(static_cast<unsigned char>(bits >> count));
  }
  return bytes;
}

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// The size of the trie in bytes, the trie, and the texts; empty if that does not fit.
CharacterMap character_map(std::string_view bytes) {
  CharacterMap map;
  const std::size_t size = bytes.size() < 4 ? 0 : little_endian(bytes, 0);
  if (size < 4 || size > bytes.size() - 4) return map;
  for (std::size_t at = 4; at + 4 <= 4 + size; at += 4) {
    map.units.push_back(little_endian(bytes, at));
  }
  map.texts = std::string(bytes.substr(4 + size)) + '\0';
  return map;
}

std::size_t offset_of(std::uint32_t unit) { return std::size_t{unit >> 10U} << (unit >> 6U & 8U); }

// The text for the shortest start of `text` that the trie has; null: it has none.
const char* replacement_of(const CharacterMap& map, std::string_view text) {
  const auto unit = [&](std::size_t node) { return node < map.units.size() ? map.units[node] : 0; };
  std::size_t node = offset_of(unit(0));
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    node ^= byte;
    if (byte == 0 || (unit(node) & 0x800000FFU) != byte) return nullptr;
    const bool has_text = (unit(node) >> 8U & 1U) != 0;
    node ^= offset_of(unit(node));
    const std::size_t at = unit(node) & 0x7FFFFFFFU;
    if (!has_text) continue;
    const char* const found = map.texts.c_str() + (at < map.texts.size() ? at : map.texts.size());
    return first_invalid_utf8(found) ? nullptr : found;
  }
  return nullptr;
}

// A character as people see it is replaced as a whole, else its code points one by one.
void append_mapped(const CharacterMap& map, std::string_view grapheme, std::string& mapped) {
  constexpr std::size_t kLongest = 5;
  const char* const whole = grapheme.size() <= kLongest ? replacement_of(map, grapheme) : nullptr;
  if (whole != nullptr) {
    mapped += whole;
    return;
  }
  each_code_point(grapheme, [&](char32_t, std::string_view bytes) {
    const char* const one = replacement_of(map, bytes);
    mapped += one == nullptr ? bytes : one;
  });
}

Status apply(const CharacterMap& map, std::string& text) {
  std::string mapped;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    const std::size_t size = first_grapheme(rest);
    append_mapped(map, rest.substr(0, size), mapped);
    if (Status fits = within_limit(mapped.size()); !fits) return fits;
    at += size;
  }
  text = std::move(mapped);
  return ok_status();
}

}  // namespace

TextStep precompiled(const StepOptions& options) {
  const CharacterMap map = character_map(decoded_base64(options.precompiled_charsmap));
  if (map.units.empty()) return nullptr;
  return [map](Pieces& pieces) {
    for (Piece& piece : pieces) {
      if (Status done = apply(map, piece.text); !done) return done;
    }
    return ok_status();
  };
}

}  // namespace attn::tokenizing
