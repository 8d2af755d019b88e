// Splits sentences into tokens, and replaces the tokens of a document.
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
  Words,       // at blanks; punctuation, other signs and ideographs are single tokens
  Characters,  // grapheme clusters: marks and joined emoji stay with their letter
  Lines,       // without empty ones
};

struct SplitInfo {
  SplitBy by;
  std::string_view name;      // "words"
  std::string_view label;     // "Words"
  std::string_view sentence;  // one-line description of a token
};
std::span<const SplitInfo> all_splits();

// The limit of texts to split.
inline constexpr std::size_t kMostSentenceBytes = std::size_t{1} << 20U;

// Returns the tokens of a text. Apostrophes inside words (don't) and points and commas between
// digits do not split. BadInput: no token, invalid UTF-8, more than kMostSentenceBytes.
Result<std::vector<std::string>> split_sentence(std::string_view text, SplitBy by);

// Checks new tokens of a side without changing it: there is one, all are valid UTF-8, and the
// document stays within the limit.
Status may_have_tokens(const Document& document, Side side, std::size_t sample,
                       const std::vector<std::string>& tokens,
                       std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes);

// Replaces the tokens of a side, of self-attention on both. Tokens that stay, in order, keep
// numbers and rules; others are generated from the seed and their text, and rules follow as for
// insertion and deletion. All samples have equally many tokens: if samples have their own, the
// others keep theirs at replaced positions, and lose or gain a token where this one does. Errors
// are those of may_have_tokens().
Result<Document> with_tokens(const Document& document, Side side, std::size_t sample,
                             const std::vector<std::string>& tokens,
                             std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes);

}  // namespace attn
