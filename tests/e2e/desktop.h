// A virtual display with the real window on it, for end-to-end tests.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "support/process.h"

namespace attn::test {

// An X server without a screen; one per test program.
class VirtualDisplay {
 public:
  VirtualDisplay();
  ~VirtualDisplay();
  VirtualDisplay(const VirtualDisplay&) = delete;
  VirtualDisplay& operator=(const VirtualDisplay&) = delete;
  // ":99", or empty when Xvfb is not installed.
  const std::string& name() const { return name_; }

 private:
  pid_t server_ = -1;
  std::string name_;
};

// Gives each test the display, a folder of its own and untouched preferences.
class Desktop : public testing::Test {
 protected:
  void SetUp() override;

  std::string file(const std::string& name) const { return folder_.file(name); }
  ProcessOptions environment() const;

  // Writes the script, plays it in the window on `document`, and expects exit code 0.
  ProcessResult replay(const std::string& document, const std::string& script,
                       const std::vector<std::string>& more_arguments = {}) const;

  TemporaryFolder folder_;
};

}  // namespace attn::test
