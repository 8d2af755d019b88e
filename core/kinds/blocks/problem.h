// Problems with transformer blocks.
#pragma once

#include "attention/problem.h"

namespace attn {

// Those whose problem.stack has blocks.
extern const ProblemKind kBlockProblems;

// Any stage, of a decoder those of one attention.
namespace reference {
Matrix compute_in_blocks(const AttentionProblem& p, Stage stage, const HeadAddress& at,
                         AttentionPart part);
}

}  // namespace attn
