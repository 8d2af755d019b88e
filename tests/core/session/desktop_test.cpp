// The theme follows the desktop.
#include "session/desktop.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/process.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

TEST(Desktop, ThePortalKnowsDarkLightAndNoPreference) {
  EXPECT_EQ(theme_in("(<<uint32 1>>,)\n"), ThemeKind::Dark);
  EXPECT_EQ(theme_in("(<<uint32 2>>,)\n"), ThemeKind::Light);
  EXPECT_EQ(theme_in("(<<uint32 0>>,)\n"), std::nullopt);
  EXPECT_EQ(theme_in(""), std::nullopt);
}

TEST(Desktop, SettingsOfGtkAndKdeNameAThemeOrPreferDark) {
  EXPECT_EQ(theme_in("[Settings]\ngtk-theme-name=Adwaita\n"), ThemeKind::Light);
  EXPECT_EQ(theme_in("[Settings]\ngtk-theme-name = Yaru-Dark"), ThemeKind::Dark);
  EXPECT_EQ(theme_in("gtk-theme-name=Adwaita\ngtk-icon-theme-name=Dark\n"), ThemeKind::Light);
  EXPECT_EQ(theme_in("gtk-theme-name=Adwaita\ngtk-application-prefer-dark-theme=1\n"),
            ThemeKind::Dark);
  EXPECT_EQ(theme_in("gtk-application-prefer-dark-theme=0\n"), std::nullopt);
  EXPECT_EQ(theme_in("[General]\nColorScheme=BreezeDark\n"), ThemeKind::Dark);
  EXPECT_EQ(theme_in("=\n[\n\n= =="), std::nullopt);
}

class DesktopFiles : public ::testing::Test {
 protected:
  DesktopFiles() {
    std::filesystem::create_directories(folder / "gtk-3.0");
    ::setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
    ::unsetenv("DBUS_SESSION_BUS_ADDRESS");
    ::unsetenv("GTK_THEME");
  }
  ~DesktopFiles() override {
    ::unsetenv("GTK_THEME");
    ::unsetenv("XDG_CONFIG_HOME");
    std::filesystem::remove_all(folder);
  }
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("attnscope_desktop_" + std::to_string(::getpid()));
};

TEST_F(DesktopFiles, AreReadUnlessAVariableSaysOtherwiseAndElseItIsDark) {
  EXPECT_EQ(theme_of_desktop(), ThemeKind::Dark);
  std::ofstream(folder / "gtk-3.0" / "settings.ini") << "gtk-theme-name=Adwaita\n";
  EXPECT_EQ(theme_of_desktop(), ThemeKind::Light);
  ::setenv("GTK_THEME", "Adwaita:dark", 1);
  EXPECT_EQ(theme_of_desktop(), ThemeKind::Dark);
}

TEST(Desktop, IsAskedOnlyWhileTheWindowFollowsIt) {
  test::SessionDriver session;
  EXPECT_EQ(session.state.preferences.theme, std::nullopt);
  session.send(command::AskTheme{});
  EXPECT_NE(session.effect<effect::AskTheme>(), nullptr);
  session.send(command::SetPreference{"theme", "light"});
  session.send(command::AskTheme{});
  EXPECT_EQ(session.effect<effect::AskTheme>(), nullptr);
  session.send(command::SetPreference{"theme", "system"});
  EXPECT_NE(session.effect<effect::AskTheme>(), nullptr);
}

}  // namespace
}  // namespace attn
