// The steps of a tokenizer, as its files describe them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "tokenizer/models.h"
#include "tokenizer/steps.h"
#include "tokenizer/tokenizer.h"

namespace attn::tokenizing {

// A token that is found in a text before anything else: a special one, or one that was added to the
// vocabulary.
struct AddedToken {
  std::string content = {};
  std::uint32_t id = 0;
  bool single_word = false;             // only between other signs than letters
  bool lstrip = false, rstrip = false;  // with the blanks before it, after it
  bool normalized = false;              // found in the normalized text
};

struct AddedTokens {
  std::vector<AddedToken> tokens = {};
  std::vector<Numbered> sorted = {};  // by their texts, with their places in `tokens`
};

// Special tokens around a text.
struct SpecialIds {
  TokenIds before = {}, after = {};
};

struct TokenizerParts {
  TextStep normalizer = {}, pre_tokenizer = {};  // may be empty
  TokenModel model = {};
  SpecialIds around = {};
  std::unordered_map<std::uint32_t, AddedToken> added = {};  // by id
  AddedTokens raw_tokens = {}, normalized_tokens = {};       // of `added`
  std::size_t size = 0;                                      // the highest id and one
  bool has_byte_letters = false;  // pieces are written as tokenizer/byte_letters.h says
};

// Errors: as Tokenizer::open().
Result<TokenizerParts> read_parts(const TokenizerFiles& files);

// By its type. Errors, which the reader has: also for templates in which the text is not once.
SpecialIds read_post_processor(JsonValue json);

}  // namespace attn::tokenizing
