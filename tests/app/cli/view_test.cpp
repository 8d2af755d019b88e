// Subcommand view, without a display.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "cli/cli.h"
#include "support/process.h"

namespace attn {
namespace {

using test::ProcessOptions;
using test::ProcessResult;
using test::run_attnscope;
using test::TemporaryFolder;

// Captured request for the window.
struct Opened {
  int code = -1;
  int windows = 0;
  cli::ViewRequest request;
};

Opened open(const std::vector<std::string>& arguments, int window_code = 0) {
  Opened opened;
  opened.code = cli::run(arguments, [&](const cli::ViewRequest& request) {
    ++opened.windows;
    opened.request = request;
    return window_code;
  });
  return opened;
}

TEST(View, NothingAndBareFilesOpenTheWindow) {
  EXPECT_EQ(open({}).windows, 1);
  EXPECT_TRUE(open({}).request.files.empty());
  const Opened bare = open({"example:i-love-cats"});
  EXPECT_EQ(bare.windows, 1);
  EXPECT_EQ(bare.request.files, std::vector<std::string>{"example:i-love-cats"});
}

TEST(View, FlagsReachTheWindow) {
  const Opened opened = open({"view", "example:i-love-cats", "--width", "800", "--height", "600",
                              "--scale", "1.5", "--theme", "light"});
  EXPECT_EQ(opened.code, 0);
  EXPECT_EQ(opened.request.width, 800);
  EXPECT_EQ(opened.request.height, 600);
  EXPECT_EQ(opened.request.scale, 1.5);
  EXPECT_EQ(opened.request.theme, "light");
  EXPECT_EQ(open({"--theme", "dark", "example:i-love-cats"}).request.theme, "dark");
  EXPECT_FALSE(opened.request.reset_settings);
  EXPECT_TRUE(open({"--reset-settings"}).request.reset_settings);
}

TEST(View, ASizeThatIsAskedForIsToldFromTheUsualOne) {
  const Opened usual = open({"view", "example:i-love-cats"});
  EXPECT_FALSE(usual.request.width);
  EXPECT_FALSE(usual.request.height);
  const Opened same =
      open({"view", "example:i-love-cats", "--width", "1400", "--height", "900", "--scale", "2"});
  EXPECT_EQ(same.request.width, 1400);
  EXPECT_EQ(same.request.height, 900);
}

TEST(View, ImpossibleFlagsOpenNoWindow) {
  for (const std::vector<std::string>& flags : {std::vector<std::string>{"--width", "0"},
                                                {"--width", "1e9"},
                                                {"--scale", "nan"},
                                                {"--theme", "pink"}}) {
    std::vector<std::string> call = {"view", "example:i-love-cats"};
    call.insert(call.end(), flags.begin(), flags.end());
    const Opened opened = open(call);
    EXPECT_EQ(opened.code, 2) << flags.front();
    EXPECT_EQ(opened.windows, 0) << flags.front();
  }
}

TEST(View, AMissingFileIsSaidInTheTerminal) {
  const Opened opened = open({"view", "/nonexistent/cats.json"});
  EXPECT_EQ(opened.code, 3);
  EXPECT_EQ(opened.windows, 0);
}

TEST(View, ABrokenFileIsShownInTheWindowButStopsAScreenshot) {
  const TemporaryFolder folder;
  const std::string path = folder.file("broken.json");
  ASSERT_TRUE(write_file_atomically(path, "{", Overwrite::Refuse).ok());
  EXPECT_EQ(open({path}).windows, 1);
  const Opened shot = open({"view", path, "--screenshot", folder.file("x.png")});
  EXPECT_EQ(shot.code, 3);
  EXPECT_EQ(shot.windows, 0);
}

TEST(View, AnExistingScreenshotNeedsForce) {
  const TemporaryFolder folder;
  const std::string path = folder.file("there.png");
  ASSERT_TRUE(write_file_atomically(path, "precious", Overwrite::Refuse).ok());
  EXPECT_EQ(open({"view", "--screenshot", path}).code, 5);
  EXPECT_EQ(open({"view", "--screenshot", path, "--force"}).windows, 1);
}

// Sets an environment variable during its lifetime.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Setting() { ::unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
};

TEST(View, TheEnvironmentSaysWhatNoFlagDoes) {
  const TemporaryFolder folder;
  const Setting scale("ATTNSCOPE_SCALE", "1.5");
  const Setting theme("ATTNSCOPE_THEME", "light");
  const Setting level("ATTNSCOPE_LOG_LEVEL", "warning");
  const Setting config("ATTNSCOPE_CONFIG_DIR", folder.path());
  const Opened opened = open({});
  EXPECT_EQ(opened.code, 0);
  EXPECT_EQ(opened.request.scale, 1.5);
  EXPECT_EQ(opened.request.theme, "light");
  EXPECT_EQ(opened.request.log_level, LogLevel::Warning);
  EXPECT_EQ(opened.request.config_dir, folder.path());
  const Opened flagged = open({"--scale", "2", "--theme", "dark", "--log-level", "off",
                               "--config-dir", folder.file("other")});
  EXPECT_EQ(flagged.request.scale, 2.0);
  EXPECT_EQ(flagged.request.theme, "dark");
  EXPECT_EQ(flagged.request.log_level, LogLevel::Off);
  EXPECT_EQ(flagged.request.config_dir, folder.file("other"));
}

TEST(View, TheLimitOfMemoryHoldsForTheWindow) {
  EXPECT_EQ(open({"view"}).request.memory_limit_bytes, std::uint64_t{4} << 30U);
  EXPECT_EQ(open({"view", "--memory-limit", "2MiB"}).request.memory_limit_bytes,
            std::uint64_t{2} << 20U);
  const Setting variable("ATTNSCOPE_MEMORY_LIMIT", "1GiB");
  EXPECT_EQ(open({"view"}).request.memory_limit_bytes, std::uint64_t{1} << 30U);
  EXPECT_EQ(open({}).request.memory_limit_bytes, std::uint64_t{1} << 30U);
}

TEST(View, AnEmptyVariableSaysNothing) {
  const Setting scale("ATTNSCOPE_SCALE", "");
  const Setting theme("ATTNSCOPE_THEME", "");
  const Opened opened = open({});
  EXPECT_EQ(opened.code, 0);
  EXPECT_EQ(opened.request.scale, 0.0);
  EXPECT_EQ(opened.request.theme, "");
}

TEST(View, AValueOfAVariableThatMakesNoSenseIsRefusedByTheVariablesName) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.file("file"), "x", Overwrite::Refuse).ok());
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
           {"ATTNSCOPE_SCALE", "99"},
           {"ATTNSCOPE_THEME", "pink"},
           {"ATTNSCOPE_THREADS", "0"},
           {"ATTNSCOPE_MEMORY_LIMIT", "much"},
           {"ATTNSCOPE_LOG_LEVEL", "loud"},
           {"ATTNSCOPE_CONFIG_DIR", folder.file("file")}}) {
    ProcessOptions options;
    options.set[name] = value;
    options.unset = {"DISPLAY", "WAYLAND_DISPLAY"};
    const ProcessResult result = run_attnscope({"view"}, options);
    EXPECT_EQ(result.exit_code, 2) << name << result.err;
    EXPECT_TRUE(result.err.starts_with("attnscope: error: " + name)) << result.err;
  }
}

TEST(View, FlagsOfTheSessionAndTheLogReachTheWindow) {
  const TemporaryFolder folder;
  const Opened usual = open({});
  EXPECT_FALSE(usual.request.no_session);
  EXPECT_FALSE(usual.request.safe_mode);
  EXPECT_EQ(usual.request.config_dir, "");
  EXPECT_EQ(usual.request.log_file, "");
  EXPECT_EQ(usual.request.log_level, LogLevel::Info);
  EXPECT_TRUE(open({"--no-session"}).request.no_session);
  EXPECT_TRUE(open({"--safe-mode"}).request.safe_mode);
  EXPECT_EQ(open({"--log-file", folder.file("log.txt")}).request.log_file, folder.file("log.txt"));
  EXPECT_EQ(open({"--log-level", "loud"}).code, 2);
  EXPECT_EQ(open({"--config-dir", "here"}).request.config_dir,
            (std::filesystem::current_path() / "here").string());
}

TEST(View, AFileThatIsNoLogIsNotTakenForOne) {
  const TemporaryFolder folder;
  const std::string path = folder.file("precious.json");
  ASSERT_TRUE(write_file_atomically(path, "{}", Overwrite::Refuse).ok());
  const Opened opened = open({"--log-file", path});
  EXPECT_EQ(opened.code, 5);
  EXPECT_EQ(opened.windows, 0);
}

TEST(View, TheWindowsExitCodeIsTheProgrammes) { EXPECT_EQ(open({}, 5).code, 5); }

TEST(View, WithoutADisplayAnExportIsSuggested) {
  ProcessOptions options;
  options.unset = {"DISPLAY", "WAYLAND_DISPLAY"};
  const ProcessResult result = run_attnscope({"view", "example:i-love-cats"}, options);
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_NE(result.err.find("attnscope export example:i-love-cats -o picture.png"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(result.out, "");
}

}  // namespace
}  // namespace attn
