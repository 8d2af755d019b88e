// The steps of a tokenizer, as its files describe them.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/result.h"
#include "tokenizer/added_tokens.h"
#include "tokenizer/files.h"
#include "tokenizer/models.h"
#include "tokenizer/post_processors.h"
#include "tokenizer/steps.h"

namespace attn::tokenizing {

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

}  // namespace attn::tokenizing
