// SentencePiece's normalizer: a trie of characters (a double array) with the texts that replace
// them.
#include <utf8proc.h>

#include <cstdint>
#include <cstring>
#include <memory>

#include "tokenizer/members.h"
#include "tokenizer/steps.h"
#include "tokenizer/unicode.h"

namespace attn::tokenizing {
namespace {

struct CharacterMap {
  std::vector<std::uint32_t> units = {};
  std::string texts = {};  // each ends in a zero
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

// The size of the trie in bytes, the trie, and the texts; empty if that does not fit.
CharacterMap character_map(std::string_view bytes) {
  std::uint32_t size = 0;
  if (bytes.size() < sizeof size) return {};
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  if (size < sizeof size || size > bytes.size()) return {};
  CharacterMap map{.units = std::vector<std::uint32_t>(size / sizeof size),
                   .texts = std::string(bytes.substr(size)) + '\0'};
  std::memcpy(map.units.data(), bytes.data(), map.units.size() * sizeof size);
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

// Length in bytes of the first character as people see it. Precondition: there is one.
std::size_t first_grapheme(std::string_view text) {
  utf8proc_int32_t state = 0;
  CodePoint last = code_point_at(text, 0);
  std::size_t at = last.length;
  while (at < text.size()) {
    const CodePoint next = code_point_at(text, at);
    if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(last.value),
                                         static_cast<utf8proc_int32_t>(next.value), &state)) {
      break;
    }
    at += next.length;
    last = next;
  }
  return at;
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

// Ends early where the text becomes too long.
std::string mapped(const CharacterMap& map, std::string_view text) {
  std::string all;
  while (!text.empty() && all.size() <= kLongestText) {
    const std::size_t size = first_grapheme(text);
    append_mapped(map, text.substr(0, size), all);
    text.remove_prefix(size);
  }
  return all;
}

}  // namespace

TextStep precompiled(JsonValue json) {
  const auto map = std::make_shared<const CharacterMap>(
      character_map(decoded_base64(get<std::string>(json, "precompiled_charsmap"))));
  if (map->units.empty()) {
    json.refuse("this normalizer is not sound", "Precompiled", "one as the libraries write it",
                kGiveIds);
    return nullptr;
  }
  return rewriting([map](const std::string& text) { return mapped(*map, text); });
}

}  // namespace attn::tokenizing
