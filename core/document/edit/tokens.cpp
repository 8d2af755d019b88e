// Edits single tokens or whole sides, with their rows, columns and rules.
#include <algorithm>
#include <span>
#include <utility>

#include "base/error.h"
#include "document/cost.h"
#include "document/edit.h"
#include "document/edit/rearrange.h"
#include "document/edit/sentence.h"
#include "document/problem.h"
#include "kinds/parts/findings.h"

namespace attn {
namespace {

using Texts = std::vector<std::string>;

std::string pointer_of_tokens(Side side) {
  return side == Side::Query ? "/query_tokens" : "/key_tokens";
}

Error refused_tokens(Side side, const std::string& message, const std::string& found,
                     const std::string& expected) {
  return refusal_at(pointer_of_tokens(side), message, found, expected);
}

Error no_such_token(Side side, std::size_t index, std::size_t n) {
  return refused_tokens(side, "there is no such token", "token " + std::to_string(index),
                        "one of " + counted(n, "token") + ", counted from 0");
}

Status check_text(Side side, const std::string& text, const std::string& what) {
  auto refused = utf8_refusal(text, what);
  if (!refused) return ok_status();
  refused->pointer = pointer_of_tokens(side);
  return *std::move(refused);
}

Status check_texts(Side side, const Texts& tokens) {
  if (tokens.empty()) {
    return refused_tokens(side, "a document needs a token", "no token", "at least one token");
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    Status sound = check_text(side, tokens[i], "token " + std::to_string(i));
    if (!sound) return sound;
  }
  return ok_status();
}

std::ptrdiff_t at(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

// False for self-attention, where both sides are the queries'.
bool is_of_keys(const Document& document, Side side) { return side == Side::Key && document.cross; }

// Returns the list of tokens of a sample: its own or that of all.
template <class AnyDocument>
auto& list_of(AnyDocument& document, Side side, std::size_t sample) {
  auto& lists = is_of_keys(document, side) ? document.key_tokens : document.query_tokens;
  return lists[std::min(sample, lists.size() - 1)];
}

// Fills a gap between two tokens that stay: removes [first, first + gone), inserts the others.
void fill_gap(Rearrangement& change, std::size_t first, std::size_t gone,
              std::span<const std::string> others, bool in_place) {
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (!in_place || i >= gone) {
      change.add(others[i]);
      continue;
    }
    change.replaced.push_back({change.sources.size(), others[i]});
    change.sources.push_back(first + i);
  }
}

// Returns the change to other tokens. `in_place`: one that replaces another has its position.
Rearrangement replacement_by(const TokenList& before, const Texts& after, bool in_place) {
  std::vector<std::size_t> places = matched_tokens(before, after);
  places.push_back(before.size());  // sentinel
  Rearrangement change;
  std::size_t next = 0, from = 0;  // first unprocessed of before and after
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] == kNewPlace) continue;
    fill_gap(change, next, places[i] - next, std::span(after).subspan(from, i - from), in_place);
    if (i < after.size()) change.sources.push_back(places[i]);
    next = places[i] + 1;
    from = i + 1;
  }
  return change;
}

// Returns the list with these names; a token whose name is still its number stays unnamed.
TokenList named(const TokenList& before, const Rearrangement& change, const Texts& tokens) {
  std::vector<TokenName> names;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool counts = change.sources[i] == i && before.name_of(i) == nullptr;
    if (!counts || before[i] != tokens[i]) names.push_back({i, tokens[i]});
  }
  return TokenList::counted(tokens.size(), std::move(names));
}

}  // namespace

Result<Document> with_token_inserted(const Document& document, Side side, std::size_t index,
                                     const std::string& text) {
  const std::size_t n = length_of(document, side);
  if (const Status sound = check_text(side, text, "the token"); !sound) return sound.error();
  if (index > n) return no_such_token(side, index, n);
  Rearrangement change = unchanged(n);
  change.added = {{index, text}};
  change.sources.insert(change.sources.begin() + at(index), kNewPlace);
  return with_rearrangement(document, side, change);
}

Result<Document> with_token_renamed(const Document& document, Side side, std::size_t sample,
                                    std::size_t index, const std::string& text) {
  const std::size_t n = length_of(document, side);
  if (const Status sound = check_text(side, text, "the token"); !sound) return sound.error();
  if (index >= n) return no_such_token(side, index, n);
  Document changed = document;
  TokenList& list = list_of(changed, side, sample);
  if (list[index] != text) list.rename(index, text);
  return changed;
}

Result<Document> with_token_deleted(const Document& document, Side side, std::size_t index) {
  const std::size_t n = length_of(document, side);
  if (index >= n) return no_such_token(side, index, n);
  if (n == 1) {
    return refused_tokens(side, "the last token cannot be deleted", "1 token",
                          "at least one token");
  }
  Rearrangement change = unchanged(n);
  change.sources.erase(change.sources.begin() + at(index));
  return with_rearrangement(document, side, change);
}

Result<Document> with_token_moved(const Document& document, Side side, std::size_t from,
                                  std::size_t to) {
  const std::size_t n = length_of(document, side);
  for (const std::size_t index : {from, to}) {
    if (index >= n) return no_such_token(side, index, n);
  }
  Rearrangement change = unchanged(n);
  change.sources.erase(change.sources.begin() + at(from));
  change.sources.insert(change.sources.begin() + at(to), from);
  return with_rearrangement(document, side, change);
}

Status may_have_tokens(const Document& document, Side side, std::size_t sample, const Texts& tokens,
                       std::uint64_t memory_limit_bytes) {
  if (Status texts = check_texts(side, tokens); !texts) return texts;
  if (list_of(document, side, sample).texts() == tokens) return ok_status();
  const bool keys = is_of_keys(document, side);
  AttentionShape shape = shape_of(document);
  if (keys || !document.cross) shape.n_k = tokens.size();
  if (!keys) shape.n_q = tokens.size();
  return fits_in_memory(document, shape, memory_limit_bytes);
}

Result<Document> with_tokens(const Document& document, Side side, std::size_t sample,
                             const Texts& tokens, std::uint64_t memory_limit_bytes) {
  if (const Status may = may_have_tokens(document, side, sample, tokens, memory_limit_bytes); !may)
    return may.error();
  const TokenList& before = list_of(document, side, sample);
  if (before.texts() == tokens) return document;
  const bool keys = is_of_keys(document, side);
  const std::size_t lists = (keys ? document.key_tokens : document.query_tokens).size();
  const Rearrangement change = replacement_by(before, tokens, lists > 1);
  Document changed = with_rearrangement(document, side, change);
  list_of(changed, side, sample) = named(before, change, tokens);
  if (!change.replaced.empty()) {
    const std::size_t list = std::min(sample, lists - 1);
    if (keys || !document.cross) replace_rows(changed, Extent::Keys, list, change.replaced);
    if (!keys) replace_rows(changed, Extent::Queries, list, change.replaced);
  }
  return if_consistent(std::move(changed));
}

}  // namespace attn
