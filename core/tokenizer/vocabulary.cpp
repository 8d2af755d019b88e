// Vocabularies, and the search for the pieces at a place of a text.
#include "tokenizer/models.h"

namespace attn::tokenizing {

void Vocabulary::add(std::string piece, std::uint32_t id) {
  const auto place = pieces_.emplace(id, std::move(piece)).first;
  ids_.insert_or_assign(place->second, id);
  size_ = std::max(size_, std::size_t{id} + 1);
}

std::optional<std::uint32_t> Vocabulary::id_of(std::string_view piece) const {
  const auto found = ids_.find(piece);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

const std::string* Vocabulary::piece_of(std::uint32_t id) const {
  const auto found = pieces_.find(id);
  return found == pieces_.end() ? nullptr : &found->second;
}

bool read_piece(JsonValue place, std::string piece, std::uint32_t id, Vocabulary& vocabulary) {
  constexpr std::uint64_t kBytesAround = 160;  // of the entries of two tables
  if (!is_short(place, piece) || !place.charge(kBytesAround + piece.size())) return false;
  if (const std::string* const other = vocabulary.piece_of(id)) {
    return place.refuse(
        "two pieces have the same id",
        in_quotes(piece) + " with the id " + std::to_string(id) + " of " + in_quotes(*other),
        "an id for each piece");
  }
  vocabulary.add(std::move(piece), id);
  return true;
}

void read_vocabulary(JsonValue json, Vocabulary& vocabulary) {
  json.each_member([&](const std::string& piece, JsonValue value) {
    std::uint32_t id = 0;
    if (read_value(value, id)) read_piece(value, piece, id, vocabulary);
  });
}

std::string byte_token(char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto value = static_cast<unsigned char>(byte);
  return {'<', '0', 'x', kDigits[value / 16], kDigits[value % 16], '>'};
}

TokenIds byte_ids(const Vocabulary& vocabulary) {
  TokenIds ids;
  for (int byte = 0; byte < 256; ++byte) {
    const auto id = vocabulary.id_of(byte_token(static_cast<char>(byte)));
    if (!id) return {};
    ids.push_back(*id);
  }
  return ids;
}

std::vector<Numbered> sorted(std::vector<Numbered> texts) {
  std::erase_if(texts, [](const Numbered& text) { return text.first.empty(); });
  std::ranges::stable_sort(texts, {}, &Numbered::first);
  const auto are_equal = [](const Numbered& a, const Numbered& b) { return a.first == b.first; };
  texts.erase(std::unique(texts.begin(), texts.end(), are_equal), texts.end());
  return texts;
}

std::span<const Numbered> narrowed(std::span<const Numbered> texts, std::size_t at, char byte) {
  const auto of = [at](const Numbered& text) { return static_cast<unsigned char>(text.first[at]); };
  const auto wanted = static_cast<unsigned char>(byte);
  const auto from = std::ranges::lower_bound(texts, wanted, {}, of);
  return {from, std::ranges::upper_bound(from, texts.end(), wanted, {}, of)};
}

std::optional<std::pair<std::size_t, std::uint32_t>> longest_prefix(
    std::span<const Numbered> sorted, std::string_view text) {
  std::optional<std::pair<std::size_t, std::uint32_t>> longest;
  each_prefix(sorted, text, [&](std::size_t bytes, std::uint32_t number) {
    longest = {bytes, number};
  });
  return longest;
}

}  // namespace attn::tokenizing
