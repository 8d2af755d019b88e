// The application's log, and starts without the previous session.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "app/shell/app_fixture.h"
#include "session/unsaved_work.h"

namespace attn::test {
namespace {

using Level = Notice::Level;

class LogTest : public AppTest {
 protected:
  std::string log() {
    app.wait_until_idle();
    return std::filesystem::exists(path("state/log.txt")) ? read_text(path("state/log.txt")) : "";
  }
  void start(LogLevel level) { app.log_to(path("state/log.txt"), level); }
  void say_one_of_each() {
    app.apply(command::Notify{Level::Info, "a note", ""});
    app.apply(command::Notify{Level::Warning, "a warning", "why\nand how"});
    app.apply(command::Notify{Level::Error, "an error", ""});
  }
};

// The text without times.
std::string without_times(const std::string& log) {
  std::string text;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = log.find('\n', at) + 1;
    const bool has_time = log[at] != ' ';
    text += log.substr(has_time ? at + 21 : at, end - (has_time ? at + 21 : at));
    at = end;
  }
  return text;
}

TEST_F(LogTest, HasWhatIsSaidWithItsDetails) {
  start(LogLevel::Info);
  app.log(Level::Info, "Started");
  say_one_of_each();
  EXPECT_EQ(without_times(log()),
            "info: Started\ninfo: a note\nwarning: a warning\n    why\n    and how\n"
            "error: an error\n");
}

TEST_F(LogTest, HasNoMoreThanItsLevelSays) {
  start(LogLevel::Warning);
  say_one_of_each();
  EXPECT_EQ(without_times(log()), "warning: a warning\n    why\n    and how\nerror: an error\n");
  start(LogLevel::Error);
  app.apply(command::Notify{Level::Warning, "another warning", ""});
  EXPECT_EQ(log().find("another"), std::string::npos);
}

TEST_F(LogTest, NamesWhatIsOpenedSavedAndRefusedButNotWhatIsInIt) {
  start(LogLevel::Info);
  const std::string file = path("secret.attn.json");
  ASSERT_TRUE(
      write_file_atomically(file, R"({"tokens": ["classified", "cats"]})", Overwrite::Refuse));
  open(file);
  app.apply(command::SaveAs{path("copy.attn.json"), false});
  app.wait_until_idle();
  app.apply(command::Open{path("missing.json")});
  const std::string text = log();
  EXPECT_NE(text.find("info: Opened " + file), std::string::npos) << text;
  EXPECT_NE(text.find("info: Saved copy.attn.json\n    " + path("copy.attn.json")),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("missing.json"), std::string::npos) << text;
  EXPECT_EQ(text.find("classified"), std::string::npos) << text;
}

TEST_F(LogTest, IsNoneWithoutAFile) {
  say_one_of_each();
  EXPECT_EQ(log(), "");
}

TEST_F(LogTest, ThatCannotBeWrittenIsSaidOnce) {
  ASSERT_TRUE(write_file_atomically(path("state"), "no folder", Overwrite::Refuse));
  start(LogLevel::Info);
  for (int i = 0; i < 5; ++i) say_one_of_each();
  app.wait_until_idle();
  const auto about_log = std::ranges::count_if(state().messages, [](const Notice& notice) {
    return notice.text.starts_with("The log is not written");
  });
  EXPECT_EQ(about_log, 1);
  EXPECT_EQ(state().messages.back().count, 1U);
}

TEST_F(LogTest, UnsavedWorkIsKeptButNotOfferedWhereThatIsNotWanted) {
  auto killed = std::make_unique<gui::App>();
  killed->autosave_below(path("unsaved"));
  killed->open_at_start({"example:i-love-cats"});
  killed->wait_until_idle();
  killed->apply(command::SetCell{{"/q", {}}, 0, 0, 7.5F, 0});
  killed->leave_autosaving();
  killed.reset();
  app.autosave_below(path("unsaved"), false);
  app.wait_until_idle();
  show();
  EXPECT_FALSE(ui.shows("unsaved"));
  EXPECT_FALSE(state().autosave_folder.empty());
  EXPECT_EQ(find_unsaved(path("unsaved"), 0).work.size(), 1U) << "it is still there";
}

}  // namespace
}  // namespace attn::test
