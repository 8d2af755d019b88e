// Hatching of the rules that hide a cell.
#include <gtest/gtest.h>

#include "figure/colormap.h"

namespace attn {
namespace {

TEST(Hatch, EveryRuleHasOneDirection) {
  for (const HiddenRuleInfo& info : all_hidden_rules()) {
    int directions = 0;
    for (const Hatch& hatch : all_hatches()) directions += (hatch.rules & info.rule) != 0 ? 1 : 0;
    EXPECT_EQ(directions, 1) << info.name;
  }
}

TEST(Hatch, TellsCausalFromPaddingAndFromByHand) {
  EXPECT_EQ(hatch_lines(kHiddenByCausal), kRisingLines);
  EXPECT_EQ(hatch_lines(kHiddenByKeyPadding), kFallingLines);
  EXPECT_EQ(hatch_lines(kHiddenByHand), kLevelLines);
  EXPECT_EQ(hatch_lines(kVisible), 0);
}

TEST(Hatch, RulesOfSeveralKindsLieOverEachOther) {
  EXPECT_EQ(hatch_lines(kHiddenByCausal | kHiddenByQueryPadding), kRisingLines | kFallingLines);
  EXPECT_EQ(hatch_lines(kHiddenByCausal | kHiddenByWindow), kRisingLines);
}

}  // namespace
}  // namespace attn
