// Heads, layers and a token in the text form of options: "all" or "0,3-5", "query 2" or "key 5".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

inline constexpr std::string_view kAllHeads = "all";

// The heads of a list in ascending order without duplicates, limited to the `heads` that exist.
// Nothing when the text is no list; "" is the empty list.
std::optional<std::vector<std::size_t>> heads_named(std::string_view text, std::size_t heads);

// The listed heads that do not exist, in ascending order; of a range only the first and the last.
std::vector<std::size_t> heads_missing(std::string_view text, std::size_t heads);

// The text of a list.
std::string head_list_text(const std::vector<std::size_t>& shown, std::size_t heads);

// `text` with the head added, or removed if it is listed.
std::string with_head_toggled(std::string_view text, std::size_t head, std::size_t heads);

struct TokenChoice {
  bool of_keys = false;
  std::size_t index = 0;
  friend bool operator==(const TokenChoice&, const TokenChoice&) = default;
};

// Nothing when the text names no token.
std::optional<TokenChoice> token_chosen(std::string_view text);

// The text of a choice.
std::string text_of(const TokenChoice& token);

}  // namespace attn
