// A model's folder in the real window: a sentence is typed, seen, exported, undone, and is there
// again after the program was killed.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "document/load/open.h"
#include "e2e/desktop.h"
#include "session/unsaved_work.h"
#include "support/paths.h"
#include "support/read_png.h"
#include "support/shared_data.h"

namespace attn::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kOwn = "the animal did not cross the street because it was too tired .";
constexpr const char* kTyped = "the dog was tired .";

class ModelInWindow : public Desktop {
 protected:
  void SetUp() override {
    Desktop::SetUp();
    std::filesystem::copy(source_folder() + "/assets/models/pronoun-encoder", model());
  }
  std::string model() const { return file("toy"); }
  Json state(const std::string& name) const { return Json::parse(read_text(file(name))); }
  std::string value(const Json& state, const std::string& widget) const {
    return state.at("widgets").at(widget).at("value").get<std::string>();
  }
  std::string text_in(const std::string& document) const {
    const Result<Reading> reading = open_document(document, {.allows_outside = true});
    EXPECT_TRUE(reading.ok()) << (reading ? "" : describe(reading.error()));
    return reading ? reading->document.source_model->text : "";
  }
  void do_with_mouse_and_keys(const std::vector<std::string>& what) const {
    std::vector<std::string> call = {"xdotool"};
    call.insert(call.end(), what.begin(), what.end());
    EXPECT_EQ(run_process(call, environment()).exit_code, 0);
  }
  bool shows_title(const std::string& title) const {
    ProcessOptions options = environment();
    options.timeout_seconds = 20;
    const std::vector<std::string> search = {"xdotool",       "search", "--sync",
                                             "--onlyvisible", "--name", title};
    return run_process(search, options).exit_code == 0;
  }
  // The work that a window leaves that is killed.
  std::vector<UnsavedWork> left_by(pid_t window) const {
    std::this_thread::sleep_for(std::chrono::seconds(2));
    ::kill(window, SIGKILL);
    EXPECT_EQ(::waitpid(window, nullptr, 0), window);
    return find_unsaved(file("state/attnscope/unsaved"), std::time(nullptr)).work;
  }
  const std::vector<std::string> size_ = {"--width", "1280", "--height", "800", "--scale", "1"};
};

TEST_F(ModelInWindow, ASentenceIsTypedSeenExportedAndUndone) {
  const std::string script =
      "wait\nstate " + file("before.txt") + "\nclick model/text\nkey Ctrl+A\ntype " + kTyped +
      "\nwait\nstate " + file("typed.txt") + "\nkey Enter\nwait\ndocument " +
      file("typed.attn.json") + "\nkey Ctrl+E\nwait\nkey Ctrl+A\ntype " + file("typed.png") +
      "\nkey Enter\nwait\nkey Ctrl+Z\nwait\nstate " + file("undone.txt") + "\nquit\n";
  replay(model(), script, size_);
  EXPECT_EQ(value(state("before.txt"), "model/text"), kOwn);
  EXPECT_EQ(value(state("typed.txt"), "model/tokens"),
            "7 tokens: [CLS] · the · dog · was · tired · . · [SEP]");
  const auto shows = [&](const std::string& when, const std::string& widget) {
    return state(when).at("widgets").dump().find(widget + "\"") != std::string::npos;
  };
  EXPECT_TRUE(shows("typed.txt", "plot/heads/layer/2/head/3"));
  EXPECT_TRUE(shows("typed.txt", "plot/heatmap/cell/6,6"));
  EXPECT_FALSE(shows("typed.txt", "plot/heatmap/cell/7,7"));
  EXPECT_TRUE(shows("before.txt", "plot/heatmap/cell/14,14"));
  EXPECT_EQ(value(state("undone.txt"), "model/text"), kOwn);
  EXPECT_EQ(text_in(file("typed.attn.json")), kTyped);
  EXPECT_LT(std::filesystem::file_size(file("typed.attn.json")), 4096U);
  EXPECT_GT(read_png(read_text(file("typed.png"))).width, 1000U);
}

TEST_F(ModelInWindow, ASentenceIsThereAgainAfterTheProgramWasKilled) {
  if (run_process({"xdotool", "--version"}).exit_code != 0) GTEST_SKIP() << "no xdotool";
  replay(model(), "wait\nstate " + file("state.txt") + "\nquit\n", size_);
  const Json rect = state("state.txt").at("widgets").at("model/text").at("rect");
  const auto middle = [&](std::size_t axis) {
    return std::to_string((rect[axis].get<int>() + rect[axis + 2].get<int>()) / 2);
  };
  std::vector<std::string> call = {program_path(), "view", model()};
  call.insert(call.end(), size_.begin(), size_.end());
  const pid_t window = start_process(call, environment());
  ASSERT_TRUE(shows_title("^toy – AttnScope"));
  do_with_mouse_and_keys({"mousemove", middle(0), middle(1), "click", "1"});
  do_with_mouse_and_keys({"key", "ctrl+a"});
  do_with_mouse_and_keys({"type", "--delay", "30", kTyped});
  EXPECT_TRUE(shows_title(R"(^\* toy – AttnScope)"));
  const std::vector<UnsavedWork> left = left_by(window);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(text_in(document_file(left[0])), kTyped);
  EXPECT_LT(std::filesystem::file_size(document_file(left[0])), 4096U);

  const pid_t again = start_process({program_path(), "view"}, environment());
  ASSERT_TRUE(shows_title("AttnScope"));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  do_with_mouse_and_keys({"key", "Return"});
  EXPECT_TRUE(shows_title(R"(^\* toy – AttnScope)"));
  const std::vector<UnsavedWork> restored = left_by(again);
  ASSERT_EQ(restored.size(), 1U);
  EXPECT_EQ(text_in(document_file(restored[0])), kTyped);
}

}  // namespace
}  // namespace attn::test
