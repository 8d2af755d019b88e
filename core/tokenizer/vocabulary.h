// The pieces of text that tokens stand for, by their ids.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/reader.h"

namespace attn::tokenizing {

// Pieces are refused that have more bytes, so that each place of a text is compared with few.
inline constexpr std::size_t kLongestPiece = 4096;

// TokenIds need not be consecutive: memory follows from their number alone.
class Vocabulary {
 public:
  // False if the id has a piece already. A piece that has an id gets the new one.
  bool add(std::string piece, std::uint32_t id);

  std::optional<std::uint32_t> id_of(std::string_view piece) const;
  // Null for ids without one.
  const std::string* piece_of(std::uint32_t id) const;
  // The highest id and one; 0 if there is none.
  std::size_t size() const { return size_; }
  const std::unordered_map<std::string_view, std::uint32_t>& ids() const { return ids_; }

 private:
  std::unordered_map<std::uint32_t, std::string> pieces_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;  // of texts in `pieces_`
  std::size_t size_ = 0;
};

// Adds a piece of a file. False with an error for an id twice and pieces that are too long.
bool read_piece(JsonValue place, std::string piece, std::uint32_t id, Vocabulary& vocabulary);
// {"piece": id, …}
bool read_vocabulary(JsonValue json, Vocabulary& vocabulary);

// Finds all pieces that a text begins with.
class PrefixIndex {
 public:
  using Entry = std::pair<std::string, std::uint32_t>;

  PrefixIndex() = default;
  // Keeps one of equal texts, and no empty ones.
  explicit PrefixIndex(std::vector<Entry> entries);

  // Calls visit(bytes, id), the shortest first.
  template <class Visit>
  void each_prefix(std::string_view text, Visit&& visit) const {
    if (text.empty()) return;
    const auto first = static_cast<unsigned char>(text.front());
    std::size_t begin = starts_[first], end = starts_[first + 1];
    for (std::size_t bytes = 1; begin < end; ++bytes) {
      if (entries_[begin].first.size() == bytes) visit(bytes, entries_[begin++].second);
      if (bytes >= text.size()) return;
      narrow(bytes, text[bytes], begin, end);
    }
  }
  // The longest; nothing if there is none.
  std::optional<std::pair<std::size_t, std::uint32_t>> longest_prefix(std::string_view text) const;

 private:
  // Keeps the entries with this byte at this place, which all have. Precondition: they agree
  // before.
  void narrow(std::size_t at, char byte, std::size_t& begin, std::size_t& end) const;

  std::vector<Entry> entries_;                // sorted
  std::array<std::size_t, 257> starts_ = {};  // of the entries by their first byte
};

}  // namespace attn::tokenizing
