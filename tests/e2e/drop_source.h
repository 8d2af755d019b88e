// The other side of drag and drop: a program that drops files on our window (XDND, version 5).
#pragma once

#include <string>
#include <vector>

namespace attn::test {

// Drops `paths` on the first window of `display` that accepts drops. True when it took them.
bool drop_files(const std::string& display, const std::vector<std::string>& paths);

}  // namespace attn::test
