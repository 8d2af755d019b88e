// Checks of the rules beside the model. Internal to core/document.
#pragma once

#include "document/document.h"
#include "model/findings.h"

namespace attn {

// check_scoring_numbers needs no shape; the others a sound input.
void check_scoring_numbers(Findings& findings, const Scoring& scoring);
void check_scoring_matrices(Findings& findings, const Scoring& scoring,
                            const AttentionShape& shape);
void check_mask(Findings& findings, const Mask& mask, const AttentionShape& shape);
void check_position(Findings& findings, const Document& document, const AttentionShape& shape);

}  // namespace attn
