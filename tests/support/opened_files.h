// Counts the files that a thread opens, for tests that something opens none.
#pragma once

namespace attn::test {

// Calls of open() by this thread so far.
unsigned opened_files();

}  // namespace attn::test
