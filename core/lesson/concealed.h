// A result some of whose cells are not told, such as those of a question.
#pragma once

#include <vector>

#include "engine/read/result.h"
#include "lesson/formula.h"

namespace attn {

// The result with kConcealed in place of these cells, so that whatever reads it, a plot, a measure
// or a copy, has none of their numbers; nor has it those that are made from them: of a score the
// logit, the weights of its row, their outputs, and later blocks. A precondition: the cells exist.
ResultPtr concealed(const ResultPtr& result, std::vector<NamedCells> cells);

// The whole result behind a concealed one, or the result itself.
ResultPtr revealed(const ResultPtr& result);

}  // namespace attn
