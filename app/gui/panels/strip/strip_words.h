// The short names of stages in the strip, and their formulas with the numbers of one result.
#pragma once

#include <string>

#include "engine/read/result.h"

namespace attn::gui {

// "Q", "÷√dₖ", "masked".
std::string strip_label(const AttentionProblem& problem, Stage stage);

// The formula as this problem computes it, its extents in numbers, and what the stage is:
// "QKᵀ · 0.3536 (÷ √8)\n(10 × 8) · (8 × 10) → (10 × 10)\n…"
std::string stage_explanation(const AttentionResult& result, Stage stage);

}  // namespace attn::gui
