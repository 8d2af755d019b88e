// Conversion of documents to problems.
#pragma once

#include <string>
#include <vector>

#include "attention/problem.h"
#include "base/result.h"
#include "document/document.h"

namespace attn {

// BadInput with the JSON pointer of the first shape that does not fit the others.
Status check(const Document& document);

// Tensors at full rank, sharing their numbers. Precondition: check(document) passed.
AttentionProblem make_problem(const Document& document);

}  // namespace attn
