// The start of the real window: its folders, its log, and files that scripts may overwrite.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "e2e/desktop.h"
#include "support/paths.h"
#include "support/shared_data.h"

namespace attn::test {
namespace {

namespace fs = std::filesystem;

class Start : public Desktop {
 protected:
  // True if the file has the text within a minute.
  bool comes_to_have(const std::string& path, const std::string& text) const {
    for (int tries = 0; tries < 600; ++tries) {
      if (fs::exists(path) && read_text(path).find(text) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return false;
  }

  // Opens the window, ends it once the log reports that `opened` is open, and returns the log.
  std::string log_of(const std::vector<std::string>& flags, const std::string& log,
                     const std::string& opened = "example:i-love-cats") const {
    std::vector<std::string> arguments{program_path(), "view"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const pid_t window = start_process(arguments, environment());
    EXPECT_TRUE(comes_to_have(log, "Opened " + opened + "\n"));
    ::kill(window, SIGTERM);
    int status = 0;
    EXPECT_EQ(::waitpid(window, &status, 0), window);
    return read_text(log);
  }
};

TEST_F(Start, TheLogIsInTheFolderOfTheState) {
  const std::string log = log_of({}, file("state/attnscope/log.txt"));
  EXPECT_NE(log.find(" started\n"), std::string::npos) << log;
  EXPECT_NE(log.find("Ended by signal 15\n"), std::string::npos) << log;
}

TEST_F(Start, AllThatIsKeptGoesToTheFolderThatIsNamed) {
  log_of({"--config-dir", file("own")}, file("own/log.txt"));
  EXPECT_TRUE(fs::exists(file("own/preferences.json")));
  EXPECT_FALSE(fs::exists(file("state/attnscope")));
  EXPECT_FALSE(fs::exists(file("config/attnscope")));
}

TEST_F(Start, SafeModeNeitherReadsNorWritesSettings) {
  log_of({"--config-dir", file("own"), "--safe-mode"}, file("own/log.txt"));
  EXPECT_FALSE(fs::exists(file("own/preferences.json")));
}

TEST_F(Start, TheLastDocumentIsOpenedAgainUnlessWithoutASession) {
  const std::string document = file("last.attn.json");
  ASSERT_EQ(run_attnscope({"examples", "four-heads", "-o", document}).exit_code, 0);
  log_of({document, "--log-file", file("first")}, file("first"), document);
  log_of({"--log-file", file("second")}, file("second"), document);
  for (const char* flag : {"--no-session", "--safe-mode"}) {
    const std::string log = log_of({flag, "--log-file", file(flag)}, file(flag));
    EXPECT_EQ(log.find(document), std::string::npos) << log;
  }
  log_of({"--log-file", file("last")}, file("last"), document);
}

TEST_F(Start, ScriptsAndScreenshotsHaveALogOnlyWhereOneIsNamed) {
  replay("example:i-love-cats", "wait\n");
  EXPECT_FALSE(fs::exists(file("state/attnscope/log.txt")));
  replay("example:i-love-cats", "wait\n", {"--log-file", file("log.txt")});
  const std::string log = read_text(file("log.txt"));
  EXPECT_NE(log.find("Opened example:i-love-cats\n"), std::string::npos) << log;
  EXPECT_TRUE(log.ends_with(" info: Ended\n")) << log;
}

TEST_F(Start, AScriptReplacesFilesOnlyWithForce) {
  for (const char* step : {"screenshot ", "state ", "document ", "frames "}) {
    const std::string there = file("there");
    std::ofstream(there) << "precious";
    std::ofstream(file("script.txt")) << step << there << "\n";
    const std::vector<std::string> call{"view", "example:i-love-cats", "--replay",
                                        file("script.txt")};
    EXPECT_EQ(run_attnscope(call, environment()).exit_code, 5) << step;
    EXPECT_EQ(read_text(there), "precious") << step;
    replay("example:i-love-cats", step + there + "\n");
    EXPECT_NE(read_text(there), "precious") << step;
  }
}

}  // namespace
}  // namespace attn::test
