// Random clicks, typing and drags: no crashes, and a consistent state.
#include <gtest/gtest.h>

#include <utility>

#include "app/shell/app_fixture.h"
#include "base/random.h"
#include "document/problem.h"
#include "random/random_events.h"

namespace attn::gui {
namespace {

class RandomInputTest : public test::AppTest {
 protected:
  void check_state() {
    ASSERT_TRUE(check(state().document).ok());
    ASSERT_TRUE(state().result);
    ASSERT_TRUE(state().result->has(focused_view(state()).options.stage));
  }
};

TEST_F(RandomInputTest, NeverBreaksTheApplication) {
  // Prevents writing outside of the test's folder.
  std::filesystem::current_path(folder);
  setenv("HOME", folder.c_str(), 1);
  for (const char* example :
       {"example:four-heads", "example:padding-batch", "example:translation-alignment"}) {
    open(example);
    Random random(7);
    for (int i = 0; i < 500; ++i) {
      for (InputEvent& event : test::random_events(random, ui.probe, {})) ui.push(std::move(event));
      ui.frames(1);
      if (i % 125 == 0) check_state();
    }
    ui.push(MouseButton{0, false});
    ui.frames(5);
    app.wait_until_idle();
    check_state();
  }
  std::filesystem::current_path("/");
}

}  // namespace
}  // namespace attn::gui
