// What help and README tell people to type does what they say.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "base/files.h"
#include "cli/subcommand.h"
#include "document/open.h"
#include "support/paths.h"
#include "support/process.h"
#include "support/shared_data.h"

namespace attn {
namespace {

using test::ProcessOptions;
using test::ProcessResult;
using test::TemporaryFolder;

bool opens_window(const std::string& call) {
  const std::string rest = call.size() > 10 ? call.substr(10) : "";
  const std::string first = rest.substr(0, rest.find(' '));
  return call.starts_with("attnscope") && (first == "view" || !cli::subcommand_named(first));
}

// As typed into a shell, in a folder with documents of the names that people are told to use. What
// the other end of a pipe does is not ours to test.
ProcessResult typed(std::string call, const TemporaryFolder& folder) {
  for (const Example& example : all_examples()) {
    if (example.name != "four-heads") continue;
    for (const char* name : {"cats.attn.json", "my.attn.json"}) {
      EXPECT_TRUE(write_file_atomically(folder.file(name), example.json, Overwrite::Replace).ok());
    }
  }
  std::string tokens;
  for (int i = 0; i < 500; ++i) tokens += (i == 0 ? "\"t" : ", \"t") + std::to_string(i) + "\"";
  EXPECT_TRUE(write_file_atomically(folder.file("long.attn.json"),
                                    R"({"d_model": 4, "tokens": [)" + tokens + "]}",
                                    Overwrite::Replace)
                  .ok());
  const std::size_t jq = call.find("| jq");
  if (jq != std::string::npos) call = call.substr(0, jq) + "| cat";
  ProcessOptions options;
  options.folder = folder.path();
  options.set["XDG_DATA_HOME"] = folder.path();
  const std::string program_folder = std::filesystem::path(test::program_path()).parent_path();
  options.set["PATH"] = program_folder + ":" + std::getenv("PATH");
  return test::run_process({"/bin/bash", "-c", "set -o pipefail; " + call}, options);
}

TEST(Documented, EveryExampleInHelpWorks) {
  std::size_t tried = 0;
  for (const cli::Subcommand& subcommand : cli::all_subcommands()) {
    for (const cli::HelpExample& example : subcommand.examples) {
      if (opens_window(std::string(example.call))) continue;
      const TemporaryFolder folder;
      const ProcessResult result = typed(std::string(example.call), folder);
      EXPECT_EQ(result.exit_code, 0) << example.call << "\n" << result.err;
      EXPECT_EQ(result.err.find("error"), std::string::npos) << result.err;
      ++tried;
    }
  }
  EXPECT_GT(tried, 10U);
}

TEST(Documented, EveryCallInTheReadmeWorks) {
  std::istringstream readme(test::read_text(test::source_folder() + "/README.md"));
  std::size_t tried = 0;
  for (std::string line; std::getline(readme, line);) {
    const bool is_call = line.starts_with("attnscope ") || line.starts_with("cat my.attn.json | ");
    if (!is_call || opens_window(line)) continue;
    const TemporaryFolder folder;
    const ProcessResult result = typed(line, folder);
    EXPECT_EQ(result.exit_code, 0) << line << "\n" << result.err;
    ++tried;
  }
  EXPECT_GT(tried, 5U);
}

}  // namespace
}  // namespace attn
