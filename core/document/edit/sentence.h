// Sentences cut into tokens, and the tokens of a document replaced by those of another sentence.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "document/document.h"
#include "engine/compute.h"

namespace attn {

enum class SplitBy {
  Words,       // at blanks; punctuation, other signs and ideographs are tokens of their own
  Characters,  // as people see them: marks and joined emoji stay with their letter
  Lines,       // without empty ones
};

struct SplitInfo {
  SplitBy by;
  std::string_view name;      // "words"
  std::string_view label;     // "Words"
  std::string_view sentence;  // what becomes a token, one line
};
std::span<const SplitInfo> all_splits();

// Of texts that are cut.
inline constexpr std::size_t kMostSentenceBytes = std::size_t{1} << 20U;

// The tokens of a text, at least one. An apostrophe inside a word stays in it (don't), as do a
// point and a comma between digits. BadInput: no token, no UTF-8, more than kMostSentenceBytes.
Result<std::vector<std::string>> split_sentence(std::string_view text, SplitBy by);

// Whether a side may have such tokens, which is quickly told: there are some, they are text in
// UTF-8, and the document would take no more than the limit.
Status may_have_tokens(const Document& document, Side side, std::size_t sample,
                       const std::vector<std::string>& tokens,
                       std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes);

// The document with other tokens on a side, of self-attention on both. Tokens that stay, in their
// order, keep their numbers and rules; those of the others come from the seed and their text, and
// rules follow, as inserting and deleting have it. All samples have as many tokens: where samples
// have tokens of their own, the others keep theirs in place of what is replaced in this one, and
// lose or get a token where it does. Refuses what may_have_tokens() does.
Result<Document> with_tokens(const Document& document, Side side, std::size_t sample,
                             const std::vector<std::string>& tokens,
                             std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes);

}  // namespace attn
