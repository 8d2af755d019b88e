// Weights without some tokens, such as a first token that gathers most of them: a document of given
// weights, whose rows are renormalised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "document/document.h"
#include "engine/read/result.h"

namespace attn {

// Indices of tokens, of one sequence the same ones on both sides.
struct LeftOut {
  std::vector<std::size_t> queries, keys;
};

// Those that is_special_token() in the sample of `at`; of one sequence on both sides.
LeftOut special_tokens(const Document& document, const HeadAddress& at);

// The weights of all heads of the attention of `at` without these rows and columns. A row that
// summed to 1 does so again; one without weight on the keys that are left stays 0. Hidden cells
// stay hidden; tokens without a name keep their number as one. Document::remark names the tokens,
// and what was generated. Errors: Usage without a query or a key left, for weights that a lesson
// conceals; OverMemoryLimit.
Result<Document> without_tokens(const Document& document, const AttentionResult& result,
                                const HeadAddress& at, const LeftOut& out,
                                std::uint64_t limit_bytes);

}  // namespace attn
