// Which stages of the strip stand for themselves and which fold into a group, so that they fit one
// row. Pure.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "attention/stage.h"

namespace attn::gui {

// One button of the strip: a stage, or with a label several that are folded.
struct StripChip {
  std::vector<Stage> stages;
  std::string_view label = {};
  friend bool operator==(const StripChip&, const StripChip&) = default;
};

// What stages fold into: first the parts of their group, "feed-forward", then those of the part,
// "scores".
struct StripGroup {
  std::string_view group, part;
};
StripGroup strip_group(Stage stage);

// Both are computed from what lies before them, not one from the other: no arrow between them.
bool is_parallel(const StripChip& a, const StripChip& b);

// As few groups are folded as make `width_of` the row at most `room`, those that are farthest from
// the selected stage first; in the end there is one for all.
std::vector<StripChip> strip_chips(
    const std::vector<Stage>& stages, Stage selected, float room,
    const std::function<float(const std::vector<StripChip>&)>& width_of);

}  // namespace attn::gui
