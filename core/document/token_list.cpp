// Stores and finds token names, and decodes those of byte-level vocabularies.
#include "document/token_list.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "base/joined.h"
#include "base/utf8.h"
#include "tokenizer/byte_letters.h"

namespace attn {
namespace {

// --- vocabularies

constexpr std::string_view kBlankLetter = "Ġ", kBreakLetter = "Ċ", kBlankMark = "▁";
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::size_t kMostParts = 6;  // tokens of one character

// Byte of a character that SentencePiece has no piece for: "<0x0A>".
std::optional<std::string> byte_piece(std::string_view token) {
  constexpr std::string_view kStart = "<0x";
  unsigned byte = 0;
  if (token.size() != kStart.size() + 3 || !token.starts_with(kStart) || token.back() != '>') {
    return std::nullopt;
  }
  const char* const digits = token.data() + kStart.size();
  const auto read = std::from_chars(digits, digits + 2, byte, 16);
  if (read.ptr != digits + 2) return std::nullopt;
  return std::string(1, static_cast<char>(static_cast<unsigned char>(byte)));
}

// Bytes that a token of the vocabulary encodes; nothing for special tokens and those with a letter
// that encodes no byte.
std::optional<std::string> bytes_of(std::string_view token, TokenWriting writing) {
  if (writing == TokenWriting::SentencePiece) return byte_piece(token);
  if (writing != TokenWriting::ByteLevel || is_special_token(token)) return std::nullopt;
  std::string bytes;
  for (std::size_t at = 0; at < token.size();) {
    const CodePoint point = code_point_at(token, at);
    const std::optional<char> byte = byte_of_letter(point.value);
    if (!byte) return std::nullopt;
    bytes += *byte;
    at += point.length;
  }
  return bytes;
}

unsigned number_of(char byte) { return static_cast<unsigned char>(byte); }
bool is_ascii(char byte) { return number_of(byte) < 0x80; }
bool is_ascii_letter(char byte) {
  return is_ascii(byte) && std::isalpha(static_cast<unsigned char>(byte)) != 0;
}
bool continues_character(char byte) { return (number_of(byte) & 0xC0U) == 0x80; }

// Cuts parts of characters off both ends.
std::string_view without_cut_ends(std::string_view bytes) {
  while (!bytes.empty() && continues_character(bytes.front())) bytes.remove_prefix(1);
  const std::size_t end = first_invalid_utf8(bytes).value_or(bytes.size());
  const std::string_view rest = bytes.substr(end);
  const bool is_cut = rest.size() < 4 && !rest.empty() && number_of(rest.front()) >= 0xC0 &&
                      std::ranges::all_of(rest.substr(1), continues_character);
  return is_cut ? bytes.substr(0, end) : bytes;
}

// True if line breaks only follow a word, and blanks precede it, or each of several words.
bool has_blanks_around(std::string_view bytes) {
  const std::size_t word = std::min(bytes.find_first_not_of(kBlanks), bytes.size());
  const std::string_view before = bytes.substr(0, word), rest = bytes.substr(word);
  const std::size_t end = std::min(rest.find_first_of(kBlanks), rest.size());
  const std::string_view behind = rest.substr(end);
  if (before.find('\n') != before.npos && !rest.empty()) return false;
  if (behind.find_first_not_of(kBlanks) != behind.npos) return before.ends_with(' ');
  return behind.empty() || behind.front() == '\n' || behind.front() == '\r';
}

bool is_plain_text(std::string_view text) {
  const auto is_odd = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7F || (byte < 0x20 && kBlanks.find(c) == kBlanks.npos);
  };
  return !first_invalid_utf8(text) && std::ranges::none_of(text, is_odd);
}

// True if a word ends in the beginning of a character, as the letters of "Spaß" would.
bool ends_word_in_part(std::string_view bytes) {
  const std::string_view whole = without_cut_ends(bytes);
  return !whole.empty() && is_ascii_letter(whole.back()) && !bytes.ends_with(whole);
}

// True if a character begins there that words of European languages do not spell by accident, as
// "PÓŁ" and "Çık" do.
bool is_conclusive(std::string_view bytes, std::size_t at) {
  const auto is_letter = [&](std::size_t i) {
    return i < bytes.size() && is_ascii_letter(bytes[i]);
  };
  const unsigned lead = number_of(bytes[at]);
  return lead >= 0xE0 || lead == 0xC2 || lead == 0xC3 ||
         (lead > 0xC3 && !is_letter(at - 1) && !is_letter(at + 2));
}

bool are_byte_level(std::span<const TokenName> names) {
  std::string run;  // bytes of neighbours
  std::size_t ordinary = 0, outside = 0;
  bool has_sign = false, holds = true;
  const auto end_run = [&] {
    const std::string_view whole = without_cut_ends(run);
    holds &= is_plain_text(whole);
    for (std::size_t at = 0; at < whole.size(); ++at) has_sign |= is_conclusive(whole, at);
    run.clear();
  };
  for (std::size_t i = 0; holds && i < names.size(); ++i) {
    const std::string& token = names[i].text;
    const std::optional<std::string> bytes = bytes_of(token, TokenWriting::ByteLevel);
    const bool is_next = i > 0 && names[i].index == names[i - 1].index + 1;
    if (!bytes || !is_next) end_run();
    run += bytes.value_or("");
    if (is_special_token(token)) continue;
    ++ordinary;
    outside += bytes ? 0 : 1;
    holds &= bytes ? has_blanks_around(*bytes) && !ends_word_in_part(*bytes)
                   : token.find_first_of(kBlanks) == token.npos;
    has_sign |=
        bytes && (token.starts_with(kBlankLetter) || token.find(kBreakLetter) != token.npos);
  }
  end_run();
  return has_sign && holds && 4 * outside <= ordinary;
}

bool are_sentence_pieces(std::span<const TokenName> names) {
  bool has_sign = false, has_blank = false;
  for (const auto& [index, token] : names) {
    const std::string byte = byte_piece(token).value_or("");
    has_sign |= token.starts_with(kBlankMark) || !std::ranges::all_of(byte, is_ascii);
    has_blank |= token.find_first_of(kBlanks) != token.npos && !is_special_token(token);
  }
  return has_sign && !has_blank;
}

// The spelling of a list of tokens, except special ones. Byte-level: some word begins with the
// letter of the blank, or bytes encode a character; neighbours decode to UTF-8 without control
// characters, but for a character that is cut at an end; blanks and line breaks are where such
// vocabularies have them; at most a quarter of the tokens has other letters, and none a blank.
// SentencePiece: some token begins with "▁" or is a byte, and none contains a blank.
TokenWriting writing_of(std::span<const TokenName> names) {
  if (are_byte_level(names)) return TokenWriting::ByteLevel;
  return are_sentence_pieces(names) ? TokenWriting::SentencePiece : TokenWriting::Plain;
}

// Text of a token that encodes no bytes.
std::string text_of_token(std::string token, TokenWriting writing) {
  if (writing != TokenWriting::SentencePiece || is_special_token(token)) return token;
  return with_replaced(token, kBlankMark, " ");
}

// ASCII unchanged, other bytes as numbers: "a 0xF0 0x9F".
std::string with_spelt_bytes(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char byte : bytes) {
    if (is_ascii(byte)) {
      text += byte;
      continue;
    }
    if (!text.empty() && text.back() != ' ') text += ' ';
    text.append("0x").append({kDigits[number_of(byte) / 16], kDigits[number_of(byte) % 16]});
  }
  return text;
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

bool is_special_token(std::string_view token) {
  if (token.size() < 3 || byte_piece(token)) return false;
  const std::string_view inner = token.substr(1, token.size() - 2);
  if (token.front() == '<') return token.back() == '>' && inner.find_first_of("<>") == inner.npos;
  return token.front() == '[' && token.back() == ']' && std::ranges::all_of(inner, [](char c) {
           return c == '_' || c == '/' || std::isupper(static_cast<unsigned char>(c)) != 0;
         });
}

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

TokenWriting TokenList::writing() const {
  return names_ != nullptr && !is_as_written_ ? names_->writing : TokenWriting::Plain;
}

std::string TokenList::spoken(std::size_t index) const {
  const SharedText shared = shared_text(index);
  if (shared.count == 1) return shared.text;
  return shared.text + " " + std::to_string(index - shared.first + 1) + "/" +
         std::to_string(shared.count);
}

std::optional<std::string> TokenList::bytes_at(std::size_t index) const {
  const std::string* const name = name_of(index);
  return name == nullptr ? std::nullopt : bytes_of(*name, writing());
}

SharedText TokenList::shared_text(std::size_t index) const {
  if (name_of(index) == nullptr) return {index, 1, std::to_string(index + 1)};
  const std::optional<std::string> own = bytes_at(index);
  if (!own) return {index, 1, text_of_token((*this)[index], writing())};
  if (is_plain_text(*own)) return {index, 1, *own};
  if (std::ranges::all_of(*own, is_ascii)) return {index, 1, (*this)[index]};
  const auto goes_on = [&](std::size_t i) {
    const std::optional<std::string> bytes = bytes_at(i);
    return bytes && !bytes->empty() && continues_character(bytes->front());
  };
  std::size_t first = index, end = index + 1;
  while (first > 0 && end - first <= kMostParts && goes_on(first)) --first;
  while (end - first <= kMostParts && goes_on(end)) ++end;
  std::string all;
  for (std::size_t i = first; i < end; ++i) all += bytes_at(i).value_or("\xFF");
  if (end - first > kMostParts || !is_plain_text(all)) return {index, 1, with_spelt_bytes(*own)};
  return {first, end - first, std::move(all)};
}

TokenList TokenList::as_written(bool is_so) const {
  TokenList list = *this;
  list.is_as_written_ = is_so;
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

bool operator==(const TokenList& a, const TokenList& b) {
  return a.size_ == b.size_ && (a.names_ == b.names_ || std::ranges::equal(a.names(), b.names()));
}

}  // namespace attn
