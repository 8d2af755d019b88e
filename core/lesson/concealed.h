// A result some of whose cells are not told, such as those of a question.
#pragma once

#include <vector>

#include "engine/read/result.h"
#include "lesson/formula.h"

namespace attn {

// The result with kConcealed in place of these cells, so that whatever reads it, a plot, a measure
// or a copy, has none of their numbers. What is computed from them elsewhere, such as an output
// from its weights, is told unless it is among the cells. A precondition: the cells exist.
ResultPtr concealed(const ResultPtr& result, std::vector<NamedCells> cells);

// The whole result behind a concealed one, or the result itself.
ResultPtr revealed(const ResultPtr& result);

}  // namespace attn
