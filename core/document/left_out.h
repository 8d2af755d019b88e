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

// Ascending indices of the tokens to leave out, of both lists of a document, for each sample; every
// sample has the same number. Those of keys are for documents of two sequences.
struct LeftOut {
  std::vector<std::vector<std::size_t>> queries, keys;
};

// The weights of all heads of all attentions without these rows and columns. A row that summed to 1
// does so again; other rows keep their numbers, and a row without weight on the remaining keys is
// 0. Masks hide the same cells by the same rules, but windows, and causal rules of two sequences,
// which become painted cells. Unnamed tokens get their number as a name. Document::remark says what
// was left out, renormalised and generated. Errors: Usage if no token is left, for weights that a
// lesson conceals; OverMemoryLimit.
Result<Document> without_tokens(const Document& document, const AttentionResult& result,
                                const LeftOut& out, std::uint64_t limit_bytes);

}  // namespace attn
