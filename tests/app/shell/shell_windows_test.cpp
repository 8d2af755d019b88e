// About window, list of shortcuts and pictures of the window.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "app/shell/app_fixture.h"
#include "base/files.h"
#include "session/build_information.h"
#include "session/command.h"
#include "session/preferences.h"

namespace attn::gui {
namespace {

namespace fs = std::filesystem;

class ShellWindowsTest : public test::AppTest {
 protected:
  void show_overlay(Overlay overlay) {
    app.apply(command::ShowOverlay{overlay});
    show();
  }
  std::vector<std::string> plots() const {
    std::vector<std::string> names;
    for (const Pane* pane : panes_of(state().layout)) names.push_back(pane->view.plot);
    return names;
  }
};

TEST_F(ShellWindowsTest, AboutSaysWhatTheProgramIsMadeOfAndCopiesIt) {
  app.describe_graphics(
      {{"OpenGL", "4.5 (Core Profile)"}, {"Renderer", "llvmpipe"}, {"Vendor", "Mesa"}});
  open("example:i-love-cats");
  show_overlay(Overlay::About);
  EXPECT_EQ(ui.value("about/Renderer"), "llvmpipe");
  EXPECT_EQ(ui.value("about/OpenGL"), "4.5 (Core Profile)");
  ui.click("about/copy");
  for (const auto& [name, value] : build_information()) {
    EXPECT_NE(ui.clipboard.find(name + ": " + value + "\n"), std::string::npos) << name;
  }
  EXPECT_NE(ui.clipboard.find("Vendor: Mesa\n"), std::string::npos);
  EXPECT_NE(ui.clipboard.find("Eigen: MPL-2.0, libeigen3-dev\n"), std::string::npos);
  ui.clipboard.clear();
  ui.key("Ctrl+C");
  EXPECT_NE(ui.clipboard, "");
  ui.key("Esc");
  EXPECT_FALSE(ui.shows("about"));
}

TEST_F(ShellWindowsTest, AboutWithoutGraphicsHasNoSuchRows) {
  open("example:i-love-cats");
  show_overlay(Overlay::About);
  EXPECT_TRUE(ui.shows("about/Cairo"));
  EXPECT_FALSE(ui.shows("about/Renderer"));
}

TEST_F(ShellWindowsTest, ShortcutsAreFoundByKeysAndWords) {
  open("example:i-love-cats");
  ui.key("F1");
  EXPECT_EQ(ui.value("shortcuts/row/F12"), "Picture of the window");
  const std::string first = ui.names("shortcuts/row/").front();
  const float top = ui.find(first)->min.y;
  ui.key("PageDown");
  ui.frames(2);
  EXPECT_TRUE(!ui.shows(first) || ui.find(first)->min.y < top - 100.0F);
  ui.key("PageUp");
  ui.frames(2);
  ASSERT_TRUE(ui.shows(first));
  EXPECT_EQ(ui.find(first)->min.y, top);
  ui.type("second pin");
  EXPECT_EQ(ui.value("shortcuts/row/Shift+Arrows"),
            "Move the second pin, which starts beside the first");
  EXPECT_FALSE(ui.shows("shortcuts/row/F12"));
  ui.key("Ctrl+A");
  ui.type("ctrl+g");
  EXPECT_EQ(ui.names("shortcuts/row/"), std::vector<std::string>{"shortcuts/row/Ctrl+G"});
  ui.key("Esc");
  ui.key("Esc");
  EXPECT_FALSE(ui.shows("shortcuts"));
}

class PictureOfTheWindow : public ShellWindowsTest {
 protected:
  PictureOfTheWindow() {
    setenv("XDG_PICTURES_DIR", folder.c_str(), 1);
    app.read_pixels_with([this] {
      ++taken;
      showed_menu = ui.shows("menu/File/screenshot");
      return Raster{2, 1, std::vector<std::uint8_t>(8, 255)};
    });
  }
  ~PictureOfTheWindow() override { unsetenv("XDG_PICTURES_DIR"); }
  std::vector<std::string> pictures() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".png") names.push_back(entry.path().string());
    }
    return names;
  }
  int taken = 0;
  bool showed_menu = false;
};

TEST_F(PictureOfTheWindow, IsAFileWhosePathCanBeCopied) {
  open("example:i-love-cats");
  ui.key("F12");
  show();
  ASSERT_EQ(pictures().size(), 1U);
  const std::string path = pictures().front();
  EXPECT_EQ(state().notices.back().text, "Wrote a picture of the window to " + path);
  ui.click("notice/0/copy");
  EXPECT_EQ(ui.clipboard, path);
  ui.key("F12");
  show();
  EXPECT_EQ(pictures().size(), 2U);
}

TEST_F(PictureOfTheWindow, IsOfTheWindowWithoutTheMenuThatAsksForIt) {
  open("example:i-love-cats");
  ui.click("menu/File");
  ui.click("menu/File/screenshot");
  show();
  EXPECT_EQ(taken, 1);
  EXPECT_FALSE(showed_menu);
}

TEST_F(PictureOfTheWindow, MayBeOfAWindowOverThePanels) {
  open("example:i-love-cats");
  show_overlay(Overlay::Settings);
  ui.key("F12");
  show();
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(state().overlay, Overlay::Settings);
}

TEST_F(PictureOfTheWindow, SaysWhenItCannotBeWritten) {
  open("example:i-love-cats");
  setenv("XDG_PICTURES_DIR", "", 1);
  setenv("HOME", path("nowhere").c_str(), 1);
  ui.key("F12");
  show();
  EXPECT_EQ(state().notices.back().level, Notice::Level::Error);
}

TEST_F(ShellWindowsTest, ShiftF12ExportsThePlotAlone) {
  open("example:i-love-cats");
  ui.key("Shift+F12");
  EXPECT_EQ(state().dialog, DialogKind::Export);
}

TEST_F(ShellWindowsTest, ThePlusBehindTheTabsOpensTheStartPage) {
  open("example:i-love-cats");
  ui.click("tabs/new");
  EXPECT_EQ(state().overlay, Overlay::Start);
  EXPECT_EQ(open_documents(state()).size(), 1U);
}

TEST_F(ShellWindowsTest, ALimitOfMemoryHoldsForTheWindow) {
  app.apply(command::LimitMemory{2'000});
  open("example:four-heads");
  ASSERT_FALSE(state().notices.empty());
  EXPECT_NE(state().notices.back().text.find("memory"), std::string::npos);
}

}  // namespace
}  // namespace attn::gui
