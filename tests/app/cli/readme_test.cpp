// Commands of the README work in order, and its claims match measurements and tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <regex>
#include <sstream>

#include "cli/cli.h"
#include "support/paths.h"
#include "support/process.h"
#include "support/shared_data.h"

namespace attn {
namespace {

using test::ProcessOptions;
using test::ProcessResult;
using test::TemporaryFolder;

// Replaces PyTorch and a model with three layers of two heads, for four tokens.
constexpr const char* kModel = R"(
import attnscope
import numpy as np

class Inputs(dict):
    def tokens(self): return ["token 1", "token 2", "token 3", "token 4"]

def tokenizer(text, return_tensors): return Inputs(input_ids=np.arange(4)[None])

class Outputs(dict):
    def __init__(self): super().__init__(attentions=(np.full((1, 2, 4, 4), 0.25, np.float32),) * 3)

def model(input_ids, output_attentions):
    assert output_attentions
    return Outputs()

)";

std::string readme() { return test::read_text(test::source_folder() + "/README.md"); }

enum class Language { Shell, Python };

struct Typed {
  Language language = Language::Shell;
  std::string text;
};

// Calls of the program between backticks in a line, and commands that make files for them.
void add_inline(std::vector<Typed>& typed, const std::string& line) {
  static const std::regex kCall("`((?:attnscope|echo|python3) [^`]+)`");
  for (std::sregex_iterator at(line.begin(), line.end(), kCall), end; at != end; ++at) {
    typed.push_back({Language::Shell, (*at)[1]});
  }
}

// Lines of shell blocks, whole Python blocks, and text between backticks, in order. Skips `git
// clone`, `./dev` and `sudo`, which fetch, build and install.
std::vector<Typed> typed_in(const std::string& page) {
  std::vector<Typed> typed;
  std::string block;  // language of the block
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      block = line.substr(3);
      if (block == "python") typed.push_back({Language::Python, ""});
    } else if (block == "python") {
      typed.back().text += line + "\n";
    } else if (block.empty()) {
      add_inline(typed, line);
    } else if (!line.starts_with("git clone ") && !line.starts_with("./dev ") &&
               !line.starts_with("sudo ")) {
      typed.push_back({Language::Shell, line.substr(0, line.find(" #"))});
    }
  }
  return typed;
}

// Calls that open a window check their files instead, so that no display is needed.
std::string without_window(const std::string& call) {
  static const std::string kProgram = "attnscope ";
  if (!call.starts_with(kProgram)) return call;
  const std::string rest = call.substr(kProgram.size());
  const bool is_command = cli::subcommand_named(rest.substr(0, rest.find(' '))) != nullptr;
  return is_command ? call : "attnscope validate " + rest;
}

ProcessOptions in_folder(const TemporaryFolder& folder) {
  ProcessOptions options;
  options.folder = folder.path();
  const std::string program = test::program_path();
  // Uses the system's NumPy, whatever other Pythons are installed.
  options.set["PATH"] =
      program.substr(0, program.rfind('/')) + ":/usr/bin:/bin:" + std::getenv("PATH");
  options.set["PYTHONPATH"] = test::source_folder() + "/app/python";
  return options;
}

ProcessResult run_typed(const Typed& typed, const TemporaryFolder& folder) {
  ProcessOptions options = in_folder(folder);
  if (typed.language == Language::Python) {
    options.input = kModel + typed.text;
    return test::run_process({"python3", "-"}, options);
  }
  return test::run_process({"/bin/bash", "-c", without_window(typed.text)}, options);
}

bool has_numpy(const TemporaryFolder& folder) {
  return test::run_process({"python3", "-c", "import numpy"}, in_folder(folder)).exit_code == 0;
}

TEST(Readme, EverythingToTypeWorksInTheOrderInWhichItStands) {
  const TemporaryFolder folder;
  if (!has_numpy(folder)) GTEST_SKIP() << "NumPy is not installed (python3-numpy)";
  std::size_t shell = 0, python = 0;
  // A small model stands for one that readers have.
  std::filesystem::create_directory_symlink(
      test::source_folder() + "/assets/models/pronoun-encoder", folder.file("gpt2"));
  for (const Typed& typed : typed_in(readme())) {
    const ProcessResult result = run_typed(typed, folder);
    EXPECT_EQ(result.exit_code, 0) << typed.text << "\n" << result.err;
    ++(typed.language == Language::Shell ? shell : python);
  }
  EXPECT_GT(shell, 20U);
  EXPECT_EQ(python, 1U);
}

TEST(Readme, WhatIsTypedIsFoundInBlocksAndBetweenBackticks) {
  const auto typed = typed_in(
      "| a | `echo 1 > a` | `attnscope a` |\n```sh\ngit clone a && cd a\n./dev run # builds\n"
      "sudo apt install ./a.deb\nattnscope b.json   # opens\n```\n```python\nx = 1\ny = "
      "2\n```\n`no call`\n");
  std::vector<std::string> texts;
  for (const Typed& one : typed) texts.push_back(without_window(one.text));
  EXPECT_EQ(texts, (std::vector<std::string>{"echo 1 > a", "attnscope validate a",
                                             "attnscope validate b.json  ", "x = 1\ny = 2\n"}));
}

TEST(Readme, ACallThatFailsIsNoticed) {
  const TemporaryFolder folder;
  EXPECT_NE(run_typed({Language::Shell, "attnscope missing.json"}, folder).exit_code, 0);
  EXPECT_NE(run_typed({Language::Shell, "attnscope info missing.json"}, folder).exit_code, 0);
}

TEST(Readme, IsShort) {
  const std::string text = readme();
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 120);
}

TEST(Readme, ShowsThePictureOfEveryCallBesideIt) {
  const std::string text = readme();
  static const std::regex kPicture(
      R"(\(docs/pictures/(\w+\.png)\) <br> `attnscope export [^`]* -o (\S+\.png))");
  std::size_t pictures = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), kPicture), end; at != end; ++at) {
    EXPECT_EQ((*at)[1], (*at)[2]);
    ++pictures;
  }
  EXPECT_EQ(pictures, 6U);
  const std::string folder = test::source_folder() + "/docs/pictures/";
  static const std::regex kImage(R"(\]\(docs/pictures/([^)]+)\))");
  for (std::sregex_iterator at(text.begin(), text.end(), kImage), end; at != end; ++at) {
    const std::string file = folder + (*at)[1].str();
    ASSERT_TRUE(std::filesystem::exists(file)) << file;
    EXPECT_LT(std::filesystem::file_size(file), 1500000U) << file;
  }
}

std::string one_decimal_down(double x) {
  std::ostringstream text;
  text.precision(1);
  text << std::fixed << std::floor(x * 10.0 + 1e-9) / 10.0;
  return text.str();
}

// "1.4 to 4.6": measured ratios of rows with a matching name.
std::string measured_ratios(const std::string& name) {
  const std::string page = test::read_text(test::source_folder() + "/docs/PERFORMANCE.md");
  const std::regex row(R"(\n\| [\d,]+ tokens against )" + name + R"([^|]* \| ([\d.]+) ×)");
  double low = std::numeric_limits<double>::infinity(), high = 0.0;
  for (std::sregex_iterator at(page.begin(), page.end(), row), end; at != end; ++at) {
    low = std::min(low, std::stod((*at)[1]));
    high = std::max(high, std::stod((*at)[1]));
  }
  return one_decimal_down(low) + " to " + one_decimal_down(high);
}

TEST(Readme, ClaimsTheSpeedThatIsMeasured) {
  const std::string text = readme();
  for (const char* peer : {"PyTorch, (?:explicit|buffers reused)", "PyTorch's fused kernel"}) {
    EXPECT_NE(text.find(measured_ratios(peer) + " times"), std::string::npos)
        << peer << " " << measured_ratios(peer);
  }
}

TEST(Readme, ClaimsAsManyCasesAsThereAre) {
  const std::string source =
      test::read_text(test::source_folder() + "/tests/core/engine/reference_cases_test.cpp");
  static const std::regex kCount(R"(reference_case_names\(\{[^}]*\}\)\.size\(\), (\d+)U\))");
  int cases = 0;
  for (std::sregex_iterator at(source.begin(), source.end(), kCount), end; at != end; ++at) {
    cases += std::stoi((*at)[1]);
  }
  EXPECT_NE(readme().find(" " + std::to_string(cases) + " cases"), std::string::npos) << cases;
}

}  // namespace
}  // namespace attn
