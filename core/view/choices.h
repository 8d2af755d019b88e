// Heads, layers and one token as options name them: "all" or "0,3-5", "query 2" or "key 5".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

inline constexpr std::string_view kAllHeads = "all";

// The heads in rising order, each once, of `heads` there are; those that are not there are left
// out. Nothing when the text is no such list; "" is a list of none.
std::optional<std::vector<std::size_t>> heads_named(std::string_view text, std::size_t heads);

// Those that the text names and that are not there, in rising order; of several in a row the first
// and the last.
std::vector<std::size_t> heads_missing(std::string_view text, std::size_t heads);

// The text that names them.
std::string head_list_text(const std::vector<std::size_t>& shown, std::size_t heads);

// `text` with one more head, or without it where it is there.
std::string with_head_toggled(std::string_view text, std::size_t head, std::size_t heads);

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
