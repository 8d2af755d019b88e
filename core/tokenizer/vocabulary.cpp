// Vocabularies, and the search for the pieces at a place of a text.
#include "tokenizer/vocabulary.h"

#include <algorithm>

#include "tokenizer/members.h"

namespace attn::tokenizing {

bool Vocabulary::add(std::string piece, std::uint32_t id) {
  const auto [place, is_new] = pieces_.emplace(id, std::move(piece));
  if (!is_new) return false;
  ids_.insert_or_assign(place->second, id);
  size_ = std::max(size_, std::size_t{id} + 1);
  return true;
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
  if (piece.size() > kLongestPiece) {
    return place.refuse("the piece is too long", std::to_string(piece.size()) + " bytes",
                        "at most " + std::to_string(kLongestPiece));
  }
  if (!place.charge(kBytesAround + piece.size())) return false;
  const std::string quoted = in_quotes(piece);
  if (vocabulary.add(std::move(piece), id)) return true;
  return place.refuse(
      "two pieces have the same id",
      quoted + " with the id " + std::to_string(id) + " of " + in_quotes(*vocabulary.piece_of(id)),
      "an id for each piece");
}

bool read_vocabulary(JsonValue json, Vocabulary& vocabulary) {
  bool is_sound = true;
  const bool is_read = json.each_member([&](const std::string& piece, JsonValue value) {
    std::uint32_t id = 0;
    is_sound = read_value(value, id) && read_piece(value, piece, id, vocabulary) && is_sound;
  });
  return is_read && is_sound;
}

PrefixIndex::PrefixIndex(std::vector<Entry> entries) : entries_(std::move(entries)) {
  std::ranges::stable_sort(entries_, {}, &Entry::first);
  const auto are_equal = [](const Entry& a, const Entry& b) { return a.first == b.first; };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), are_equal), entries_.end());
  if (!entries_.empty() && entries_.front().first.empty()) entries_.erase(entries_.begin());
  for (const Entry& entry : entries_) ++starts_[static_cast<unsigned char>(entry.first[0]) + 1U];
  for (std::size_t byte = 1; byte < starts_.size(); ++byte) starts_[byte] += starts_[byte - 1];
}

void PrefixIndex::narrow(std::size_t at, char byte, std::size_t& begin, std::size_t& end) const {
  const auto of = [at](const Entry& entry) { return static_cast<unsigned char>(entry.first[at]); };
  const auto first = entries_.begin();
  const auto from = first + static_cast<std::ptrdiff_t>(begin);
  const auto to = first + static_cast<std::ptrdiff_t>(end);
  const auto wanted = static_cast<unsigned char>(byte);
  begin = static_cast<std::size_t>(std::ranges::lower_bound(from, to, wanted, {}, of) - first);
  end = static_cast<std::size_t>(std::ranges::upper_bound(from, to, wanted, {}, of) - first);
}

std::optional<std::pair<std::size_t, std::uint32_t>> PrefixIndex::longest_prefix(
    std::string_view text) const {
  std::optional<std::pair<std::size_t, std::uint32_t>> longest;
  each_prefix(text, [&](std::size_t bytes, std::uint32_t id) { longest = {bytes, id}; });
  return longest;
}

}  // namespace attn::tokenizing
