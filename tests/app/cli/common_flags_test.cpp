// Flags shared by subcommands, and their environment variables.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/flags.h"
#include "support/paths.h"
#include "support/process.h"
#include "support/sanitizers.h"

namespace attn {
namespace {

using ParsedJson = nlohmann::json;
using test::ProcessOptions;
using test::ProcessResult;
using test::run_attnscope;

constexpr const char* kTokensOnly = R"({"tokens": ["I", "love", "cats"]})";
const std::string kCats = "example:i-love-cats";

ProcessResult with_variable(const std::string& name, const std::string& value,
                            const std::vector<std::string>& call, const std::string& input = "") {
  ProcessOptions options;
  options.input = input;
  options.set[name] = value;
  return run_attnscope(call, options);
}

TEST(Threads, ChangeNoByte) {
  const auto computed = [](const std::string& threads) {
    return run_attnscope(
        {"compute", "example:transformer-blocks", "--stages", "--threads", threads});
  };
  const ProcessResult one = computed("1");
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(computed("2").out, one.out);
  EXPECT_EQ(
      with_variable("ATTNSCOPE_THREADS", "3", {"compute", "example:transformer-blocks", "--stages"})
          .out,
      one.out);
}

TEST(Threads, ThereAreNoneOfIsWrongUsage) {
  for (const char* number : {"0", "-1", "257", "1.5", "many"}) {
    for (const char* command : {"compute", "info", "validate"}) {
      const ProcessResult result =
          run_attnscope({command, kCats, std::string("--threads=") + number});
      EXPECT_EQ(result.exit_code, 2) << number;
      EXPECT_NE(result.err.find("expected 1 to 256"), std::string::npos) << result.err;
    }
  }
}

TEST(Variables, AreNamedWhereTheirValueMakesNoSense) {
  const std::pair<const char*, const char*> bad[] = {{"ATTNSCOPE_THREADS", "none"},
                                                     {"ATTNSCOPE_MEMORY_LIMIT", "-3"}};
  for (const auto& [name, value] : bad) {
    const ProcessResult result = with_variable(name, value, {"compute", kCats});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_TRUE(result.err.starts_with(std::string("attnscope: error: ") + name)) << result.err;
    EXPECT_EQ(result.out, "");
  }
}

TEST(Variables, CountLessThanFlags) {
  const std::string name = "ATTNSCOPE_MEMORY_LIMIT";
  EXPECT_EQ(with_variable(name, "10", {"compute", kCats}).exit_code, 4);
  EXPECT_EQ(with_variable(name, "10", {"compute", kCats, "--memory-limit", "1GiB"}).exit_code, 0);
  EXPECT_EQ(with_variable(name, "", {"compute", kCats}).exit_code, 0);
}

TEST(Seed, IsThatOfGeneratedNumbersForOneCall) {
  const auto computed = [](const std::string& document, const std::vector<std::string>& flags) {
    std::vector<std::string> call{"compute", "-"};
    call.insert(call.end(), flags.begin(), flags.end());
    return test::run_attnscope_on(document, call).out;
  };
  const std::string usual = computed(kTokensOnly, {});
  EXPECT_EQ(computed(kTokensOnly, {"--seed", "1"}), usual);
  EXPECT_NE(computed(kTokensOnly, {"--seed", "2"}), usual);
  EXPECT_EQ(computed(kTokensOnly, {"--seed", "7"}),
            computed(R"({"tokens": ["I", "love", "cats"], "seed": 7})", {}));
  EXPECT_EQ(computed(R"({"tokens": ["I", "love", "cats"], "seed": 7})", {"--seed", "1"}), usual);
}

TEST(Seed, LeavesWhatIsGiven) {
  EXPECT_EQ(run_attnscope({"compute", kCats, "--seed", "99"}).out,
            run_attnscope({"compute", kCats}).out);
}

TEST(Seed, HoldsForFiguresAndMeasuresToo) {
  const auto said = [](std::vector<std::string> call, const std::string& seed) {
    call.insert(call.end(), {"--seed", seed});
    const ProcessResult result = test::run_attnscope_on(kTokensOnly, call);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  const std::vector<std::string> figure{"export", "-", "-o", "-", "--format", "svg"};
  EXPECT_NE(said(figure, "1"), said(figure, "2"));
  EXPECT_NE(said(figure, "2").find("seed 2"), std::string::npos);
  const std::vector<std::string> measures{"info", "-", "--measures", "--json"};
  EXPECT_NE(said(measures, "1"), said(measures, "2"));
}

TEST(Seed, ThatNoDocumentCouldHaveIsWrongUsage) {
  for (const char* seed : {"-1", "1.5", "lucky"}) {
    EXPECT_EQ(run_attnscope({"compute", kCats, std::string("--seed=") + seed}).exit_code, 2)
        << seed;
  }
}

TEST(Verbose, TellsOnStandardErrorWhatIsDoneAndWhen) {
  const test::TemporaryFolder folder;
  const std::string out = folder.file("out.json");
  const ProcessResult told = run_attnscope({"compute", kCats, "--verbose", "-o", out});
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_EQ(told.out, "");
  for (const std::string& words :
       {"reading " + kCats, kCats + " was read: ", std::string(" of memory of at most 4.0 GiB"),
        std::string("computed in "), "wrote " + out}) {
    EXPECT_NE(told.err.find(words), std::string::npos) << words << "\n" << told.err;
  }
  std::size_t at = 0;
  while (at < told.err.size()) {
    EXPECT_EQ(told.err.compare(at, 12, "attnscope: ["), 0) << told.err;
    at = told.err.find('\n', at) + 1;
  }
}

TEST(Verbose, ChangesNoDataAndOtherwiseNothingIsTold) {
  const ProcessResult told = run_attnscope({"info", kCats, "--verbose"});
  const ProcessResult plain = run_attnscope({"info", kCats});
  EXPECT_EQ(told.out, plain.out);
  EXPECT_NE(told.err, "");
  EXPECT_EQ(plain.err, "");
}

TEST(Verbose, TogetherWithQuietIsWrongUsage) {
  for (const char* command : {"compute", "info", "validate", "examples", "schema", "view"}) {
    const ProcessResult result = run_attnscope({command, "--quiet", "--verbose", kCats});
    EXPECT_EQ(result.exit_code, 2) << command << result.err;
    EXPECT_EQ(result.out, "") << command;
  }
  const ProcessResult result = run_attnscope({"compute", "--quiet", "--verbose", kCats});
  EXPECT_NE(result.err.find("--quiet and --verbose"), std::string::npos) << result.err;
}

TEST(NoColor, IsAFlagOfEverySubcommand) {
  for (const char* command : {"compute", "info", "validate"}) {
    EXPECT_EQ(run_attnscope({command, kCats, "--no-color"}).exit_code, 0) << command;
  }
  EXPECT_EQ(run_attnscope({"examples", "--no-color"}).exit_code, 0);
  EXPECT_EQ(run_attnscope({"schema", "--no-color"}).exit_code, 0);
}

// A document that takes some seconds in a build of this kind.
constexpr const char* long_document() {
#if defined(ATTNSCOPE_SANITIZED_ALLOCATOR)
  return R"({"tokens": 12288})";
#elif defined(NDEBUG)
  return R"({"tokens": 98304})";
#else
  return R"({"tokens": 16384})";
#endif
}

// `script` provides a terminal.
TEST(Progress, IsDrawnOverOnTerminalsAlone) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("long.json")) << long_document();
  const std::string call = test::program_path() + " export " + folder.file("long.json") +
                           " --force -o " + folder.file("long.png");
  if (test::run_process({"script", "--version"}).exit_code != 0) GTEST_SKIP() << "no script";
  const ProcessResult on_terminal = test::run_process({"script", "-qec", call, "/dev/null"});
  EXPECT_NE(on_terminal.out.find("\r\033[K"), std::string::npos) << on_terminal.out;
  EXPECT_NE(on_terminal.out.find(" %"), std::string::npos) << on_terminal.out;
  const ProcessResult in_file = test::run_process({"/bin/sh", "-c", "exec " + call});
  EXPECT_EQ(in_file.err.find('\033'), std::string::npos) << in_file.err;
  EXPECT_EQ(in_file.err.find('\r'), std::string::npos) << in_file.err;
  const ProcessResult quiet = test::run_process({"script", "-qec", call + " --quiet", "/dev/null"});
  EXPECT_EQ(quiet.out, "");
}

// Half a second passes before anything is reported: fast machines need more pixels.
TEST(Progress, IsOfWritingALargePictureToo) {
  if (test::run_process({"script", "--version"}).exit_code != 0) GTEST_SKIP() << "no script";
  const test::TemporaryFolder folder;
  const std::string call = test::program_path() + " export example:random-batch --force -o " +
                           folder.file("large.png") + " --dpi ";
  bool reported = false;
  for (const char* dpi : {"1400", "1800", "2200"}) {
    const ProcessResult on_terminal =
        test::run_process({"script", "-qec", call + dpi, "/dev/null"});
    EXPECT_EQ(on_terminal.exit_code, 0) << on_terminal.out;
    reported = on_terminal.out.find("\r\033[KWriting ") != std::string::npos;
    if (reported) break;
  }
  EXPECT_TRUE(reported);
}

}  // namespace
}  // namespace attn
