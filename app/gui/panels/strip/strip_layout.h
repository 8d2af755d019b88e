// Which stages of the strip stand for themselves and which fold into a group, so that they fit one
// row; their short names, and their formulas with the numbers of one result. Pure.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "attention/stage.h"
#include "engine/read/result.h"

namespace attn::gui {

// One button of the strip: a stage, or with a label several that are folded.
struct StripChip {
  std::vector<Stage> stages;
  std::string_view label = {};
  friend bool operator==(const StripChip&, const StripChip&) = default;
};

// Both are computed from what lies before them, not one from the other: no arrow between them.
bool is_parallel(const StripChip& a, const StripChip& b);

// As few groups are folded as make `width_of` the row at most `room`, those that are farthest from
// the selected stage first; in the end there is one for all.
std::vector<StripChip> strip_chips(
    const std::vector<Stage>& stages, Stage selected, float room,
    const std::function<float(const std::vector<StripChip>&)>& width_of);

// "Q", "÷√dₖ", "masked".
std::string strip_label(const AttentionProblem& problem, Stage stage);

// The formula as this problem computes it, its extents in numbers, and what the stage is:
// "QKᵀ · 0.3536 (÷ √8)\n(10 × 8) · (8 × 10) → (10 × 10)\n…"
std::string stage_explanation(const AttentionResult& result, Stage stage,
                              const HeadAddress& at = {});

}  // namespace attn::gui
