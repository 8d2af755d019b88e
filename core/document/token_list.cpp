// Storage and lookup of token names, and decoding of those of byte-level vocabularies: of their 256
// letters printable bytes are themselves, others count from U+0100.
#include "document/token_list.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "base/joined.h"
#include "base/utf8.h"

namespace attn {
namespace {

// --- vocabularies

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

// The spelling of a list of tokens. Byte-level: every letter is one of the 256, some word begins
// with the letter of the blank, blanks and line breaks are where such vocabularies have them, and
// the decoded whole is UTF-8 without other control characters. SentencePiece: some token begins
// with "▁", and none contains a blank.
TokenWriting writing_of(const std::vector<TokenName>& names) {
  const std::vector<std::string_view> tokens = names_of(names, &TokenName::text);
  if (are_byte_level(tokens)) return TokenWriting::ByteLevel;
  return are_sentence_pieces(tokens) ? TokenWriting::SentencePiece : TokenWriting::Plain;
}

// Unchanged if it is part of a character, or a control character.
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

// --- names

std::vector<TokenName> names_of_all(std::vector<std::string> texts) {
  std::vector<TokenName> names;
  names.reserve(texts.size());
  for (std::string& text : texts) names.push_back({names.size(), std::move(text)});
  return names;
}

template <class Names>
auto place_of(Names& names, std::size_t index) {
  return std::ranges::lower_bound(names, index, {}, &TokenName::index);
}

}  // namespace

std::shared_ptr<const TokenList::Names> TokenList::shared_names(std::vector<TokenName> names) {
  if (names.empty()) return nullptr;
  const TokenWriting writing = writing_of(names);
  return std::make_shared<const Names>(Names{std::move(names), writing});
}

TokenList::TokenList(std::initializer_list<std::string> texts)
    : TokenList(std::vector<std::string>(texts)) {}

TokenList::TokenList(std::vector<std::string> texts)
    : size_(texts.size()), names_(shared_names(names_of_all(std::move(texts)))) {}

TokenList::TokenList(std::size_t count, const std::string& text)
    : TokenList(std::vector<std::string>(count, text)) {}

TokenList TokenList::counted(std::size_t count, std::vector<TokenName> names) {
  TokenList list;
  list.size_ = count;
  list.names_ = shared_names(std::move(names));
  return list;
}

std::string TokenList::operator[](std::size_t index) const {
  const std::string* name = name_of(index);
  return name != nullptr ? *name : std::to_string(index);
}

std::string TokenList::spoken(std::size_t index) const {
  const bool decodes = names_ != nullptr && !is_as_written_;
  return text_of_token((*this)[index], decodes ? names_->writing : TokenWriting::Plain);
}

TokenList TokenList::as_written() const {
  TokenList list = *this;
  list.is_as_written_ = true;
  return list;
}

TokenList TokenList::as_spoken() const {
  TokenList list = *this;
  list.is_as_written_ = false;
  return list;
}

const std::string* TokenList::name_of(std::size_t index) const {
  const std::span<const TokenName> all = names();
  const auto place = place_of(all, index);
  return place != all.end() && place->index == index ? &place->text : nullptr;
}

std::span<const TokenName> TokenList::names() const {
  return names_ == nullptr ? std::span<const TokenName>()
                           : std::span<const TokenName>(names_->in_order);
}

std::vector<std::string> TokenList::texts() const {
  std::vector<std::string> all;
  all.reserve(size_);
  for (std::size_t i = 0; i < size_; ++i) all.push_back((*this)[i]);
  return all;
}

void TokenList::rename(std::size_t index, std::string text) {
  std::vector<TokenName> changed(names().begin(), names().end());
  const auto place = place_of(changed, index);
  if (place != changed.end() && place->index == index) {
    place->text = std::move(text);
  } else {
    changed.insert(place, TokenName{index, std::move(text)});
  }
  names_ = shared_names(std::move(changed));
}

std::optional<std::size_t> token_number(const std::string& text) {
  std::size_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc{} || std::to_string(number) != text) return std::nullopt;
  return number;
}

bool operator==(const TokenList& a, const TokenList& b) {
  return a.size_ == b.size_ && (a.names_ == b.names_ || std::ranges::equal(a.names(), b.names()));
}

}  // namespace attn
