// Bytes that the program's own code has asked for with `new`, and ImGui; what libraries in C keep
// to themselves (letters drawn before, fonts found) is not among them.
#pragma once

#include <cstddef>

namespace attn::test {

std::size_t counted_bytes();

// Before ImGui's context is made.
void count_imgui();

}  // namespace attn::test
