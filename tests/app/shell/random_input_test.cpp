// Whatever is clicked, typed and dragged: nothing crashes and the state stays consistent.
#include <gtest/gtest.h>

#include <vector>

#include "app/shell/app_fixture.h"
#include "base/random.h"
#include "document/problem.h"
#include "gui/platform/imgui_compat.h"

namespace attn::gui {
namespace {

class RandomInputTest : public test::AppTest {
 protected:
  void random_event(Random& random) {
    const float x = random.uniform() * 1280.0F;
    const float y = random.uniform() * 800.0F;
    switch (random.next() % 8) {
      case 0:
      case 1:
        ui.push(MouseMove{x, y});
        break;
      case 2:
        ui.push(MouseMove{x, y});
        ui.push(MouseButton{0, true});
        break;
      case 3:
        ui.push(MouseButton{0, false});
        break;
      case 4:
        ui.push(MouseWheel{0, random.uniform() * 6.0F - 3.0F});
        break;
      case 5:
        ui.push(TextInput{static_cast<unsigned>(' ' + random.next() % 95)});
        break;
      case 6:
        click_something(random);
        break;
      default:
        random_key(random);
    }
  }

  // Widgets are small: a random point rarely meets one.
  void click_something(Random& random) {
    const std::vector<std::string> names = ui.names();
    if (names.empty()) return;
    const std::string& name = names[random.next() % names.size()];
    const auto widget = ui.find(name);
    if (!widget) return;
    ui.push(MouseMove{widget->centre().x, widget->centre().y});
    ui.push(MouseButton{0, true});
    ui.push(MouseButton{0, false});
  }

  void random_key(Random& random) {
    constexpr int kKeys[] = {keys::kEnter,  keys::kEscape, keys::kTab,  keys::kBackspace,
                             keys::kDelete, keys::kUp,     keys::kDown, keys::kLeft,
                             keys::kRight,  'Z',           'Y',         'V',
                             'C',           'A',           'P',         keys::kF1};
    const int key = kKeys[random.next() % std::size(kKeys)];
    const int mods = static_cast<int>(random.next() % 4);
    ui.push(KeyChange{key, true, mods});
    ui.push(KeyChange{key, false, 0});
  }

  void check_state() {
    ASSERT_TRUE(check(state().document).ok());
    ASSERT_TRUE(state().result);
    ASSERT_TRUE(state().result->has(focused_view(state()).options.stage));
  }
};

TEST_F(RandomInputTest, NeverBreaksTheApplication) {
  // Nothing outside the test's folder may be written.
  std::filesystem::current_path(folder);
  setenv("HOME", folder.c_str(), 1);
  for (const char* example :
       {"example:four-heads", "example:padding-batch", "example:translation-alignment"}) {
    open(example);
    Random random(7);
    for (int i = 0; i < 500; ++i) {
      random_event(random);
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
