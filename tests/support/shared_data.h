// Reference cases and real data that live outside the project: used when there, skipped when not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/tensor.h"

namespace attn::test {

// Absolute path of `relative` below the shared folder, or nothing when it is not there.
std::optional<std::string> shared_file(const std::string& relative);

// Files of a shared folder that end in `suffix`, sorted; empty when the folder is not there.
std::vector<std::string> shared_files(const std::string& folder, const std::string& suffix);

// The whole file; aborts the test run when it cannot be read.
std::string read_text(const std::string& path);

}  // namespace attn::test

// Skips the test, with a message, when the shared folder does not exist.
#define ATTNSCOPE_SKIP_WITHOUT(file) \
  if (!(file)) GTEST_SKIP() << "the shared reference data is not beside the project"
