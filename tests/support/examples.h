// Those of the built-in examples of which every matrix can be written or changed within a test.
#pragma once

#include <vector>

#include "document/load/open.h"

namespace attn::test {

// All but those of thousands of tokens.
std::vector<Example> short_examples();

}  // namespace attn::test
