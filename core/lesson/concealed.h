// A result that conceals some of its cells, such as those of a question.
#pragma once

#include <vector>

#include "engine/read/result.h"
#include "lesson/formula.h"

namespace attn {

// The result with kConcealed in place of these cells, so that plots, measures and copies cannot
// show their numbers; nor numbers that follow from concealed weights in the rows of the same layer,
// such as outputs. Precondition: the cells exist.
ResultPtr concealed(const ResultPtr& result, std::vector<NamedCells> cells);

// The whole result behind a concealed one, or the result itself.
ResultPtr revealed(const ResultPtr& result);

}  // namespace attn
