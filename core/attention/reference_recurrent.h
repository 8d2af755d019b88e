// The oracle of recurrent encoder–decoders. Internal to the reference.
#pragma once

#include "attention/reference.h"

namespace attn::reference {

// Any stage of one; derivatives by central differences.
Matrix compute_in_recurrent(const AttentionProblem& p, Stage stage, const HeadAddress& at,
                            AttentionPart part);

}  // namespace attn::reference
