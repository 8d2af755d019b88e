// Commands in help and documentation work.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "base/files.h"
#include "cli/cli.h"
#include "document/load/open.h"
#include "plot/all_plots.h"
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

// Runs a call in a shell, in a folder with documents of the names in the documentation. The other
// programs of a pipe are not tested.
ProcessResult typed(std::string call, const TemporaryFolder& folder,
                    std::string_view cats = "four-heads") {
  for (const Example& example : all_examples()) {
    for (const char* name :
         {"cats.attn.json", "my.attn.json", "a.json", "b.json", "eager.npz", "flash.npz"}) {
      const bool is_cats = std::string_view(name).starts_with("cats");
      if (example.name != (is_cats ? cats : "four-heads")) continue;
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
  const std::string program_folder = std::filesystem::path(test::program_path()).parent_path();
  options.set["PATH"] = program_folder + ":" + std::getenv("PATH");
  return test::run_process({"/bin/bash", "-c", "set -o pipefail; " + call}, options);
}

TEST(Documented, EveryExampleInHelpWorks) {
  std::size_t tried = 0;
  for (const cli::Subcommand& subcommand : cli::all_subcommands()) {
    for (const cli::HelpLine& example : subcommand.examples) {
      if (opens_window(example.left)) continue;
      const TemporaryFolder folder;
      const ProcessResult result = typed(example.left, folder, "i-love-cats");
      EXPECT_EQ(result.exit_code, 0) << example.left << "\n" << result.err;
      EXPECT_EQ(result.err.find("error"), std::string::npos) << result.err;
      ++tried;
    }
  }
  EXPECT_GT(tried, 10U);
}

// Pages for users; ARCHITECTURE.md and the like are for developers.
std::vector<std::string> pages() {
  const std::string root = test::source_folder() + "/";
  std::vector<std::string> texts;
  for (const char* page : {"README.md", "docs/TUTORIAL.md", "docs/FAQ.md", "docs/PYTHON.md",
                           "docs/COMMAND_LINE.md", "docs/gallery.md"}) {
    texts.push_back(test::read_text(root + page));
  }
  for (const std::string& page : test::guide_pages()) texts.push_back(test::read_text(page));
  return texts;
}

// Calls of the program in code blocks, one per line, and those between backticks.
std::vector<std::string> calls_in(const std::string& page) {
  std::vector<std::string> calls;
  bool in_block = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) in_block = !in_block;
    static const std::regex kInBlock(
        R"(^(?:\S.* \| )?(attnscope(?: (?:'[^']*'|[^#|'])*)?)(?:[#|].*)?$)");
    static const std::regex kInline(R"(`(?:[A-Z_]+=\S* )*(attnscope(?: [^`]*)?)`)");
    const std::regex& pattern = in_block ? kInBlock : kInline;
    for (std::sregex_iterator at(line.begin(), line.end(), pattern), end; at != end; ++at) {
      calls.push_back((*at)[1]);
    }
  }
  return calls;
}

// Splits like a shell, without expanding file names.
std::vector<std::string> words_of_call(const std::string& call) {
  static const std::regex kWord(R"re("([^"]*)"|'([^']*)'|(\S+))re");
  std::vector<std::string> words;
  for (std::sregex_iterator at(call.begin(), call.end(), kWord), end; at != end; ++at) {
    words.push_back((*at)[1].str() + (*at)[2].str() + (*at)[3].str());  // all but one are empty
  }
  words.erase(words.begin());
  return words;
}

// "attnscope COMMAND [options]" is a pattern, "attnscope export" a command's name.
bool is_pattern(const std::string& call) {
  const std::vector<std::string> words = words_of_call(call);
  if (words.size() == 1 && cli::subcommand_named(words[0]) != nullptr) return true;
  return call.find("COMMAND") != std::string::npos || call.find('[') != std::string::npos ||
         call.find("…") != std::string::npos;
}

// Errors of parsing: an unknown command or option, or a missing argument.
Status check_call(cli::Arguments words) {
  const cli::Subcommand* named = words.empty() ? nullptr : cli::subcommand_named(words[0]);
  std::string call(cli::kProgram);
  if (named != nullptr) {
    call += " " + words[0];
    words.erase(words.begin());
  }
  cli::CommonFlags flags;
  const cli::Definition defined = (named ? named : cli::subcommand_named("view"))->define(flags);
  const auto asked = cli::parse_arguments(defined.options, call, words);
  return asked ? ok_status() : Status(asked.error());
}

TEST(Documented, EveryCallOnEveryPageIsUnderstood) {
  std::size_t tried = 0;
  for (const std::string& page : pages()) {
    for (const std::string& call : calls_in(page)) {
      if (is_pattern(call)) continue;
      const Status understood = check_call(words_of_call(call));
      EXPECT_TRUE(understood.ok()) << call << "\n"
                                   << (understood ? "" : describe(understood.error()));
      ++tried;
    }
  }
  EXPECT_GT(tried, 60U);
}

TEST(Documented, ACallThatIsWrongIsNotUnderstood) {
  EXPECT_EQ(words_of_call("attnscope a 'b | c' \"d e\" f"),
            (std::vector<std::string>{"a", "b | c", "d e", "f"}));
  EXPECT_EQ(calls_in("```sh\nattnscope a --layout 'b | c' -o x # d\n```"),
            (std::vector<std::string>{"attnscope a --layout 'b | c' -o x "}));
  EXPECT_EQ(calls_in("`attnscope info FILE --jsn`\n```sh\ncat a | attnscope compute - # all\n```"),
            (std::vector<std::string>{"attnscope info FILE --jsn", "attnscope compute - "}));
  EXPECT_FALSE(check_call({"info", "FILE", "--jsn"}).ok());
  EXPECT_FALSE(check_call({"export", "FILE"}).ok());
  EXPECT_TRUE(check_call({"export", "FILE", "-o", "a.png"}).ok());
}

TEST(Documented, EveryCallInTutorialAndGuideWorks) {
  std::string text = test::read_text(test::source_folder() + "/docs/TUTORIAL.md");
  for (const std::string& page : test::guide_pages()) text += test::read_text(page);
  std::istringstream lines(text);
  std::size_t tried = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool is_call = line.starts_with("attnscope ") || line.starts_with("cat my.attn.json | ");
    if (!is_call || opens_window(line)) continue;
    const TemporaryFolder folder;
    const ProcessResult result = typed(line, folder);
    EXPECT_EQ(result.exit_code, 0) << line << "\n" << result.err;
    ++tried;
  }
  EXPECT_GT(tried, 20U);
}

TEST(Documented, EveryPlotAnswersAQuestionOfTheGuideOnItsExample) {
  const std::string guide = test::read_text(test::guide_pages().front());
  static const std::regex kRow(R"(\n\| [^|]+\? \| `(\w+)` \| `((?:example|attnscope):[\w-]+)` \|)");
  std::set<std::string> plots;
  for (std::sregex_iterator at(guide.begin(), guide.end(), kRow), end; at != end; ++at) {
    const std::string plot = (*at)[1], example = (*at)[2];
    const TemporaryFolder folder;
    const ProcessResult result =
        typed("attnscope export " + example + " -o plot.svg --plot " + plot, folder);
    EXPECT_EQ(result.exit_code, 0) << plot << " of " << example << "\n" << result.err;
    plots.insert(plot);
  }
  EXPECT_EQ(plots.size(), all_plots().size());
}

// The argument after an option, or "".
std::string argument_of(const std::vector<std::string>& words, std::string_view option) {
  const auto at = std::ranges::find(words, option);
  return at == words.end() || at + 1 == words.end() ? "" : *(at + 1);
}

TEST(Gallery, ShowsThirtySixFiguresAndTheCallOfEach) {
  const std::string folder = test::source_folder() + "/docs/";
  const std::string page = test::read_text(folder + "gallery.md");
  std::set<std::string> made, plots;
  for (const std::string& call : calls_in(page)) {
    const std::vector<std::string> words = words_of_call(call);
    if (words.empty() || words[0] != "export") continue;
    made.insert("pictures/gallery/" + argument_of(words, "-o"));
    const std::string plot = argument_of(words, "--plot");
    plots.insert(plot.empty() ? std::string(kUsualPlot) : plot);
  }
  for (const PlotEntry& plot : all_plots())
    EXPECT_TRUE(plots.contains(std::string(plot.name))) << plot.name;
  std::set<std::string> shown;
  std::uintmax_t bytes = 0;
  static const std::regex kPicture(R"(pictures/gallery/[\w-]+\.png)");
  for (std::sregex_iterator at(page.begin(), page.end(), kPicture), end; at != end; ++at) {
    if (!shown.insert(at->str()).second) continue;
    ASSERT_TRUE(std::filesystem::exists(folder + at->str()))
        << at->str() << ": ./dev pictures makes it";
    bytes += std::filesystem::file_size(folder + at->str());
  }
  EXPECT_EQ(shown, made);
  EXPECT_LT(bytes, 2500000U);
  static const std::regex kHeading("\n### ");
  EXPECT_EQ(std::distance(std::sregex_iterator(page.begin(), page.end(), kHeading), {}), 36);
  EXPECT_NE(test::read_text(test::source_folder() + "/README.md").find("(docs/gallery.md)"),
            std::string::npos);
}

}  // namespace
}  // namespace attn
