// The first minutes of a user with the real window: open, edit, mask, undo, save, export.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "document/load/open.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "e2e/desktop.h"
#include "e2e/drop_source.h"
#include "engine/compute.h"
#include "figure/colormap.h"
#include "plot/kit/plot.h"
#include "session/unsaved_work.h"
#include "support/drawing.h"
#include "support/paths.h"
#include "support/read_png.h"
#include "support/shared_data.h"

namespace attn::test {
namespace {

using Json = nlohmann::json;

Json state_in(const std::string& path) { return Json::parse(read_text(path)); }

std::string value_of(const Json& state, const std::string& widget) {
  return state.at("widgets").at(widget).at("value").get<std::string>();
}

Document document_in(const std::string& path) {
  Result<Reading> report = read_document(read_text(path), path);
  EXPECT_TRUE(report) << (report ? "" : describe(report.error()));
  return report ? report->document : Document{};
}

ResultPtr computed(const Document& document) { return *compute(make_problem(document)); }

// The colour near a corner of a widget's rectangle, away from the number in its middle.
Color color_at(const ReadPng& picture, const Json& state, const std::string& widget) {
  const Json& rect = state.at("widgets").at(widget).at("rect");
  const auto between = [&rect](std::size_t low, std::size_t high) {
    return static_cast<std::size_t>(rect[low].get<double>() * 0.85 +
                                    rect[high].get<double>() * 0.15);
  };
  const std::size_t at = 4 * (between(1, 3) * picture.width + between(0, 2));
  return {picture.rgba.at(at), picture.rgba.at(at + 1), picture.rgba.at(at + 2)};
}

bool is_near(Color a, Color b) {
  const auto close = [](int x, int y) { return std::abs(x - y) <= 3; };
  return close(a.r, b.r) && close(a.g, b.g) && close(a.b, b.b);
}

// Waits until a window's title matches the pattern; a title is what a window manager would show.
bool appears(ProcessOptions options, const std::string& title) {
  options.timeout_seconds = 20;
  return run_process({"xdotool", "search", "--sync", "--onlyvisible", "--name", title}, options)
             .exit_code == 0;
}

// A place where nothing of the heatmap is hovered.
constexpr const char* kAway = "hover section/Inputs\n";

TEST_F(Desktop, AnEditedCellChangesNumbersAndColoursAndUndoBringsThemBack) {
  replay("example:i-love-cats",
         "wait\ndouble-click inputs/grid/cell/0,0\ntype 2\nkey Enter\nwait\n" + std::string(kAway) +
             "wait\ndocument " + file("edited.json") + "\nstate " + file("edited.txt") +
             "\nscreenshot " + file("edited.png") + "\nkey Ctrl+Z\nwait\ndocument " +
             file("undone.json") + "\nkey Ctrl+Y\nwait\ndocument " + file("redone.json") +
             "\nkey Ctrl+Z\nwait\nquit\n");
  const Document original = open_document("example:i-love-cats")->document;
  const Document edited = document_in(file("edited.json"));
  EXPECT_EQ(std::get<GivenQkv>(edited.model).q[0], 2.0F);
  EXPECT_EQ(document_in(file("undone.json")).model, original.model);
  EXPECT_EQ(document_in(file("redone.json")).model, edited.model);

  const ResultPtr result = computed(edited);
  const Json state = state_in(file("edited.txt"));
  const ReadPng picture = read_png(read_text(file("edited.png")));
  const ColorRange range = test::color_range(*result, {});
  const ColorScale scale{colormap_named("viridis"), range.low, range.high};
  for (std::size_t q = 0; q < 3; ++q) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string cell = "plot/heatmap/cell/" + std::to_string(q) + "," + std::to_string(k);
      const float weight = result->value(Stage::Weights, {}, q, k);
      EXPECT_EQ(std::stof(value_of(state, cell)), weight) << cell;
      const Color wanted = scale.map->colors[color_index(scale, weight)];
      EXPECT_TRUE(is_near(color_at(picture, state, cell), wanted)) << cell;
    }
  }
  EXPECT_TRUE(state.at("unsaved").get<bool>());
}

// Draws the texture of every text, which tests of frames without a graphics card skip.
TEST_F(Desktop, EveryMenuOpens) {
  std::string script = "wait\n";
  for (const char* name : {"plot/tab", "plot/options", "inputs/more", "strip/head", "menu/File",
                           "menu/Edit", "menu/View", "menu/Help"}) {
    script += "click " + std::string(name) + "\nwait\nkey Esc\nwait\n";
  }
  replay("example:four-heads", script + "click plot/tab\nwait\nclick plot/tab/Links\nwait\nstate " +
                                   file("state.txt") + "\nquit\n");
  EXPECT_EQ(value_of(state_in(file("state.txt")), "plot/tab"), "Links");
}

TEST_F(Desktop, TheCausalMaskHidesLaterKeysAndSaysSo) {
  replay("example:i-love-cats",
         "wait\nclick masks/causal\nwait\nhover plot/heatmap/cell/0,2\nwait\nstate " +
             file("state.txt") + "\ndocument " + file("causal.json") +
             "\nkey Ctrl+Z\nwait\nquit\n");
  EXPECT_TRUE(document_in(file("causal.json")).mask.causal);
  const Json state = state_in(file("state.txt"));
  EXPECT_EQ(value_of(state, "masks/hidden"), "3 of 9 cells hidden");
  EXPECT_NE(value_of(state, "inspector/sentence").find("hidden by causal mask"), std::string::npos);
  EXPECT_EQ(std::stof(value_of(state, "plot/heatmap/cell/0,0")), 1.0F);
}

TEST_F(Desktop, TheWindowAndTheCommandLineExportTheSameBytes) {
  replay("example:causal-decoder", "wait\nkey Ctrl+E\nwait\nkey Ctrl+A\ntype " +
                                       file("window.png") + "\nkey Enter\nwait\nstate " +
                                       file("state.txt") + "\nquit\n");
  const ProcessResult exported =
      run_attnscope({"export", "example:causal-decoder", "-o", file("line.png")}, environment());
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  EXPECT_EQ(read_text(file("window.png")), read_text(file("line.png")));
}

TEST_F(Desktop, SavingWritesTheEditAndClosingThenNeedsNoQuestion) {
  const std::string path = file("cats.attn.json");
  ASSERT_EQ(run_attnscope({"examples", "i-love-cats", "-o", path}, environment()).exit_code, 0);
  replay(path,
         "wait\nclick inputs/K\nwait\ndouble-click inputs/grid/cell/2,1\ntype -0.25\nkey Enter\n"
         "wait\nkey Ctrl+S\nwait\nstate " +
             file("state.txt") + "\nkey Ctrl+Q\n");
  EXPECT_EQ(std::get<GivenQkv>(document_in(path).model).k[5], -0.25F);
  EXPECT_FALSE(state_in(file("state.txt")).at("unsaved").get<bool>());
}

TEST_F(Desktop, LeavingWithUnsavedEditsAsksAndCancelStays) {
  replay("example:i-love-cats",
         "wait\nclick inputs/more\nwait\nclick inputs/zeros\nwait\nkey Ctrl+Q\nwait\nstate " +
             file("asked.txt") + "\nkey Escape\nwait\nstate " + file("stayed.txt") + "\nquit\n");
  EXPECT_TRUE(state_in(file("asked.txt")).at("question").get<bool>());
  const Json stayed = state_in(file("stayed.txt"));
  EXPECT_FALSE(stayed.at("question").get<bool>());
  EXPECT_TRUE(stayed.at("unsaved").get<bool>());
  EXPECT_EQ(stayed.at("title").get<std::string>().front(), '*');
}

TEST_F(Desktop, ARefusedDocumentLeavesTheOpenOneAndSaysWhy) {
  std::ofstream(file("bad.json")) << R"({"tokens": ["a"], "q": [[1, 2], [3]]})";
  replay("example:four-heads",
         "wait\ndrop " + file("bad.json") + "\nwait\nstate " + file("state.txt") + "\nquit\n");
  const Json state = state_in(file("state.txt"));
  EXPECT_NE(state.at("title").get<std::string>().find("Four heads"), std::string::npos);
  ASSERT_EQ(state.at("notices").size(), 1U);
  EXPECT_NE(state.at("notices").dump().find("/q/1"), std::string::npos);
}

TEST_F(Desktop, DroppedFilesAreOpened) {
  const std::string path = file("dropped 我 cats.attn.json");
  ASSERT_EQ(run_attnscope({"examples", "i-love-cats", "-o", path}, environment()).exit_code, 0);
  const ProcessOptions options = environment();
  const std::string other = file("other.attn.json");
  ASSERT_EQ(run_attnscope({"examples", "four-heads", "-o", other}, options).exit_code, 0);
  const pid_t window = start_process({test::program_path(), "view", other}, options);
  const bool taken = drop_files(options.set.at("DISPLAY"), {path});
  EXPECT_TRUE(taken);
  EXPECT_TRUE(appears(options, "dropped 我 cats.attn.json – AttnScope"));
  stop_process(window);
}

TEST_F(Desktop, RealKeysAndClicksArrive) {
  const ProcessOptions options = environment();
  const std::string path = file("cats.attn.json");
  ASSERT_EQ(run_attnscope({"examples", "i-love-cats", "-o", path}, options).exit_code, 0);
  if (run_process({"xdotool", "--version"}).exit_code != 0) GTEST_SKIP() << "no xdotool";
  const pid_t window = start_process({test::program_path(), "view", path}, options);
  EXPECT_TRUE(appears(options, "^cats.attn.json – AttnScope"));
  run_process({"xdotool", "mousemove", "800", "500"}, options);
  run_process({"xdotool", "key", "c"}, options);
  EXPECT_TRUE(appears(options, R"(^\* cats.attn.json – AttnScope)"));
  run_process({"xdotool", "key", "ctrl+s"}, options);
  EXPECT_TRUE(appears(options, "^cats.attn.json – AttnScope"));
  stop_process(window);
  EXPECT_TRUE(document_in(path).mask.causal);
}

// Ticks of the processor that it has taken, in user and system mode.
long ticks_of(pid_t process) {
  const std::string stat = read_text("/proc/" + std::to_string(process) + "/stat");
  std::istringstream fields(stat.substr(stat.rfind(')') + 1));
  std::vector<std::string> words;
  for (std::string word; fields >> word;) words.push_back(word);
  return std::stol(words.at(11)) + std::stol(words.at(12));
}

// Ticks after messages have gone, which are shown for five seconds: after six without a tick, or
// half a minute.
long settled_ticks_of(pid_t process) {
  long last = -1;
  for (int second = 0, quiet = 0; second < 30 && quiet < 6; ++second) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const long now = ticks_of(process);
    quiet = now == last ? quiet + 1 : 0;
    last = now;
  }
  return last;
}

TEST_F(Desktop, AWindowInWhichNothingHappensTakesNoTime) {
  const ProcessOptions options = environment();
  const std::string path = file("heads.attn.json"), other = file("other.attn.json");
  run_attnscope({"examples", "four-heads", "-o", path, "--force"}, options);
  std::ofstream(other) << R"({"tokens": ["a", "b"], "reference": "heads.attn.json"})";
  for (const std::string& opened : {std::string("example:four-heads"), path, other}) {
    const pid_t window = start_process({test::program_path(), "view", opened}, options);
    EXPECT_TRUE(appears(options, "AttnScope"));
    const long before = settled_ticks_of(window);
    std::this_thread::sleep_for(std::chrono::seconds(5));
    EXPECT_LE(ticks_of(window) - before, sysconf(_SC_CLK_TCK) * 5 / 100)
        << "1 % of a processor: " << opened;
    stop_process(window);
  }
}

// Edits a document in the window, ends that with a signal, and returns what it kept.
class KilledWindow : public Desktop {
 protected:
  std::vector<UnsavedWork> left_after(int signal, int expected_code) {
    const ProcessOptions options = environment();
    const std::string path = file("cats.attn.json");
    EXPECT_EQ(run_attnscope({"examples", "i-love-cats", "-o", path, "--force"}, options).exit_code,
              0);
    const pid_t window = start_process({test::program_path(), "view", path}, options);
    EXPECT_TRUE(appears(options, "^cats.attn.json – AttnScope"));
    run_process({"xdotool", "mousemove", "800", "500"}, options);
    run_process({"xdotool", "key", "c"}, options);
    EXPECT_TRUE(appears(options, R"(^\* cats.attn.json – AttnScope)"));
    if (signal == SIGKILL) std::this_thread::sleep_for(std::chrono::seconds(2));
    ::kill(window, signal);
    int status = 0;
    EXPECT_EQ(::waitpid(window, &status, 0), window);
    EXPECT_EQ(WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status),
              expected_code);
    EXPECT_FALSE(document_in(path).mask.causal) << "its file is as it was";
    return find_unsaved(file("state/attnscope/unsaved"), std::time(nullptr)).work;
  }
  static constexpr int kSignalled = 128;
};

TEST_F(KilledWindow, LeavesItsEditsToTheNextStart) {
  if (run_process({"xdotool", "--version"}).exit_code != 0) GTEST_SKIP() << "no xdotool";
  for (const int signal : {SIGTERM, SIGINT, SIGKILL}) {
    const std::vector<UnsavedWork> left = left_after(signal, kSignalled + signal);
    ASSERT_EQ(left.size(), 1U) << signal;
    EXPECT_EQ(left[0].path, file("cats.attn.json"));
    EXPECT_TRUE(document_in(document_file(left[0])).mask.causal) << signal;
    remove_autosave(left[0].folder, left[0].document);
  }
}

TEST_F(Desktop, AScriptThatNamesNothingOnScreenFails) {
  std::ofstream(file("script.txt")) << "wait\nclick no/such/widget\n";
  const ProcessResult result =
      run_attnscope({"view", "example:i-love-cats", "--replay", file("script.txt")}, environment());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("no/such/widget"), std::string::npos) << result.err;
}

TEST_F(Desktop, WithoutADisplayItSaysSoAndPointsToExport) {
  ProcessOptions options = environment();
  options.set.erase("DISPLAY");
  options.unset.push_back("DISPLAY");
  const ProcessResult result = run_attnscope({"view", "example:i-love-cats"}, options);
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_NE(result.err.find("attnscope export"), std::string::npos) << result.err;
}

TEST_F(Desktop, ASizeThatIsAskedForIsTakenAsItIsAndTheUsualOneGrows) {
  const auto size_of = [this](const std::vector<std::string>& flags) {
    replay("example:i-love-cats", "screenshot " + file("size.png") + "\n", flags);
    const ReadPng picture = read_png(read_text(file("size.png")));
    return std::pair(picture.width, picture.height);
  };
  EXPECT_EQ(size_of({"--width", "1400", "--height", "900", "--scale", "1.1"}),
            (std::pair<std::uint32_t, std::uint32_t>(1400, 900)));
  EXPECT_EQ(size_of({"--scale", "1.1"}), (std::pair<std::uint32_t, std::uint32_t>(1540, 990)));
}

TEST_F(Desktop, ThePlotAloneFillsTheScreenAndTheWindowReturnsAsItWas) {
  const std::string before = file("before.png"), whole = file("whole.png"),
                    after = file("after.png");
  replay("example:i-love-cats",
         "wait\nscreenshot " + before + "\nkey F11\nwait\nwait\nscreenshot " + whole +
             "\nkey F11\nwait\nwait\nscreenshot " + after + "\n",
         {"--width", "800", "--height", "500"});
  const auto width_of = [](const std::string& path) { return read_png(read_text(path)).width; };
  EXPECT_EQ(width_of(before), 800U);
  EXPECT_GT(width_of(whole), 1000U);
  EXPECT_EQ(width_of(after), 800U);
}

// Takes a picture by key, by the entry in a menu and by the name in the palette.
TEST_F(Desktop, APictureOfTheWindowShowsWhatIsOnTheScreen) {
  std::filesystem::create_directories(file("pictures"));
  ::setenv("XDG_PICTURES_DIR", file("pictures").c_str(), 1);
  replay("example:i-love-cats",
         "wait\n" + std::string(kAway) + "wait\nscreenshot " + file("seen.png") +
             "\nkey F12\nwait\nclick menu/File\nwait\nclick menu/File/screenshot\nwait\n"
             "key Ctrl+Shift+P\nwait\ntype picture of the window\nkey Enter\nwait\n",
         {"--width", "1000", "--height", "700"});
  ::unsetenv("XDG_PICTURES_DIR");
  std::vector<std::string> pictures;
  for (const auto& entry : std::filesystem::directory_iterator(file("pictures"))) {
    pictures.push_back(entry.path().string());
  }
  ASSERT_EQ(pictures.size(), 3U);
  for (const std::string& path : pictures) {
    const ReadPng picture = read_png(read_text(path));
    EXPECT_EQ(picture.width, 1000U) << path;
    EXPECT_EQ(picture.height, 700U) << path;
  }
  const auto seen = read_png(read_text(file("seen.png"))).rgba;
  EXPECT_TRUE(std::ranges::any_of(pictures, [&](const std::string& path) {
    return read_png(read_text(path)).rgba == seen;
  })) << "the key's was taken before the message that one was written";
}

TEST_F(Desktop, ResettingStartsWithTheUsualSettings) {
  const auto corner = [this](const std::vector<std::string>& flags) {
    replay("example:i-love-cats", "screenshot " + file("corner.png") + "\n", flags);
    const ReadPng picture = read_png(read_text(file("corner.png")));
    return std::vector<std::uint8_t>(picture.rgba.begin(), picture.rgba.begin() + 4);
  };
  const auto dark = corner({});
  std::filesystem::create_directories(file("config/attnscope"));
  std::ofstream(file("config/attnscope/preferences.json")) << R"({"theme": "light"})";
  const auto light = corner({});
  EXPECT_NE(light, dark);
  EXPECT_EQ(corner({"--reset-settings"}), dark);
  EXPECT_EQ(corner({}), light) << "a script changes no settings";
}

}  // namespace
}  // namespace attn::test
