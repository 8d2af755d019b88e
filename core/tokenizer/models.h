// Vocabularies, and how pieces of a text become tokens of them: byte-pair encoding, WordPiece and
// Unigram.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tokenizer/members.h"

namespace attn::tokenizing {

// Ids need not be consecutive: memory follows from their number alone.
class Vocabulary {
 public:
  // A piece that has an id gets the new one. Precondition: the id has no piece.
  void add(std::string piece, std::uint32_t id);

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
void read_vocabulary(JsonValue json, Vocabulary& vocabulary);

// The token for a byte, "<0x0A>", and the ids of all 256; empty if some are missing.
std::string byte_token(char byte);
TokenIds byte_ids(const Vocabulary& vocabulary);

// Texts, each with a number.
using Numbered = std::pair<std::string, std::uint32_t>;

// Sorts texts for the search below, without empty ones and all but one of equal ones.
std::vector<Numbered> sorted(std::vector<Numbered> texts);
// Keeps those of sorted texts, which agree before this place, that have the byte there.
std::span<const Numbered> narrowed(std::span<const Numbered> texts, std::size_t at, char byte);

// Calls visit(bytes, number) for all sorted texts that a text begins with, the shortest first.
template <class Visit>
void each_prefix(std::span<const Numbered> sorted, std::string_view text, Visit&& visit) {
  for (std::size_t at = 0; at < text.size() && !sorted.empty(); ++at) {
    sorted = narrowed(sorted, at, text[at]);
    if (sorted.empty() || sorted.front().first.size() > at + 1) continue;
    visit(at + 1, sorted.front().second);
    sorted = sorted.subspan(1);
  }
}
// The longest of them; nothing if there is none.
std::optional<std::pair<std::size_t, std::uint32_t>> longest_prefix(
    std::span<const Numbered> sorted, std::string_view text);

// Thread-safe.
struct TokenModel {
  std::shared_ptr<const Vocabulary> vocabulary = std::make_shared<Vocabulary>();
  // Adds the ids of a piece. False: some of it is unknown, and no token stands for that.
  std::function<bool(std::string_view piece, TokenIds& ids)> add_ids = {};
};

// Merges pairs of tokens, those of the least rank first.
struct Bpe {
  struct Merge {
    std::size_t rank = 0;
    std::uint32_t id = 0;
  };
  std::shared_ptr<const Vocabulary> vocabulary;
  std::string prefix = {}, suffix = {};  // of letters within a piece, and of its last
  std::optional<std::uint32_t> unknown = {};
  bool fuses_unknown = false;  // one token for neighbours that are unknown
  bool keeps_pieces = false;   // a piece of the vocabulary is one token
  TokenIds bytes = {};         // for what is unknown; may be empty
  std::unordered_map<std::uint64_t, Merge> merges = {};  // by both ids
  std::size_t count = 0;                                 // of merges, with those that are replaced
};

// Appends a merge. An error, which has no place, if the vocabulary lacks one of both or what they
// become.
std::optional<Error> add_merge(Bpe& bpe, std::string_view left, std::string_view right);
// "left right"
std::optional<Error> add_merge(Bpe& bpe, std::string_view line);

TokenModel model_of(Bpe bpe);
// Takes the longest piece at each place of a word; those within it begin with the prefix.
TokenModel word_piece(std::shared_ptr<const Vocabulary> vocabulary,
                      const std::string& unknown = "[UNK]", const std::string& prefix = "##",
                      std::size_t most_letters = 100);

// The "vocab" of a model.
std::shared_ptr<const Vocabulary> read_pieces(JsonValue model);
TokenModel read_bpe(JsonValue json);
TokenModel read_unigram(JsonValue json);
// By its type.
TokenModel read_model(JsonValue json);

}  // namespace attn::tokenizing
