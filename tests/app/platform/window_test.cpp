// Error of opening a window without a display.
#include "gui/platform/window.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

namespace attn::test {
namespace {

class WithoutDisplay : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
      if (const char* value = std::getenv(name)) kept_.emplace_back(name, value);
      ::unsetenv(name);
    }
  }
  void TearDown() override {
    for (const auto& [name, value] : kept_) ::setenv(name.c_str(), value.c_str(), 1);
  }

 private:
  std::vector<std::pair<std::string, std::string>> kept_;
};

TEST_F(WithoutDisplay, AWindowIsRefusedWithWhatToDo) {
  const auto window = gui::Window::open({});
  ASSERT_FALSE(window.ok());
  EXPECT_EQ(window.error().kind, ErrorKind::NoDisplay);
  EXPECT_EQ(exit_code(window.error().kind), 6);
  EXPECT_NE(window.error().message.find("display"), std::string::npos);
  EXPECT_NE(window.error().hint.find("export"), std::string::npos);
}

TEST_F(WithoutDisplay, AnUnreachableDisplayIsRefusedToo) {
  ::setenv("DISPLAY", ":9999", 1);
  const auto window = gui::Window::open({});
  ::unsetenv("DISPLAY");
  ASSERT_FALSE(window.ok());
  EXPECT_EQ(window.error().kind, ErrorKind::NoDisplay);
}

}  // namespace
}  // namespace attn::test
