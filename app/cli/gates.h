// Gates of heads that a call sets.
#pragma once

#include <string_view>

#include "base/result.h"
#include "document/document.h"

namespace attn::cli {

// The document with gates from a list such as "5:1=0,3:*=0.5,self:0:2=0": layers and heads by the
// numbers of --layer and --head, * for all. Usage errors name the item, with what there is.
Result<Document> with_gates_of(const Document& document, std::string_view list);

}  // namespace attn::cli
