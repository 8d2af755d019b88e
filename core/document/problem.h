// From a document to what the mathematics needs.
#pragma once

#include <string>
#include <vector>

#include "attention/problem.h"
#include "base/result.h"
#include "document/document.h"

namespace attn {

// Checks that every shape fits every other, naming the JSON pointer of what does not (BadInput).
Status check(const Document& document);

// Tensors brought to full rank; shares their numbers. Precondition: check(document) passed.
AttentionProblem make_problem(const Document& document);

}  // namespace attn
