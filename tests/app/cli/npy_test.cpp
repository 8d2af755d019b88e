// NumPy arrays in place of documents on the command line.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/files.h"
#include "support/paths.h"
#include "support/process.h"
#include "tests/core/document/arrays/array_bytes.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using ParsedJson = nlohmann::json;
using test::float_npy;
using test::ProcessResult;
using test::run_attnscope;
using test::run_attnscope_on;
using test::TemporaryFolder;

class NpyFiles : public testing::Test {
 protected:
  void SetUp() override { write("cats.npy", kRows); }
  void write(const std::string& name, const std::string& bytes) {
    ASSERT_TRUE(write_file_atomically(folder.file(name), bytes, Overwrite::Replace).ok());
  }

  const std::string kRows = float_npy("(2, 2)", {1, 0, 0.25, 0.75});
  TemporaryFolder folder;
};

TEST_F(NpyFiles, EverySubcommandTakesThem) {
  const ProcessResult validate = run_attnscope({"validate", folder.file("cats.npy")});
  EXPECT_EQ(validate.exit_code, 0) << validate.err;
  EXPECT_NE(validate.out.find("every row sums to 1"), std::string::npos) << validate.out;
  const ProcessResult info = run_attnscope({"info", "--json", folder.file("cats.npy")});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_EQ(ParsedJson::parse(info.out)["inputs"]["attention"], ParsedJson({1, 1, 1, 2, 2}));
  const ProcessResult compute = run_attnscope({"compute", folder.file("cats.npy")});
  EXPECT_EQ(compute.exit_code, 0) << compute.err;
  EXPECT_EQ(ParsedJson::parse(compute.out)["weights"][0][0][0][1], ParsedJson({0.25, 0.75}));
  const ProcessResult drawn =
      run_attnscope({"export", folder.file("cats.npy"), "-o", folder.file("cats.svg")});
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_TRUE(std::filesystem::exists(folder.file("cats.svg")));
}

// Rows and columns of three flags each, in no pattern.
TEST_F(NpyFiles, AMaskThatNothingDecidesIsWarnedOf) {
  const std::string rows = float_npy("(6, 2)", {1, 0, 0, 1, 1, 1, 0, 0, 2, 1, 1, 3});
  const std::vector<std::uint8_t> flags{1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0,
                                        0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
  write("open.npz", test::zip_of({{"q.npy", rows},
                                  {"k.npy", rows},
                                  {"m.npy", test::npy("|b1", "(6, 6)", test::bytes_of(flags))}}));
  const std::string file = folder.file("open.npz");
  const auto words = {"`--arrays mask=m`", "`--arrays hidden=m`"};
  const ProcessResult compute = run_attnscope({"compute", file});
  const ProcessResult info = run_attnscope({"info", file});
  const std::size_t warned = compute.err.find("warning: ");
  const std::size_t row = info.out.find("\n  warning");
  ASSERT_NE(warned, std::string::npos) << compute.err;
  ASSERT_NE(row, std::string::npos) << info.out;
  for (const char* each : words) {
    EXPECT_NE(compute.err.find(each, warned), std::string::npos) << compute.err;
    EXPECT_NE(info.out.find(each, row), std::string::npos) << info.out;
  }
  const ProcessResult chosen = run_attnscope({"info", "--json", "--arrays", "hidden=m", file});
  const ParsedJson arrays = ParsedJson::parse(chosen.out)["arrays"];
  ASSERT_EQ(arrays.size(), 3U) << chosen.out;
  EXPECT_EQ(arrays[2]["array"], "m");
  EXPECT_EQ(arrays[2]["role"], "true hides");
  EXPECT_EQ(run_attnscope({"compute", "--arrays", "hidden=m", file}).err.find("warning"),
            std::string::npos);
}

TEST_F(NpyFiles, InfoSaysWhatIsMappedFromTheFile) {
  write("qk.json", R"({"q": {"file": "cats.npy"}, "k": [[1, 0], [0, 1]]})");
  write("own.json", R"({"attention": [[1, 0], [0.5, 0.5]]})");
  const auto memory_in = [&](const std::string& name) {
    const std::string text = run_attnscope({"info", folder.file(name)}).out;
    const std::size_t row = text.find("\n  memory");
    return row == text.npos ? text : text.substr(row + 1, text.find('\n', row + 1) - row - 1);
  };
  EXPECT_TRUE(memory_in("cats.npy").ends_with(" 16 bytes of numbers that are mapped from the file"))
      << memory_in("cats.npy");
  EXPECT_NE(
      memory_in("qk.json").find(" for its other numbers and every stage, beside 16 bytes of "),
      std::string::npos)
      << memory_in("qk.json");
  EXPECT_TRUE(memory_in("own.json").ends_with(" 16 bytes for its numbers and every stage"))
      << memory_in("own.json");
}

TEST_F(NpyFiles, StandardInputAndPipesAreReadOnce) {
  for (const char* subcommand : {"compute", "validate", "info"}) {
    EXPECT_EQ(run_attnscope_on(kRows, {subcommand, "-"}).exit_code, 0) << subcommand;
  }
  const std::string program = test::program_path();
  for (const char* file : {"cats.npy", "cats.json"}) {
    write("cats.json", R"({"tokens": ["a"]})");
    const ProcessResult piped = test::run_process(
        {"/bin/bash", "-c", program + " validate <(cat " + folder.file(file) + ")"});
    EXPECT_EQ(piped.exit_code, 0) << piped.out << piped.err;
  }
}

TEST_F(NpyFiles, ReferencesStartInTheFolderOfTheDocumentOrHereForStandardInput) {
  std::filesystem::create_directory(folder.file("deep"));
  const std::string text = R"({"attention": {"file": "cats.npy"}})";
  write("cats.json", text);
  write("deep/cats.json", text);
  EXPECT_EQ(run_attnscope({"validate", folder.file("cats.json")}).exit_code, 0);
  const ProcessResult missing = run_attnscope({"validate", folder.file("deep/cats.json")});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_NE(missing.out.find("cats.npy: the file does not exist"), std::string::npos)
      << missing.out;
  test::ProcessOptions here;
  here.folder = folder.path();
  here.input = text;
  EXPECT_EQ(test::run_attnscope({"validate", "-"}, here).exit_code, 0);
}

TEST_F(NpyFiles, ABrokenOneIsRefusedByAllInOneVoice) {
  write("cut.npy", kRows.substr(0, kRows.size() - 1));
  for (const std::string subcommand : {"validate", "info", "compute"}) {
    const ProcessResult result = run_attnscope({subcommand, folder.file("cut.npy")});
    EXPECT_EQ(result.exit_code, 3) << subcommand;
    EXPECT_NE((result.out + result.err).find("not as long as its header says"), std::string::npos)
        << subcommand;
  }
}

// Computing takes longer than changing the file.
TEST_F(NpyFiles, OneThatChangesMeanwhileEndsTheCallWithoutAFile) {
  const std::string q =
      float_npy("(32, 512, 512)", std::vector<float>(32 * 512 * 512, 1.0F / 512.0F));
  write("long.json", R"({"attention": {"file": "q.npy"}})");
  const std::string out = folder.file("out.svg"), document = folder.file("long.json");
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"compute", document, "--force", "-o", folder.file("out.json")},
        {"export", document, "-o", out},
        {"info", "--numbers", document},
        {"validate", "--numbers", document}}) {
    write("q.npy", q);
    std::atomic<bool> ended{false};
    std::thread changes([&] {
      for (int times = 1; !ended; ++times) {
        fs::last_write_time(folder.file("q.npy"),
                            fs::file_time_type::clock::now() + std::chrono::seconds(times));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    const ProcessResult result = run_attnscope(call);
    ended = true;
    changes.join();
    EXPECT_EQ(result.exit_code, 3) << call[0] << result.out << result.err;
    EXPECT_NE((result.out + result.err).find("changed by another program"), std::string::npos)
        << call[0];
    EXPECT_FALSE(fs::exists(out) || fs::exists(folder.file("out.json"))) << call[0];
  }
}

TEST_F(NpyFiles, OutsideOfTheDocumentsFolderNeedAFlag) {
  write("q.npy", kRows);
  fs::create_directory(folder.file("deep"));
  write("deep/cats.json", R"({"attention": {"file": "../q.npy"}})");
  const std::string document = folder.file("deep/cats.json");
  for (const std::string command : {"validate", "info", "compute"}) {
    const ProcessResult refused = run_attnscope({command, document});
    EXPECT_EQ(refused.exit_code, 2) << command;
    EXPECT_NE((refused.out + refused.err).find("--allow-outside"), std::string::npos);
    EXPECT_EQ(run_attnscope({command, "--allow-outside", document}).exit_code, 0);
    test::ProcessOptions options;
    options.set = {{"ATTNSCOPE_ALLOW_OUTSIDE", "1"}};
    EXPECT_EQ(test::run_attnscope({command, document}, options).exit_code, 0);
  }
}

TEST_F(NpyFiles, PythonsNanNeedsAFlag) {
  const std::string document = folder.file("nan.json");
  write("nan.json", R"({"attention": [[NaN, 1], [Infinity, -Infinity]]})");
  for (const std::string command : {"validate", "info", "compute"}) {
    const ProcessResult refused = run_attnscope({command, document});
    EXPECT_EQ(refused.exit_code, 3) << command;
    EXPECT_NE((refused.out + refused.err).find("--allow-nan"), std::string::npos) << refused.out;
    const ProcessResult read = run_attnscope({command, "--allow-nan", document});
    EXPECT_EQ(read.exit_code, 0) << read.err;
    EXPECT_NE((read.out + read.err).find("3 numbers are written NaN"), std::string::npos)
        << read.out << read.err;
    test::ProcessOptions options;
    options.set = {{"ATTNSCOPE_ALLOW_NAN", "1"}};
    EXPECT_EQ(test::run_attnscope({command, document}, options).exit_code, 0);
  }
}

}  // namespace
}  // namespace attn
