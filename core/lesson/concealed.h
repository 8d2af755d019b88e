// A result that conceals some of its cells, such as those of a question.
#pragma once

#include <vector>

#include "engine/read/result.h"
#include "lesson/formula.h"

namespace attn {

// Returns the result with kConcealed in place of these cells, so that plots, measures and copies
// cannot show their numbers, and in place of all numbers computed from them: from a score the
// logit, the weights of its row, their outputs, and later blocks. Precondition: the cells exist.
ResultPtr concealed(const ResultPtr& result, std::vector<NamedCells> cells);

// Returns the whole result behind a concealed one, or the result itself.
ResultPtr revealed(const ResultPtr& result);

}  // namespace attn
