// Reads and writes the name of one token.
#include "view/token_choice.h"

#include "base/number_text.h"

namespace attn {
namespace {

constexpr std::string_view kQuery = "query ", kKey = "key ";

}  // namespace

std::optional<TokenChoice> token_chosen(std::string_view text) {
  const bool of_keys = text.starts_with(kKey);
  if (!of_keys && !text.starts_with(kQuery)) return std::nullopt;
  const Result<std::int64_t> index = parse_integer(text.substr((of_keys ? kKey : kQuery).size()));
  if (!index || *index < 0) return std::nullopt;
  return TokenChoice{of_keys, static_cast<std::size_t>(*index)};
}

std::string text_of(const TokenChoice& token) {
  return std::string(token.of_keys ? kKey : kQuery) + std::to_string(token.index);
}

}  // namespace attn
