// Search for added tokens.
#include "tokenizer/added_tokens.h"

#include "tokenizer/members.h"
#include "tokenizer/unicode.h"

namespace attn::tokenizing {
namespace {

std::vector<PrefixIndex::Entry> entries_of(const std::vector<AddedToken>& tokens) {
  std::vector<PrefixIndex::Entry> entries;
  for (const AddedToken& token : tokens) {
    entries.emplace_back(token.content, static_cast<std::uint32_t>(entries.size()));
  }
  return entries;
}

bool is_within_word(std::string_view before, std::string_view after) {
  return (!before.empty() && is_part_of_word(last_code_point(before).value)) ||
         (!after.empty() && is_part_of_word(code_point_at(after, 0).value));
}

}  // namespace

bool read_added_token(JsonValue json, AddedToken& token) {
  if (!json.charge(2 * sizeof token)) return false;
  token.normalized = true;
  bool special = false;
  const bool is_read =
      read_member(json, "special", special) && read_member(json, "content", token.content) &&
      read_member(json, "id", token.id) && read_member(json, "single_word", token.single_word) &&
      read_member(json, "lstrip", token.lstrip) && read_member(json, "rstrip", token.rstrip);
  token.normalized = !special;
  return is_read && read_member(json, "normalized", token.normalized) &&
         (token.content.size() <= kLongestPiece ||
          json.refuse("the token is too long", std::to_string(token.content.size()) + " bytes",
                      "at most " + std::to_string(kLongestPiece)));
}

AddedTokens::AddedTokens(std::vector<AddedToken> tokens)
    : tokens_(std::move(tokens)), index_(entries_of(tokens_)) {}

std::vector<Cut> AddedTokens::cut(std::string_view text) const {
  std::vector<Cut> cuts;
  std::size_t done = 0;
  const auto cut_until = [&](std::size_t end) {
    if (end > done) cuts.push_back({text.substr(done, end - done)});
    done = end;
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto found = index_.longest_prefix(text.substr(at));
    const AddedToken* const token = found ? &tokens_[found->second] : nullptr;
    const std::size_t end = at + (found ? found->first : 1);
    const bool is_cut = token != nullptr && !(token->single_word &&
                                              is_within_word(text.substr(0, at), text.substr(end)));
    if (is_cut) {
      const std::string_view before = text.substr(done, at - done);
      cut_until(at - (token->lstrip ? blanks_at_end(before) : 0));
      done = end + (token->rstrip ? blanks_at_start(text.substr(end)) : 0);
      cuts.push_back({text.substr(at, done - at), token->id});
    }
    at = is_cut ? done : end;
  }
  cut_until(text.size());
  return cuts;
}

}  // namespace attn::tokenizing
