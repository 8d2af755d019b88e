// Pipeline of the document in one row: stages in order of computation, and the selected layer,
// sample, attention and head; folding of stages into groups, their names and formulas.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "attention/stage.h"
#include "engine/read/result.h"
#include "gui/panels/controls/controls.h"
#include "session/state.h"

namespace attn::gui {

// A button of the strip: one stage, or with a label several folded ones.
struct StripChip {
  std::vector<Stage> stages;
  std::string_view label = {};
  friend bool operator==(const StripChip&, const StripChip&) = default;
};

// True if neither is computed from the other, so that no arrow is drawn between them.
bool is_parallel(const StripChip& a, const StripChip& b);

// Folds as few groups as needed for a width of at most `space`, the farthest from the selected
// stage first, then all before and after it, in the end all into one.
std::vector<StripChip> strip_chips(
    const std::vector<Stage>& stages, Stage selected, float space,
    const std::function<float(const std::vector<StripChip>&)>& width_of);

// "Q", "÷√dₖ", "masked".
std::string strip_label(const AttentionProblem& problem, Stage stage);

// Formula as this problem computes it, extents in numbers, and a description:
// "QKᵀ · 0.3536 (÷ √8)\n(10 × 8) · (8 × 10) → (10 × 10)\n…"
std::string stage_explanation(const AttentionResult& result, Stage stage,
                              const HeadAddress& at = {});

// Selects the stage, in the heatmap if the plot in focus shows none.
void show_stage(Ui& ui, const AppState& state, Stage stage);

// One row of the available width; stages that do not fit are folded into groups. Probe names:
// "strip/input/X", "strip/stage/weights" (in the list of an open group if folded),
// "strip/group/feed-forward", "strip/head" with "Head 2" as value, "strip/head/Head 1" in its list,
// "strip/previous_head", "strip/next_head", also for layer and sample, "strip/attention/self".
void stage_strip(Ui& ui, const AppState& state);

}  // namespace attn::gui
