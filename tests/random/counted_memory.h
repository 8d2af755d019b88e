// Bytes that the program's own code has allocated with `new`, and ImGui; without caches of
// libraries in C (drawn letters, fonts found).
#pragma once

#include <cstddef>

namespace attn::test {

std::size_t counted_bytes();

// Before ImGui's context is made.
void count_imgui();

}  // namespace attn::test
