// The instruction sets that kernels are compiled for, and which of them runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Names of those that this processor has, the best first: "AVX3", "AVX2", "SSE4".
std::vector<std::string> instruction_sets();

// The same of all that the kernels are compiled for, whether this processor has them or not.
std::vector<std::string> compiled_instruction_sets();

// Every kernel runs with this one from now on; "" chooses the best again. False, and nothing
// changes, where the processor lacks it. Not while anything computes.
bool use_instruction_set(std::string_view name);

}  // namespace attn
