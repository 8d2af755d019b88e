// Gates, patterns and cut edges of heads that a call sets.
#pragma once

#include <string_view>

#include "base/result.h"
#include "document/document.h"
#include "engine/read/result.h"

namespace attn::cli {

// Layers and heads in the lists below have the numbers of --layer and --head; * stands for all.
// Usage errors name the item, with what there is.

// The document with gates from a list such as "5:1=0,3:*=0.5,self:0:2=0".
Result<Document> with_gates_of(const Document& document, std::string_view list);

// The document with patterns from a list such as "5:1=3:2,5:*=3:2:0,4:0=equal": the weights that a
// head has in the document's result, of the same sample or of the one that a third number states,
// or equal shares of the visible keys.
Result<Document> with_patterns_of(const Document& document, const AttentionResult& result,
                                  std::string_view list);

// The document with cut edges from a list such as "2:4=5:1:k,0:*=3:2:q": queries, keys or values of
// the second head are made without the output of the first.
Result<Document> with_edges_of(const Document& document, std::string_view list);

}  // namespace attn::cli
