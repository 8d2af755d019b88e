// Search of tokens by their texts.
#include "cli/token_names.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/parsed_number.h"
#include "base/utf8.h"
#include "cli/flags.h"
#include "text/nearest.h"
#include "view/fields.h"

namespace attn::cli {
namespace {

struct NamedToken {
  TokenHit hit;
  std::string name;  // "it#2"
  std::vector<std::string> spellings;
  std::string place() const { return name + " (" + text_of(hit) + ")"; }
};

void add_tokens(std::vector<NamedToken>& all, const TokenList& tokens, Side side) {
  std::map<std::string, std::size_t> counts;
  for (const auto& [index, written] : tokens.names()) {
    const std::string spoken = tokens.spoken(index), shown = visible_token(spoken);
    const std::string inner(without_blanks(spoken)), text = inner.empty() ? shown : inner;
    const std::string name = text + "#" + std::to_string(++counts[text]);
    all.push_back({{side, 0, index}, name, {text, shown, spoken, written}});
  }
}

}  // namespace

Result<TokenHit> token_named(const std::string& flag, const std::string& text,
                             const Document& document, HeadAddress at,
                             const std::vector<Side>& sides) {
  at.sample = std::min(at.sample, shape_of(document).samples - 1);
  const std::size_t count = tokens_of(document, sides.front(), at).size();
  const Result<std::int64_t> number = parse_integer(text);
  if (sides.size() == 1 && number && *number >= 0 && std::cmp_less(*number, count)) {
    return TokenHit{sides.front(), 0, static_cast<std::size_t>(*number)};
  }
  std::vector<NamedToken> all, found;
  for (const Side side : sides) add_tokens(all, tokens_of(document, side, at), side);
  std::string bare = text;
  if (text.starts_with('"')) std::erase(bare, '"');
  for (int pass = 0; pass < 3 && found.empty(); ++pass) {
    std::ranges::copy_if(all, std::back_inserter(found), [&](const NamedToken& token) {
      const std::string& wanted = pass == 0 ? text : bare;
      return pass == 2 ? token.name == bare : std::ranges::count(token.spellings, wanted) > 0;
    });
  }
  if (found.size() == 1) return found.front().hit;
  constexpr std::size_t kNear = 4, kListed = 8;
  const std::string message = flag + (found.empty() ? " names no token" : " names several tokens");
  const std::vector<std::string_view> names = names_of(all, &NamedToken::name);
  for (const std::string_view near : nearest_few(bare, names, found.empty() ? kNear : 0)) {
    found.push_back(*std::ranges::find(all, near, &NamedToken::name));
  }
  found.resize(std::min(found.size(), kListed));
  return no_value(message, text,
                  (found.empty() ? "numbers 0 to " + std::to_string(count - 1)
                                 : joined(found, ", ", &NamedToken::place)) +
                      ", counted from 0");
}

Result<std::vector<std::size_t>> tokens_named(const std::string& flag, const std::string& text,
                                              const Document& document, const HeadAddress& at,
                                              Side side) {
  std::vector<NamedToken> all;
  std::vector<std::size_t> found;
  add_tokens(all, tokens_of(document, side, at), side);
  for (const NamedToken& token : all) {
    if (std::ranges::count(token.spellings, text) > 0) found.push_back(token.hit.index);
  }
  if (!found.empty()) return found;
  const Result<TokenHit> hit = token_named(flag, text, document, at, {side});
  if (!hit) return hit.error();
  return std::vector{hit->index};
}

Result<std::string> with_number(std::string_view option, const std::string& text,
                                const Document& document, const HeadAddress& at) {
  const bool is_token = option == "token";
  if (is_token && text.empty()) return text;
  const bool is_key = option == "first_key" || (is_token && text.starts_with("key "));
  const bool has_side = is_key || !is_token || text.starts_with("query ");
  std::vector<Side> sides{is_key ? Side::Key : Side::Query};
  if (!has_side && !keys_are_queries(document, at)) sides.push_back(Side::Key);
  const std::string name = is_token && has_side ? text.substr(text.find(' ') + 1) : text;
  const Result<TokenHit> hit =
      token_named(spelt(option, Spelling::Flag), name, document, at, sides);
  if (!hit) return hit.error();
  return is_token ? text_of(*hit) : std::to_string(hit->index);
}

}  // namespace attn::cli
