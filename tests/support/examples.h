// Built-in examples that are short enough to write or change every matrix within a test.
#pragma once

#include <vector>

#include "document/load/open.h"

namespace attn::test {

// All examples but those of thousands of tokens.
std::vector<Example> short_examples();

}  // namespace attn::test
