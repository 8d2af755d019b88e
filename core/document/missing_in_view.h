// What a view names that its document lacks.
#pragma once

#include <vector>

#include "base/error.h"
#include "document/document.h"

namespace attn {

// Refusals of layers, samples, heads and tokens, with the keys of a view as pointers: "/head".
std::vector<Error> missing_in_view(const Document& document, const ViewOptions& options);

}  // namespace attn
