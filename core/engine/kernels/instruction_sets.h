// Instruction sets that kernels are compiled for, and the choice among them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Names of those this processor supports, best first: "AVX3", "AVX2", "SSE4".
std::vector<std::string> instruction_sets();

// Forces an instruction set for all kernels; "" returns to the best. False without effect if the
// processor lacks it. Must not be called during computation.
bool use_instruction_set(std::string_view name);

}  // namespace attn
