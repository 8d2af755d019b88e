// Work of a killed program, offered by the next run.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <memory>

#include "app/shell/app_fixture.h"
#include "document/document.h"
#include "gui/shell/run.h"
#include "session/unsaved_work.h"

namespace attn::test {
namespace {

class UnsavedTest : public AppTest {
 protected:
  std::string parent() const { return path("state/unsaved"); }

  // Another run of the program, which edits a document and is killed.
  Document edited_by_a_killed_run() {
    auto other = std::make_unique<gui::App>();
    other->autosave_below(parent());
    other->open_at_start({"example:i-love-cats"});
    other->wait_until_idle();
    other->apply(command::SetCell{{"/q", {}}, 0, 0, 7.5F, 0});
    other->leave_autosaving();
    return other->state().document;
  }

  void start() {
    app.autosave_below(parent());
    app.wait_until_idle();
    show();
  }
};

TEST_F(UnsavedTest, IsOfferedAndRestoredWithItsEdits) {
  const Document edited = edited_by_a_killed_run();
  start();
  ASSERT_TRUE(ui.shows("unsaved"));
  ui.click("unsaved/restore/0");
  show();
  EXPECT_FALSE(ui.shows("unsaved"));
  EXPECT_EQ(state().document.model, edited.model);
  EXPECT_TRUE(has_unsaved_changes(state()));
}

TEST_F(UnsavedTest, IsRestoredByEnter) {
  const Document edited = edited_by_a_killed_run();
  start();
  ui.key("Enter");
  show();
  EXPECT_FALSE(ui.shows("unsaved"));
  EXPECT_EQ(state().document.model, edited.model);
}

TEST_F(UnsavedTest, EnterPressesTheControlWithTheFocus) {
  edited_by_a_killed_run();
  start();
  ui.key("Tab");
  ui.key("Tab");
  ASSERT_EQ(ui.focused(), "unsaved/copy/0");
  ui.key("Enter");
  show();
  EXPECT_TRUE(state().path.empty());
  EXPECT_EQ(open_documents(state()).size(), 1U) << "restored once";
}

TEST_F(UnsavedTest, IsOpenedAsACopy) {
  const Document edited = edited_by_a_killed_run();
  start();
  ui.click("unsaved/copy/0");
  show();
  EXPECT_EQ(state().document.model, edited.model);
  EXPECT_TRUE(state().path.empty());
}

TEST_F(UnsavedTest, StaysWhenItIsLeft) {
  edited_by_a_killed_run();
  start();
  ui.click("unsaved/close");
  show();
  EXPECT_FALSE(ui.shows("unsaved"));
  EXPECT_EQ(state().recovery.found.size(), 1U);
  gui::App next;
  next.autosave_below(parent());
  next.wait_until_idle();
  EXPECT_TRUE(next.state().recovery.is_open);
}

TEST_F(UnsavedTest, AFileThatAnotherWindowHasOpenIsSaid) {
  std::ofstream(path("cats.json")) << R"({"tokens": ["a", "b"]})";
  gui::App other;
  other.autosave_below(parent());
  other.open_at_start({path("cats.json")});
  other.wait_until_idle();
  EXPECT_TRUE(other.state().notices.empty());
  start();
  open(path("cats.json"));
  app.wait_until_idle();
  ASSERT_EQ(state().notices.size(), 1U);
  EXPECT_NE(state().notices.front().text.find("cats.json is open in another window"),
            std::string::npos);
}

TEST_F(UnsavedTest, EscapeLeavesIt) {
  edited_by_a_killed_run();
  start();
  ui.key("Esc");
  show();
  EXPECT_FALSE(ui.shows("unsaved"));
}

TEST_F(UnsavedTest, ThatCannotBeKeptIsSaidWhenThereIsSome) {
  app.autosave_below("/proc/nowhere/unsaved");
  open("example:i-love-cats");
  show();
  EXPECT_TRUE(state().notices.empty());
  app.apply(command::SetCell{{"/q", {}}, 0, 0, 7.5F, 0});
  show();
  ASSERT_EQ(state().notices.size(), 1U);
  EXPECT_NE(state().notices.front().text.find("/proc/nowhere"), std::string::npos);
  show();
  EXPECT_EQ(state().notices.size(), 1U) << "once";
}

TEST_F(UnsavedTest, ThatHasNoFolderIsSaidWhenThereIsSome) {
  app.autosave_below("");
  open("example:i-love-cats");
  show();
  EXPECT_TRUE(state().notices.empty());
  app.apply(command::SetCell{{"/q", {}}, 0, 0, 7.5F, 0});
  show();
  ASSERT_EQ(state().notices.size(), 1U);
  EXPECT_NE(state().notices.front().text.find("HOME"), std::string::npos);
}

TEST_F(UnsavedTest, ShowsWhatTurnsTheDirectionOfText) {
  app.apply(command::UnsavedFound{
      {}, {{UnsavedWork{"/4194305-0", 1, "a\u202egnp.nosj", "/b\u202e"}}, 0}});
  show();
  EXPECT_EQ(ui.value("unsaved/name/0"), "a⟨U+202E⟩gnp.nosj");
}

TEST_F(UnsavedTest, IsKeptWithinASecondOfAnEditAndAFrameIsAskedForIt) {
  start();
  open("example:i-love-cats");
  pass(10.0);
  const auto kept = [this] {
    return std::filesystem::exists(document_file({state().autosave_folder, state().id, "", ""}));
  };
  app.apply(command::SetCell{{"/q", {}}, 0, 0, 1.25F, 0});
  show(1);
  app.wait_until_idle();
  EXPECT_TRUE(kept()) << "at once after a while without edits";
  app.apply(command::SetCell{{"/q", {}}, 0, 0, 2.25F, 0});
  show(1);
  ASSERT_TRUE(timer);
  EXPECT_LE(*timer, 0.5);
  pass(0.6);
  app.wait_until_idle();
  EXPECT_FALSE(needs_autosave(state()));
}

TEST_F(UnsavedTest, IsNotOfferedByARunThatLeftInOrder) {
  {
    gui::App other;
    other.autosave_below(parent());
    other.open_at_start({"example:i-love-cats"});
    other.wait_until_idle();
    other.apply(command::SetCell{{"/q", {}}, 0, 0, 7.5F, 0});
    other.leave_autosaving();
    other.discard_autosave();
  }
  start();
  EXPECT_FALSE(ui.shows("unsaved"));
  EXPECT_TRUE(state().recovery.found.empty());
}

// A logout may send several signals.
TEST(EndRequests, SignalsTogetherAreOneRequest) {
  const pid_t child = ::fork();
  if (child == 0) {
    const gui::EndRequests end([] {});
    ::kill(::getpid(), SIGTERM);
    while (end.signal() == 0) ::usleep(1000);
    ::kill(::getpid(), SIGHUP);
    ::usleep(300'000);  // unsaved work is being written
    ::_exit(end.signal() == SIGTERM ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace attn::test
