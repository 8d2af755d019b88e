// Tokens that are found in a text before anything else: special ones, and those added to a
// vocabulary.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/vocabulary.h"

namespace attn::tokenizing {

struct AddedToken {
  std::string content = {};
  std::uint32_t id = 0;
  bool single_word = false;             // only between other signs than letters
  bool lstrip = false, rstrip = false;  // with the blanks before it, after it
  bool normalized = false;              // found in the normalized text
};

// {"content": …, "id": …, "lstrip": …}; `id` is of those that have it as their key.
bool read_added_token(JsonValue json, AddedToken& token);

// Part of a text: a token, or what is between them.
struct Cut {
  std::string_view text = {};
  std::optional<std::uint32_t> id = {};
};

class AddedTokens {
 public:
  AddedTokens() = default;
  explicit AddedTokens(std::vector<AddedToken> tokens);

  // Cuts at the tokens, of which the longest is taken. Parts are never empty.
  std::vector<Cut> cut(std::string_view text) const;

 private:
  std::vector<AddedToken> tokens_;
  PrefixIndex index_;  // of places in `tokens_`
};

}  // namespace attn::tokenizing
