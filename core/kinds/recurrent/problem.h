// Problems of a recurrent encoder–decoder.
#pragma once

#include "attention/problem.h"

namespace attn {

// Those that problem.recurrent is the model of.
extern const ProblemKind kRecurrentProblems;

// Any stage; derivatives by central differences.
namespace reference {
Matrix compute_in_cells(const AttentionProblem& p, Stage stage, const HeadAddress& at,
                        AttentionPart part);
}

}  // namespace attn
