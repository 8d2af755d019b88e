// Results, notices and preferences.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "session/preferences.h"
#include "support/paths.h"
#include "support/process.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;
using test::set_cell;
using test::two_heads;

TEST(Results, AStaleOneIsIgnored) {
  SessionDriver session;
  session.open(two_heads());
  session.send(set_cell(0, 0, 2.0F));
  const effect::Compute first = *session.effect<effect::Compute>();
  session.send(set_cell(0, 0, 3.0F));
  const effect::Compute second = *session.effect<effect::Compute>();
  const Command late = *run_effect(first, nullptr);
  session.send(*run_effect(second, nullptr));
  const ResultPtr current = session.state.result;
  session.send(late);
  EXPECT_EQ(session.state.result, current);
  EXPECT_EQ(session.state.result->value(Stage::Scores, {}, 0, 0), 3.0F);
  EXPECT_FALSE(is_computing(session.state));
}

TEST(Results, OneOfAnotherShapeIsNeverKept) {
  SessionDriver session;
  session.open(two_heads());
  session.send(set_cell(0, 0, 2.0F));
  EXPECT_NE(session.state.result, nullptr) << "same shape: shown until the new one is there";
  session.send(command::InsertToken{Side::Query, 0, "new"});
  EXPECT_EQ(session.state.result, nullptr);
  session.settle();
  EXPECT_EQ(session.state.result->shape().n_q, 4U);
}

TEST(Results, AFailureIsSaidAndShowsNoOldNumbers) {
  SessionDriver session;
  session.open(two_heads());
  Error error;
  error.kind = ErrorKind::OverMemoryLimit;
  error.message = "too large";
  session.send(command::Computed{session.state.revision - 1, error});
  EXPECT_NE(session.state.result, nullptr);
  session.send(command::Computed{session.state.revision, error});
  EXPECT_EQ(session.state.result, nullptr);
  ASSERT_TRUE(session.state.result_error);
  EXPECT_FALSE(is_computing(session.state));
  EXPECT_EQ(session.last_notice(), "Too large");
  session.send(set_cell(0, 0, 2.0F));
  EXPECT_FALSE(session.state.result_error);
}

TEST(Results, SmallComputationsAreQuick) {
  EXPECT_TRUE(is_quick(effect::Compute{two_heads(), 1}));
  Document large;
  large.query_tokens = {TokenList(600, "x")};
  large.model = GivenQkv{Tensor({600, 64}, std::vector<float>(600 * 64)),
                         Tensor({600, 64}, std::vector<float>(600 * 64)),
                         Tensor({600, 64}, std::vector<float>(600 * 64))};
  EXPECT_FALSE(is_quick(effect::Compute{large, 1}));
  EXPECT_FALSE(is_quick(effect::Load{"/tmp/cats.json"}));
}

TEST(Notices, AFewAreKeptAndErrorsOutlastTheRest) {
  SessionDriver session;
  session.send(command::Notify{Notice::Level::Error, "broken", "details"});
  for (int i = 0; i < 9; ++i) {
    session.send(command::Notify{Notice::Level::Info, "message " + std::to_string(i), ""});
  }
  ASSERT_EQ(session.state.notices.size(), 3U);
  EXPECT_EQ(session.state.notices.front().text, "broken");
  EXPECT_EQ(session.last_notice(), "message 8");
}

TEST(Notices, AnotherDocumentEndsWarningsAndErrors) {
  SessionDriver session;
  session.send(command::Notify{Notice::Level::Error, "broken", ""});
  session.send(command::Notify{Notice::Level::Warning, "odd", ""});
  session.send(command::Notify{Notice::Level::Info, "said", ""});
  session.send(command::NewDocument{});
  ASSERT_EQ(session.state.notices.size(), 1U);
  EXPECT_EQ(session.last_notice(), "said");
}

TEST(Notices, ARepeatedOneIsShownOnceAndCanBeDismissed) {
  SessionDriver session;
  session.send(command::Notify{Notice::Level::Info, "same", ""});
  session.send(command::Notify{Notice::Level::Info, "same", ""});
  ASSERT_EQ(session.state.notices.size(), 1U);
  EXPECT_EQ(session.state.notices.front().count, 2U);
  session.send(command::DismissNotice{session.state.notices.front().id});
  EXPECT_TRUE(session.state.notices.empty());
}

TEST(Preferences, ThemeAndScaleAreStoredWhenTheyChange) {
  SessionDriver session;
  session.send(command::SetPreference{"theme", "light"});
  ASSERT_NE(session.effect<effect::StorePreferences>(), nullptr);
  EXPECT_EQ(session.effect<effect::StorePreferences>()->preferences.theme, ThemeKind::Light);
  session.send(command::SetPreference{"theme", "light"});
  EXPECT_TRUE(session.effects.empty());
  session.send(command::SetPreference{"scale", "2"});
  EXPECT_EQ(session.state.preferences.scale, 2.0);
  session.send(command::SetPreference{"scale", "0"});
  EXPECT_EQ(session.state.preferences.scale, 0.0);
}

TEST(RecentFiles, AreLookedAtBeforeTheyAreListed) {
  SessionDriver session;
  session.send(command::CheckRecent{});
  EXPECT_TRUE(session.effects.empty()) << "there are none";
  const std::string here = test::source_folder() + "/CMakeLists.txt";
  session.state.preferences.recent_files = {here, "/no/such/file.attn.json", "/"};
  session.send(command::CheckRecent{});
  session.settle();
  EXPECT_EQ(session.state.gone_files, std::vector<std::string>{"/no/such/file.attn.json"});
  EXPECT_EQ(session.state.preferences.recent_files.size(), 3U) << "they are not hidden";
  session.open(test::two_heads(), "/no/such/file.attn.json");
  EXPECT_TRUE(session.state.gone_files.empty()) << "it has been read";
}

TEST(Preferences, ReadBackWhatWasWritten) {
  Preferences preferences;
  preferences.theme = ThemeKind::Light;
  preferences.scale = 1.25;
  preferences.recent_files = {"/tmp/猫 \"cats\".json", "/tmp/b.json", "/tmp/not \xff text.json"};
  preferences.last_document = preferences.recent_files.back();
  const Preferences read = parse_preferences(preferences_text(preferences));
  EXPECT_EQ(read.theme, preferences.theme);
  EXPECT_EQ(read.scale, preferences.scale);
  EXPECT_EQ(read.recent_files, preferences.recent_files);
  EXPECT_EQ(read.last_document, preferences.last_document);
}

TEST(Preferences, TheSidesAreKeptAsTheyWereLeft) {
  SessionDriver session;
  const Sides sides{.left = 250, .right_top = 0.5F, .right_folded = true};
  session.send(command::SetSides{sides});
  ASSERT_NE(session.effect<effect::StorePreferences>(), nullptr);
  EXPECT_EQ(session.state.preferences.sides, sides);
  EXPECT_EQ(parse_preferences(preferences_text(session.state.preferences)).sides, sides);
}

TEST(Preferences, ThePlotAloneLeavesNoTrace) {
  SessionDriver session;
  const Sides sides{.left = 250, .right_folded = true};
  session.send(command::SetSides{sides});
  session.send(command::SplitPane{0, SplitDirection::Right});
  session.send(command::ShowPlotAlone{true});
  EXPECT_TRUE(session.state.plot_alone);
  EXPECT_EQ(session.effect<effect::StorePreferences>(), nullptr);
  EXPECT_EQ(session.state.preferences.sides, sides);
  EXPECT_FALSE(session.state.maximised);
  EXPECT_EQ(session.last_notice(), "F11 brings the panels back");
  session.send(command::SetSides{sides});
  EXPECT_FALSE(session.state.plot_alone) << "asking for a side brings it back";
  EXPECT_EQ(session.last_notice(), "") << "the panels are back";
}

TEST(Preferences, SidesThatNoWindowHasAreLeftOut) {
  const Sides read = parse_preferences(R"({"sides": {"left": -5, "right": 1e9, "left_top": "high",
                                      "right_top": 0.25, "left_folded": 1}})")
                         .sides;
  EXPECT_EQ(read, Sides{.right_top = 0.25F});
}

TEST(Preferences, TheWindowsPlaceIsKeptWholeOrNotAtAll) {
  SessionDriver session;
  const WindowPlace place{.x = -40, .y = 30, .width = 1280, .height = 800, .maximised = true};
  session.send(command::SetWindowPlace{place});
  EXPECT_EQ(parse_preferences(preferences_text(session.state.preferences)).window, place);
  for (const char* text : {R"({"window": {"x": 1, "y": 2, "width": 300}})",
                           R"({"window": {"x": 1, "y": 2, "width": 0, "height": 5}})",
                           R"({"window": {"x": 1e300, "y": 2, "width": 9, "height": 5}})"}) {
    EXPECT_EQ(parse_preferences(text).window, WindowPlace{}) << text;
  }
}

TEST(Preferences, BrokenOnesAreDefaults) {
  for (const char* text :
       {"", "{", "[]", "null", R"({"theme": 3, "scale": "big", "recent_files": {}})",
        R"({"scale": 1e99, "recent_files": [1, null]})"}) {
    const Preferences read = parse_preferences(text);
    EXPECT_EQ(read.theme, std::nullopt) << text;
    EXPECT_EQ(read.scale, 0.0) << text;
    EXPECT_TRUE(read.recent_files.empty()) << text;
  }
}

TEST(Preferences, AreKeptInTheConfigFolder) {
  const test::TemporaryFolder folder;
  const char* before = std::getenv("XDG_CONFIG_HOME");
  const std::string kept = before ? before : "";
  ::setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
  Preferences preferences;
  preferences.recent_files = {"/tmp/a.json"};
  EXPECT_FALSE(run_effect(effect::StorePreferences{preferences}, nullptr));
  EXPECT_EQ(load_preferences().recent_files, preferences.recent_files);
  EXPECT_TRUE(std::filesystem::exists(folder.file("attnscope/preferences.json")));
  if (before) {
    ::setenv("XDG_CONFIG_HOME", kept.c_str(), 1);
  } else {
    ::unsetenv("XDG_CONFIG_HOME");
  }
}

TEST(Preferences, AFileOfAnotherProgramIsNotReplaced) {
  const test::TemporaryFolder folder;
  ::setenv("ATTNSCOPE_CONFIG_DIR", folder.path().c_str(), 1);
  const std::string path = folder.file("preferences.json");
  const auto stored_over = [&](const char* text) {
    std::ofstream(path) << text;
    return run_effect(effect::StorePreferences{Preferences{}}, nullptr) == std::nullopt;
  };
  for (const char* other : {"[1]", "no JSON", R"({"theme": "dark", "editor.fontSize": 12})",
                            R"({"program": "Other"})"}) {
    EXPECT_FALSE(stored_over(other)) << other;
    EXPECT_EQ(read_file(path, 100).value(), other);
    EXPECT_FALSE(check_preferences());
  }
  for (const char* own : {"", "{}", R"({"theme": "light", "recent_files": []})",
                          R"({"program": "AttnScope", "of_a_later_version": 1})"}) {
    EXPECT_TRUE(stored_over(own)) << own;
  }
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0600));
  ::unsetenv("ATTNSCOPE_CONFIG_DIR");
}

TEST(Preferences, ThatAreNoFileDoNotHoldUpTheStart) {
  const test::TemporaryFolder folder;
  ::setenv("ATTNSCOPE_CONFIG_DIR", folder.path().c_str(), 1);
  const std::string path = folder.file("preferences.json");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(load_preferences().scale, 0.0);
  std::filesystem::remove(path);
  std::filesystem::create_directories(path);
  EXPECT_EQ(load_preferences().scale, 0.0);
  ::unsetenv("ATTNSCOPE_CONFIG_DIR");
}

TEST(Preferences, AreReadBehindAnyNumberOfOtherKeys) {
  std::string text = R"({"theme": "dark")";
  for (int key = 0; key < 60'000; ++key) text += ",\n\"key" + std::to_string(key) + "\": {}";
  text += R"(, "sides": {"left": 321}, "theme": "light"})";
  const Preferences read = parse_preferences(text);
  EXPECT_EQ(read.theme, ThemeKind::Light);
  EXPECT_EQ(read.sides.left, 321.0F);
}

TEST(Preferences, TheDocumentThatWasOpenedLastIsRememberedButNoExample) {
  SessionDriver session;
  session.open(two_heads(), "/tmp/cats.json");
  EXPECT_EQ(session.state.preferences.last_document, "/tmp/cats.json");
  const Preferences read = parse_preferences(preferences_text(session.state.preferences));
  EXPECT_EQ(read.last_document, "/tmp/cats.json");
  EXPECT_TRUE(read.reopens);
  session.open(two_heads(), "example:i-love-cats");
  session.send(command::Quit{});
  EXPECT_TRUE(session.state.quitting);
  EXPECT_EQ(session.state.preferences.last_document, "") << "what was looked at was an example";
  EXPECT_NE(session.effect<effect::StorePreferences>(), nullptr);
}

TEST(Preferences, WhetherTheLastDocumentIsOpenedAgainIsKept) {
  SessionDriver session;
  session.send(command::SetPreference{"reopens", "false"});
  ASSERT_NE(session.effect<effect::StorePreferences>(), nullptr);
  EXPECT_FALSE(parse_preferences(preferences_text(session.state.preferences)).reopens);
  session.send(command::SetPreference{"reopens", "false"});
  EXPECT_TRUE(session.effects.empty());
}

}  // namespace
}  // namespace attn
