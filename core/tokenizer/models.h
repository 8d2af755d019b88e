// How pieces of a text become tokens: byte-pair encoding, WordPiece and Unigram.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/vocabulary.h"

namespace attn::tokenizing {

using TokenIds = std::vector<std::uint32_t>;

// Thread-safe.
struct TokenModel {
  std::shared_ptr<const Vocabulary> vocabulary;
  // Adds the ids of a piece. False: some of it is unknown, and no token stands for that.
  std::function<bool(std::string_view piece, TokenIds& ids)> add_ids;
};

// TokenIds of the tokens for single bytes, "<0x0A>"; empty unless all 256 are there.
TokenIds byte_ids(const Vocabulary& vocabulary);

// Merges pairs of tokens, the first in the list first.
struct BpeOptions {
  std::optional<std::string> unk_token, continuing_subword_prefix, end_of_word_suffix;
  bool fuse_unk = false;       // one token for neighbours that are unknown
  bool byte_fallback = false;  // tokens of its bytes for what is unknown
  bool ignore_merges = false;  // a piece of the vocabulary is one token
};
class Bpe {
 public:
  Bpe(std::shared_ptr<const Vocabulary> vocabulary, BpeOptions options);

  // Appends a merge, "left right" or both. An error, which has no place, if the vocabulary lacks
  // one of them or what they become.
  std::optional<Error> add_merge(std::string_view line);
  std::optional<Error> add_merge(std::string_view left, std::string_view right);

  bool add_ids(std::string_view piece, TokenIds& ids) const;

 private:
  struct Merge {
    std::size_t rank;
    std::uint32_t id;
  };
  void add_letters(std::string_view piece, TokenIds& ids) const;
  const Merge* merge_of(std::uint32_t left, std::uint32_t right) const;
  void merge(TokenIds& ids, std::size_t first) const;

  std::shared_ptr<const Vocabulary> vocabulary_;
  BpeOptions options_;
  std::optional<std::uint32_t> unknown_;
  TokenIds bytes_;                                   // without byte_fallback empty
  std::unordered_map<std::uint64_t, Merge> merges_;  // by both ids
  std::size_t count_ = 0;
};

struct WordPieceOptions {
  std::string unk_token = "[UNK]", continuing_subword_prefix = "##";
  std::uint32_t max_input_chars_per_word = 100;
};
TokenModel word_piece(std::shared_ptr<const Vocabulary> vocabulary,
                      const WordPieceOptions& options);

TokenModel model_of(std::shared_ptr<const Vocabulary> vocabulary, Bpe bpe);

// False with an error for types without a row.
bool read_model(JsonValue json, TokenModel& model);
bool read_unigram(JsonValue json, TokenModel& model);

}  // namespace attn::tokenizing
