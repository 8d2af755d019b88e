// Test fixture for every instruction set of this processor.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/kernels/instruction_sets.h"

namespace attn::test {

// Forces the instruction set of the parameter; restores the best afterwards.
class EveryInstructionSet : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(use_instruction_set(GetParam())); }
  void TearDown() override { use_instruction_set(""); }
};

inline std::string name_of_set(const testing::TestParamInfo<std::string>& set) { return set.param; }

inline bool has_fused_multiply_add(const std::string& set) {
  return set != "SCALAR" && set != "EMU128" && !set.starts_with("SS");  // SSE2, SSSE3, SSE4
}

// An instruction set with fused multiply-add, whose bits all others of them must have; "" if none.
inline std::string set_to_compare_with() {
  const std::vector<std::string> sets = instruction_sets();
  const auto found = std::find_if(sets.rbegin(), sets.rend(), has_fused_multiply_add);
  return found == sets.rend() ? "" : *found;
}

}  // namespace attn::test
