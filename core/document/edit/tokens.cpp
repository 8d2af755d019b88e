// Edits of tokens, with the rows, columns and rules that belong to them.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "document/edit.h"
#include "document/edit/rearrange.h"
#include "model/findings.h"

namespace attn {
namespace {

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

Status check_text(Side side, const std::string& text) {
  auto refused = utf8_refusal(text, "the token");
  if (!refused) return ok_status();
  refused->pointer = pointer_of_tokens(side);
  return *std::move(refused);
}

std::ptrdiff_t at(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

}  // namespace

Result<Document> with_token_inserted(const Document& document, Side side, std::size_t index,
                                     const std::string& text) {
  const std::size_t n = length_of(document, side);
  if (const Status sound = check_text(side, text); !sound) return sound.error();
  if (index > n) return no_such_token(side, index, n);
  Rearrangement change = unchanged(n);
  change.added = {{index, text}};
  change.sources.insert(change.sources.begin() + at(index), kNewPlace);
  return with_rearrangement(document, side, change);
}

Result<Document> with_token_renamed(const Document& document, Side side, std::size_t sample,
                                    std::size_t index, const std::string& text) {
  const std::size_t n = length_of(document, side);
  if (const Status sound = check_text(side, text); !sound) return sound.error();
  if (index >= n) return no_such_token(side, index, n);
  Document changed = document;
  const bool own_list = side == Side::Key && document.cross;
  TokenLists& lists = own_list ? changed.key_tokens : changed.query_tokens;
  TokenList& list = lists[std::min(sample, lists.size() - 1)];
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

}  // namespace attn
