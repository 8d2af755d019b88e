// Invalid input gives one clear sentence and the documented exit code, never a partial file.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/files.h"
#include "base/utf8.h"
#include "engine/kernels/instruction_sets.h"
#include "support/paths.h"
#include "support/process.h"
#include "support/sanitizers.h"
#include "support/shared_data.h"

namespace attn {
namespace {

using test::ProcessOptions;
using test::ProcessResult;
using test::run_attnscope;
using test::run_process;
using test::TemporaryFolder;

void write(const std::string& path, const std::string& text) {
  ASSERT_TRUE(write_file_atomically(path, text, Overwrite::Refuse).ok());
}

const std::vector<std::string> kReaders = {"compute", "info", "validate"};

TEST(Failure, MissingFilesFoldersAndBrokenJsonAreBadInput) {
  const TemporaryFolder folder;
  write(folder.file("broken.json"), "{\"tokens\": [\"a\",\n \"b\"");
  write(folder.file("ragged.json"), R"({"q": [[1, 2], [3]], "k": [[1, 2]], "v": [[1]]})");
  write(folder.file("empty.json"), "");
  for (const std::string& command : kReaders) {
    for (const char* name : {"missing.json", "", "broken.json", "ragged.json", "empty.json"}) {
      const ProcessResult result = run_attnscope({command, folder.file(name)});
      EXPECT_EQ(result.exit_code, 3) << command << " " << name << result.err;
      const std::string& said = command == "validate" ? result.out : result.err;
      EXPECT_NE(said.find(folder.file(name)), std::string::npos) << said;
    }
  }
}

TEST(Failure, OfAModelThatIsNotInstalledSaysWhereItWasLookedFor) {
  const TemporaryFolder folder;
  const std::string program = folder.file("attnscope");
  std::filesystem::copy_file(test::program_path(), program);
  const ProcessResult result = run_process({program, "info", "attnscope:pronoun-encoder"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("/share/attnscope/models"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("install the program"), std::string::npos) << result.err;
  EXPECT_EQ(run_process({program, "examples"}).exit_code, 0);
}

// Characters that control terminals: ESC, BEL, CR, DEL, C1 controls and changes of direction.
constexpr std::string_view kActs =
    "\x1B[31m\a\r\x7F\u0085\u009B\u202A\u202E\u2066\u2069\u200E\u200F\u061C";
constexpr const char* kEscaped =
    R"(\u001b[31m\u0007\r\u007f\u0085\u009b\u202a\u202e\u2066\u2069\u200e\u200f\u061c)";

void expect_nothing_acts(const ProcessResult& result) {
  const std::string said = result.out + result.err;
  EXPECT_FALSE(said.empty());
  for (std::size_t at = 0; at < said.size();) {
    const CodePoint point = code_point_at(said, at);
    EXPECT_TRUE(point.value == '\n' || !acts_on_terminals(point.value)) << said;
    at += point.length;
  }
}

void expect_nothing_acts(const std::string& file, const std::string& text) {
  write(file, text);
  for (const std::string& command : kReaders) {
    expect_nothing_acts(run_attnscope({command, file}));
    if (command != "compute") expect_nothing_acts(run_attnscope({command, "--json", file}));
  }
}

TEST(Failure, NothingThatATextSaysReachesTheTerminalRaw) {
  const TemporaryFolder folder;
  const std::string acts(kActs), escaped(kEscaped);
  int count = 0;
  const auto name = [&] { return folder.file(std::to_string(++count) + acts + ".json"); };
  expect_nothing_acts(name(), R"({"tokens": ["a", "b"], "title": ")" + escaped + R"("})");
  expect_nothing_acts(name(), R"({"tokens": [")" + escaped + R"("], "heads": 99})");
  expect_nothing_acts(name(), R"({")" + escaped + R"(": 1})");
  expect_nothing_acts(name(),
                      R"({"tokens": ["a"], "scoring": {"function": ")" + escaped + R"("}})");
  expect_nothing_acts(name(), R"({"tokens": ["a"], "view": {"plot": ")" + escaped + R"("}})");
  expect_nothing_acts(name(), R"({"tokens": ["a"], "q": {"file": ")" + escaped + R"("}})");
  expect_nothing_acts(name(), "[" + acts);
  expect_nothing_acts(run_attnscope({"info", acts}));
  expect_nothing_acts(run_attnscope({acts}));
  expect_nothing_acts(run_attnscope({"examples", acts}));
  expect_nothing_acts(run_attnscope({"info", "--" + acts, "example:i-love-cats"}));
  const std::vector<std::string> picture{"export", "example:i-love-cats", "-o",
                                         folder.file(acts + ".png")};
  expect_nothing_acts(run_attnscope(picture));
  for (const char* option : {"--stage", "--plot", "--colormap", "--head", "--format"}) {
    std::vector<std::string> arguments = picture;
    arguments.insert(arguments.end(), {option, acts});
    expect_nothing_acts(run_attnscope(arguments));
  }
}

TEST(Failure, TitlesAreVisibleInInfo) {
  const ProcessResult result = test::run_attnscope_on(
      R"({"tokens": ["a"], "title": "A\u001b[31m \u202ered\nline"})", {"info", "-"});
  EXPECT_TRUE(result.out.starts_with("standard input: A␛[31m ⟨U+202E⟩red↵line\n")) << result.out;
}

TEST(Failure, AnInstructionSetThatIsNotThereIsWrongUsage) {
  ProcessOptions options;
  options.set["ATTNSCOPE_INSTRUCTIONS"] = "abacus";
  const ProcessResult result =
      run_process({test::program_path(), "compute", "example:i-love-cats"}, options);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("abacus"), std::string::npos) << result.err;
  for (const std::string& set : instruction_sets()) {
    EXPECT_NE(result.err.find(set), std::string::npos) << result.err;
    options.set["ATTNSCOPE_INSTRUCTIONS"] = set;
    EXPECT_EQ(
        run_process({test::program_path(), "compute", "example:i-love-cats"}, options).exit_code,
        0);
  }
}

TEST(Failure, TheExampleThatWasMeantIsNamed) {
  for (const std::string& command : kReaders) {
    const ProcessResult result = run_attnscope({command, "example:i-love-cat"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_NE((result.out + result.err).find("i-love-cats"), std::string::npos) << command;
  }
  const ProcessResult listed = run_attnscope({"examples", "i-love-cat"});
  EXPECT_EQ(listed.exit_code, 3);
  EXPECT_NE(listed.err.find("did you mean i-love-cats?"), std::string::npos);
}

TEST(Failure, AFolderThatIsNotThereCannotBeWritten) {
  const ProcessResult result =
      run_attnscope({"compute", "example:i-love-cats", "-o", "/nonexistent/folder/out.json"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_NE(result.err.find("/nonexistent/folder/out.json"), std::string::npos);
}

TEST(Failure, NoFileOfAModelIsReplacedByOutputOfIt) {
  const TemporaryFolder folder;
  const std::string model = folder.file("model");
  std::filesystem::copy(test::source_folder() + "/assets/models/pronoun-encoder", model);
  for (const auto& entry : std::filesystem::directory_iterator(model)) {
    const std::string file = entry.path().string(), before = test::read_text(file);
    const bool is_text = file.ends_with(".txt");
    std::vector<std::string> call{is_text ? "export" : "compute", model, "-o", file, "--force"};
    if (is_text) call.insert(call.end(), {"--plot", "why", "--pin", "1,2"});
    const ProcessResult result = run_attnscope(call);
    EXPECT_EQ(result.exit_code, 2) << file << result.err;
    EXPECT_NE(result.err.find("is a file of the model"), std::string::npos) << result.err;
    EXPECT_EQ(test::read_text(file), before) << file;
  }
  const std::string own = model + "/weights.json";  // a file of the user's
  EXPECT_EQ(run_attnscope({"compute", model, "-o", own}).exit_code, 0);
  EXPECT_EQ(run_attnscope({"compute", model, "-o", own, "--force"}).exit_code, 0);
  const std::string config = model + "/config.json", before = test::read_text(config);
  const ProcessResult reference =
      run_attnscope({"compute", "attnscope:pronoun-encoder", "--reference", model, "--stage",
                     "weights", "-o", config, "--force"});
  EXPECT_EQ(reference.exit_code, 2) << reference.err;
  EXPECT_EQ(test::read_text(config), before);
}

TEST(Failure, NoOtherTextIsReadInPlaceOfAnEmptyOne) {
  const std::string model = "attnscope:stories-decoder";
  const ProcessResult start = run_attnscope({"info", model, "--text", "", "--json"});
  EXPECT_NE(start.out.find("\"n_q\": 1,"), std::string::npos) << "<s> alone: " << start.out;
  const ProcessResult none = run_attnscope({"info", model, "--ids", ","});
  EXPECT_NE(none.err.find("--ids has no number"), std::string::npos) << none.err;
}

TEST(Failure, TheFileOfATextIsNotReplacedByOutputOfIt) {
  const TemporaryFolder folder;
  const std::string file = folder.file("text.json");
  EXPECT_TRUE(write_file_atomically(file, "tom was hungry", Overwrite::Replace).ok());
  const ProcessResult result = run_attnscope(
      {"compute", "attnscope:stories-decoder", "--text-file", file, "-o", file, "--force"});
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(test::read_text(file), "tom was hungry");
}

TEST(Failure, LogitsThatAreNotThereHaveAReason) {
  const ProcessResult result =
      run_attnscope({"compute", "example:i-love-cats", "--stage", "logits"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("Only models from a folder"), std::string::npos) << result.err;
}

TEST(Failure, NumbersOfTheNextTokenTakeNoReference) {
  const std::string model = "attnscope:pronoun-encoder";
  const TemporaryFolder folder;
  const ProcessResult result = run_attnscope(
      {"export", model, "--plot", "next", "--reference", model, "-o", folder.file("n.csv")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("--reference changes a picture"), std::string::npos) << result.err;
  EXPECT_EQ(run_attnscope({"export", model, "--plot", "next", "--reference", model, "-o",
                           folder.file("n.svg")})
                .exit_code,
            0);
}

TEST(Failure, AFolderCannotBeTheOutput) {
  const TemporaryFolder folder;
  const ProcessResult result =
      run_attnscope({"compute", "example:i-love-cats", "-o", folder.path(), "--force"});
  EXPECT_EQ(result.exit_code, 5) << result.err;
}

TEST(Failure, AFullDiskIsReported) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  for (const char* arguments :
       {"compute example:i-love-cats", "info example:i-love-cats", "validate example:i-love-cats",
        "examples", "schema", "--help", "--version", "compute --help"}) {
    const ProcessResult result =
        run_process({"/bin/sh", "-c", test::program_path() + " " + arguments + " > /dev/full"});
    EXPECT_EQ(result.exit_code, 5) << arguments;
    EXPECT_NE(result.err.find("No space left"), std::string::npos) << result.err;
  }
}

TEST(Failure, AClosedStandardOutputIsReported) {
  ProcessOptions options;
  options.close_output = true;
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"compute", "example:i-love-cats"},
        std::vector<std::string>{"schema"}, std::vector<std::string>{"--version"}}) {
    const ProcessResult result = run_attnscope(call, options);
    EXPECT_EQ(result.exit_code, 5) << call.front();
    EXPECT_NE(result.err.find("standard output"), std::string::npos) << result.err;
  }
}

TEST(Failure, AClosedStandardOutputDoesNotReachTheFileThatIsWritten) {
  const TemporaryFolder folder;
  ProcessOptions options;
  options.close_output = true;
  const ProcessResult result =
      run_attnscope({"compute", "example:i-love-cats", "-o", folder.file("out.json")}, options);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::file_size(folder.file("out.json")) > 100);
}

TEST(Failure, AReaderThatLeavesIsNoError) {
  const TemporaryFolder folder;
  std::string tokens = "[\"t\"";
  for (int i = 1; i < 300; ++i) tokens += ", \"t" + std::to_string(i) + "\"";
  write(folder.file("long.json"), "{\"tokens\": " + tokens + "]}");
  const ProcessResult result =
      run_process({"/bin/bash", "-c",
                   "set -o pipefail; " + test::program_path() + " compute --stages " +
                       folder.file("long.json") + " | head -c 10"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err.find("error"), std::string::npos) << result.err;
}

// True once the process is the program: before exec, a fork has the handlers of this process.
bool catches_interrupts(pid_t process) {
  std::error_code failure;
  const auto running =
      std::filesystem::read_symlink("/proc/" + std::to_string(process) + "/exe", failure);
  if (failure || running != std::filesystem::canonical(test::program_path())) return false;
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("SigCgt:")) {
      return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1U) != 0;
    }
  }
  return false;
}

// Starts the program, interrupts it while it waits for input, and returns its exit code.
int exit_code_when_interrupted(const std::vector<std::string>& arguments, int& input) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[0], STDIN_FILENO);
    ::close(ends[1]);
    const int null = ::open("/dev/null", O_WRONLY);
    ::dup2(null, STDOUT_FILENO);
    ::dup2(null, STDERR_FILENO);
    const std::string program = test::program_path();
    std::vector<char*> call = {const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments)
      call.push_back(const_cast<char*>(argument.c_str()));
    call.push_back(nullptr);
    ::execv(program.c_str(), call.data());
    ::_exit(99);
  }
  ::close(ends[0]);
  input = ends[1];
  for (int i = 0; i < 3000 && !catches_interrupts(child); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::kill(child, SIGINT);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Limits the address space by `ulimit -v`, in KiB.
[[maybe_unused]] ProcessResult run_within(int mebibytes, const std::string& arguments) {
  return run_process({"/bin/sh", "-c",
                      "ulimit -v " + std::to_string(mebibytes * 1024) + "; exec " +
                          test::program_path() + " " + arguments});
}

#ifndef ATTNSCOPE_SANITIZED_ALLOCATOR
TEST(Failure, TooLittleMemoryForThreadsIsSaid) {
  for (const int mebibytes : {27, 29, 32, 40, 60}) {
    const ProcessResult result = run_within(mebibytes, "compute example:i-love-cats");
    const bool begins = result.err.find("shared libraries") == std::string::npos;
    if (begins && result.exit_code != 0) {
      EXPECT_EQ(result.exit_code, 4) << result.err;
    }
    EXPECT_EQ(result.err.find("internal error"), std::string::npos) << result.err;
  }
}

TEST(Failure, TooLittleMemoryIsSaidWithTheFile) {
  const TemporaryFolder folder;
  const std::string file = folder.file("big.json");
  write(file, "[\"" + std::string(std::size_t{96} << 20U, 'x') + "\"]");
  for (const std::string& command : kReaders) {
    const ProcessResult result = run_within(200, command + " " + file);
    EXPECT_EQ(result.exit_code, 4) << command << result.err;
    const std::string said = result.out + result.err;
    EXPECT_NE(said.find("not enough memory"), std::string::npos) << said;
    EXPECT_NE(said.find(file), std::string::npos) << said;
  }
}
#endif

TEST(Failure, ADeviceWithoutEndIsTooLarge) {
  if (!std::filesystem::exists("/dev/zero")) GTEST_SKIP() << "this system has no /dev/zero";
  const ProcessResult result = run_attnscope({"validate", "--memory-limit", "100MB", "/dev/zero"});
  EXPECT_EQ(result.exit_code, 4) << result.err;
  EXPECT_NE(result.out.find("/dev/zero"), std::string::npos) << result.out;
}

// The size limit is reached in the middle of the file.
TEST(Failure, AFileThatCannotBeWrittenToItsEndIsKeptAsItWas) {
  const TemporaryFolder folder;
  const std::string out = folder.file("out.json");
  write(out, "precious");
  const ProcessResult result = run_process({"/bin/sh", "-c",
                                            "ulimit -f 1; exec " + test::program_path() +
                                                " compute --force example:four-heads -o " + out});
  EXPECT_EQ(result.exit_code, 5) << result.err;
  EXPECT_NE(result.err.find(out), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("too large"), std::string::npos) << result.err;
  EXPECT_EQ(test::read_text(out), "precious");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()),
                          std::filesystem::directory_iterator()),
            1);
}

TEST(Failure, NoPartOfAFileIsLeftByACallThatIsEnded) {
  for (const std::string signal : {"TERM", "HUP", "INT"}) {
    const TemporaryFolder folder;
    const std::string call =
        test::program_path() + " compute - --stage weights -o " + folder.file("big.npy");
    // A shell's children in the background ignore SIGINT unless it controls jobs.
    const ProcessResult result =
        run_process({"/bin/bash", "-c",
                     R"(set -m; echo '{"tokens": 40000, "heads": 1, "d_model": 2, "seed": 1}' | )" +
                         call + " & for i in $(seq 3000); do [ -n \"$(ls -A " + folder.path() +
                         ")\" ] && break; sleep 0.01; done; kill -" + signal + " %1; wait %1"});
    EXPECT_EQ(result.exit_code, 130) << signal << result.err;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << signal;
  }
}

TEST(Failure, OtherNamesOfAnOutputKeepWhatItHeldWhichIsSaid) {
  const TemporaryFolder folder;
  write(folder.file("out.json"), "old");
  std::filesystem::create_hard_link(folder.file("out.json"), folder.file("other.json"));
  const ProcessResult result =
      run_attnscope({"compute", "--force", "example:i-love-cats", "-o", folder.file("out.json")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("hard link"), std::string::npos) << result.err;
  EXPECT_EQ(test::read_text(folder.file("other.json")), "old");
}

TEST(Failure, AnInterruptionEndsWith130AndLeavesNoFile) {
  const TemporaryFolder folder;
  int input = -1;
  EXPECT_EQ(exit_code_when_interrupted({"compute", "-", "-o", folder.file("out.json")}, input),
            130);
  ::close(input);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Endings, ThatPromiseAnotherFormatAreRefusedBeforeAnythingIsDone) {
  const TemporaryFolder folder;
  for (const char* ending : {"npy", "npz", "csv", "tsv", "png", "svg", "pdf", "NPY", "txt"}) {
    const std::string out = folder.file(std::string("w.") + ending);
    for (const std::vector<std::string>& call :
         {std::vector<std::string>{"compute", "/nonexistent.json"},
          {"examples", "i-love-cats"},
          {"schema"}}) {
      const bool writes_numbers =
          std::string_view("npy npz csv tsv NPY").find(ending) != std::string_view::npos;
      if (call.front() == "compute" && writes_numbers) continue;
      std::vector<std::string> arguments = call;
      arguments.insert(arguments.end(), {"-o", out});
      const ProcessResult result = run_attnscope(arguments);
      EXPECT_EQ(result.exit_code, 2) << out << result.err;
      EXPECT_NE(result.err.find("this writes JSON"), std::string::npos) << result.err;
      EXPECT_NE(result.err.find("name it " + folder.file("w.json")), std::string::npos)
          << result.err;
      EXPECT_FALSE(std::filesystem::exists(out));
    }
  }
}

TEST(Endings, OfTheFormatOrNoneAtAllAreFine) {
  const TemporaryFolder folder;
  for (const char* name : {"w.json", "w.JSON", "w", "run-0.95", ".hidden", "w."}) {
    const ProcessResult result =
        run_attnscope({"compute", "example:i-love-cats", "-o", folder.file(name)});
    EXPECT_EQ(result.exit_code, 0) << name << result.err;
    EXPECT_TRUE(std::filesystem::exists(folder.file(name))) << name;
  }
  EXPECT_EQ(run_attnscope({"examples", "-o", folder.file("list.txt")}).exit_code, 0);
  EXPECT_EQ(run_attnscope({"examples", "-o", folder.file("list.json")}).exit_code, 2);
  EXPECT_EQ(run_attnscope({"examples", "--json", "-o", folder.file("list.json")}).exit_code, 0);
}

}  // namespace
}  // namespace attn
