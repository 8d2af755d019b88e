// Pictures of the window: folders, names, files.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "session/desktop.h"
#include "support/process.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

std::time_t some_time() {
  std::tm time{};
  time.tm_year = 126;
  time.tm_mon = 10;
  time.tm_mday = 3;
  time.tm_hour = 9;
  time.tm_min = 5;
  time.tm_sec = 7;
  time.tm_isdst = -1;
  return std::mktime(&time);
}

class Pictures : public testing::Test {
 protected:
  Pictures() {
    unsetenv("XDG_PICTURES_DIR");
    setenv("HOME", folder_.file("home").c_str(), 1);
    setenv("XDG_CONFIG_HOME", folder_.file("config").c_str(), 1);
    fs::create_directories(folder_.file("home/Bilder"));
    fs::create_directories(folder_.file("config"));
  }
  void list(const std::string& text) {
    std::ofstream(folder_.file("config/user-dirs.dirs")) << text;
  }
  test::TemporaryFolder folder_;
};

TEST_F(Pictures, GoWhereTheDesktopHasThem) {
  EXPECT_EQ(pictures_folder(), folder_.file("home"));
  list("# x\nXDG_MUSIC_DIR=\"$HOME/Musik\"\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\n");
  EXPECT_EQ(pictures_folder(), folder_.file("home/Bilder"));
  list("XDG_PICTURES_DIR=\"" + folder_.file("config") + "\"");
  EXPECT_EQ(pictures_folder(), folder_.file("config"));
  list("XDG_PICTURES_DIR=\"$HOME/not there\"\n");
  EXPECT_EQ(pictures_folder(), folder_.file("home"));
  setenv("XDG_PICTURES_DIR", folder_.file("home/Bilder").c_str(), 1);
  EXPECT_EQ(pictures_folder(), folder_.file("home/Bilder"));
}

TEST(ScreenshotName, IsOfDocumentAndTime) {
  EXPECT_EQ(screenshot_name("cats.attn.json", some_time()), "cats 2026-11-03 09.05.07");
  EXPECT_EQ(screenshot_name("a/b\nc", some_time()), "a-b-c 2026-11-03 09.05.07");
  EXPECT_EQ(screenshot_name(".json", some_time()), "attnscope 2026-11-03 09.05.07");
  std::string letters;
  for (int i = 0; i < 60; ++i) letters += "é";
  EXPECT_EQ(screenshot_name(letters, some_time()), letters.substr(0, 100) + " 2026-11-03 09.05.07");
  EXPECT_EQ(screenshot_name("x" + letters, some_time()),
            "x" + letters.substr(0, 98) + " 2026-11-03 09.05.07");
}

TEST(WriteScreenshot, NeverOverwrites) {
  const test::TemporaryFolder folder;
  const Raster raster{1, 2, std::vector<std::uint8_t>(8, 255)};
  EXPECT_EQ(write_screenshot(folder.path(), "a", raster).value(), folder.path() + "/a.png");
  EXPECT_EQ(write_screenshot(folder.path(), "a", raster).value(), folder.path() + "/a (2).png");
  EXPECT_EQ(write_screenshot(folder.path(), "a", raster).value(), folder.path() + "/a (3).png");
  EXPECT_EQ(write_screenshot("", "a", raster).error().kind, ErrorKind::CannotWrite);
  EXPECT_EQ(write_screenshot(folder.file("none"), "a", raster).error().kind,
            ErrorKind::CannotWrite);
}

TEST(CopyPicture, TellsWhatTheHelperDid) {
  const test::TemporaryFolder folder;
  const std::string helper = folder.file("it's xclip"), copied = folder.file("copied");
  const auto answer = [&](const std::string& script) {
    std::ofstream(helper) << "#!/bin/sh\n" << script;
    fs::permissions(helper, fs::perms::owner_all);
    return copy_picture(helper, "a picture");
  };
  EXPECT_TRUE(answer("cat >'" + copied + "'; echo $3 >>'" + copied + "'\n").ok());
  EXPECT_EQ(read_file(copied, 100).value(), "a picture-t\n");
  EXPECT_EQ(answer("exit 3\n").error().found, helper + ": it ended with an error");
  EXPECT_EQ(copy_picture(folder.file("none"), "a picture").error().found,
            folder.file("none") + ": it could not be started");
}

TEST(TakeScreenshot, IsLeftToWhomeverShowsTheWindow) {
  test::SessionDriver session;
  session.open(test::two_heads());
  session.send(command::TakeScreenshot{});
  ASSERT_EQ(session.effects.size(), 1U);
  EXPECT_EQ(std::get<effect::TakeScreenshot>(session.effects[0]).name, "two_heads.attn.json");
  session.send(*run_effect(session.effects[0], nullptr));
  EXPECT_EQ(session.last_notice(), "There is no window to take a picture of");
  session.send(command::Notify{Notice::Level::Info,
                               "Wrote a picture of the window to /home/me/a.png", "",
                               "/home/me/a.png"});
  EXPECT_EQ(session.state.notices.back().path, "/home/me/a.png");
  EXPECT_EQ(session.state.messages.back().path, "/home/me/a.png");
}

}  // namespace
}  // namespace attn
