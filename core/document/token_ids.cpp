// Numbering of tokens such that equal tokens have equal numbers.
#include "document/token_ids.h"

#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/number_text.h"

namespace attn {
namespace {

// Number in the text, if it is that of an unnamed token.
std::optional<std::size_t> counted_as(const TokenList& tokens, const std::string& text) {
  const std::optional<std::size_t> number = number_spelt<std::size_t>(text);
  const bool is_one = number && *number < tokens.size() && tokens.name_of(*number) == nullptr;
  return is_one ? number : std::nullopt;
}

}  // namespace

TokenIds token_ids(const Document& document, const HeadAddress& at) {
  if (!keys_are_queries(document, at) || document.query_tokens.empty()) return {};
  const TokenList& tokens = tokens_of(document, Side::Query, at);
  TokenIds ids;
  ids.query.resize(tokens.size());
  std::iota(ids.query.begin(), ids.query.end(), std::size_t{0});
  // First token of each name; an unnamed token may have an equal text.
  std::unordered_map<std::string_view, std::size_t> known;
  for (const TokenName& name : tokens.names()) {
    const std::size_t first = counted_as(tokens, name.text).value_or(name.index);
    ids.query[name.index] = known.emplace(name.text, first).first->second;
  }
  ids.key = ids.query;
  return ids;
}

}  // namespace attn
