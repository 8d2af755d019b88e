// One token as an option names it: "query 2" or "key 5", counted from 0.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace attn {

struct TokenChoice {
  bool of_keys = false;
  std::size_t index = 0;
  friend bool operator==(const TokenChoice&, const TokenChoice&) = default;
};

// Nothing when the text names none.
std::optional<TokenChoice> token_chosen(std::string_view text);

// The text that names it.
std::string text_of(const TokenChoice& token);

}  // namespace attn
