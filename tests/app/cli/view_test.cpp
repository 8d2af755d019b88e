// The window's subcommand, as far as it goes without a display.
#include <gtest/gtest.h>

#include "base/files.h"
#include "cli/cli.h"
#include "support/process.h"

namespace attn {
namespace {

using test::ProcessOptions;
using test::ProcessResult;
using test::run_attnscope;
using test::TemporaryFolder;

// What the window would have been asked for.
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
