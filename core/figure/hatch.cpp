// Lists the kinds of hatching and the lines that each draws.
#include "figure/hatch.h"

#include <array>

namespace attn {
namespace {

// Where tokens stand, which tokens are none, and what somebody wrote down cell by cell.
constexpr std::array<Hatch, 3> kHatches{{
    {kRisingLines, kHiddenByCausal | kHiddenByWindow | kHiddenByDilation | kHiddenBySegment},
    {kFallingLines, kHiddenByKeyPadding | kHiddenByQueryPadding},
    {kLevelLines, kHiddenByHand | kHiddenByBias},
}};

}  // namespace

std::span<const Hatch> all_hatches() { return kHatches; }

HatchLines hatch_lines(HiddenRules rules) {
  HatchLines lines = 0;
  for (const Hatch& hatch : kHatches) {
    if ((rules & hatch.rules) != 0) lines |= hatch.line;
  }
  return lines;
}

}  // namespace attn
