// --help of all commands, versions, and advice for mistyped words.
#include <gtest/gtest.h>

#include "cli/cli.h"
#include "cli/flags.h"
#include "session/build_information.h"
#include "support/process.h"

namespace attn {
namespace {

using test::ProcessResult;
using test::run_attnscope;
using test::run_attnscope_on;

TEST(Help, OfTheProgramNamesEverySubcommandAndShowsExamplesFirst) {
  const ProcessResult help = run_attnscope({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_LT(help.out.find("Examples:"), help.out.find("Usage:"));
  for (const cli::Subcommand& subcommand : cli::all_subcommands()) {
    EXPECT_NE(help.out.find("\n  " + std::string(subcommand.name) + " "), std::string::npos);
    EXPECT_NE(help.out.find(subcommand.help), std::string::npos);
  }
}

TEST(Help, OfEverySubcommandShowsExamplesFirstAndWorksInThreeWays) {
  for (const cli::Subcommand& subcommand : cli::all_subcommands()) {
    const std::string name(subcommand.name);
    const ProcessResult help = run_attnscope({name, "--help"});
    EXPECT_EQ(help.exit_code, 0) << name;
    const std::size_t examples = help.out.find("Examples:\n  ");
    ASSERT_NE(examples, std::string::npos) << name;
    EXPECT_LT(examples, help.out.find("Usage: attnscope " + name)) << name;
    for (const cli::HelpLine& example : subcommand.examples) {
      EXPECT_NE(help.out.find(example.left), std::string::npos) << name;
    }
    EXPECT_EQ(run_attnscope({name, "-h"}).out, help.out);
    EXPECT_EQ(run_attnscope({"help", name}).out, help.out);
  }
}

TEST(Help, LinesFitATerminal) {
  for (const cli::Subcommand& subcommand : cli::all_subcommands()) {
    const std::string help = run_attnscope({std::string(subcommand.name), "--help"}).out;
    std::size_t begin = 0;
    while (begin < help.size()) {
      const std::size_t end = help.find('\n', begin);
      ASSERT_NE(end, std::string::npos) << subcommand.name << ": the last line has no end";
      EXPECT_LE(end - begin, 110U) << help.substr(begin, end - begin);
      begin = end + 1;
    }
  }
}

TEST(Help, VersionIsOneLine) {
  const ProcessResult version = run_attnscope({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(version.out.starts_with("attnscope ")) << version.out;
  EXPECT_EQ(std::count(version.out.begin(), version.out.end(), '\n'), 1);
}

TEST(Help, VersionInDetailNamesTheCompilerAndTheLibraries) {
  const ProcessResult version = run_attnscope({"--version", "--verbose"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(version.out.starts_with(run_attnscope({"--version"}).out)) << version.out;
  EXPECT_EQ(run_attnscope({"--verbose", "--version"}).out, version.out);
  for (const auto& [name, value] : build_information()) {
    EXPECT_FALSE(value.empty()) << name;
    if (name != "AttnScope") {
      EXPECT_NE(version.out.find("\n  " + name + " "), std::string::npos) << version.out;
    }
    EXPECT_NE(version.out.find(value), std::string::npos) << version.out;
  }
  for (const LibraryLicence& library : library_licences()) {
    EXPECT_NE(version.out.find(std::string(library.licence) + ", " + std::string(library.package)),
              std::string::npos)
        << library.library;
  }
  for (const char* name : {"Compiler", "Cairo", "Pango", "Eigen", "Highway", "nlohmann/json"}) {
    EXPECT_NE(version.out.find(name), std::string::npos) << name << "\n" << version.out;
  }
}

TEST(Help, OfTheProgramNamesEveryVariableAndThatOfAFlagItsOwn) {
  std::string help = run_attnscope({"--help"}).out;
  for (const cli::Variable& variable : cli::all_variables()) {
    EXPECT_NE(help.find(variable.name), std::string::npos) << variable.name;
  }
  for (const cli::Subcommand& subcommand : cli::all_subcommands()) {
    help += run_attnscope({std::string(subcommand.name), "--help"}).out;
  }
  std::erase_if(help, [](char c) { return c == ' ' || c == '\n'; });  // lines are wrapped
  for (const cli::Variable& variable : cli::all_variables()) {
    if (variable.flag.empty()) continue;
    EXPECT_NE(help.find("environment:" + std::string(variable.name)), std::string::npos)
        << variable.name;
  }
}

TEST(Help, NearlyACommandIsTakenForOne) {
  const ProcessResult result = run_attnscope({"exprot", "cats.json"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("did you mean export?"), std::string::npos) << result.err;
}

TEST(Help, NearlyAnOptionIsTakenForOne) {
  const ProcessResult result = run_attnscope({"compute", "example:i-love-cats", "--stagse"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("did you mean --stages?"), std::string::npos) << result.err;
}

TEST(Help, WrongArgumentsAreNamedInWords) {
  const std::string cats = "example:i-love-cats";
  const std::vector<std::pair<std::vector<std::string>, std::string>> calls = {
      {{"compute", cats, "-o"}, "--output needs a value"},
      {{"compute", cats, "-o", "--force"}, "--output needs a value"},
      {{"export", cats, "-o", "x.png", "--head", "0", "--head", "0"}, "--head is given twice"},
      {{"compute", cats, "extra"}, "standard output lacks {name}"},
      {{"export", cats, "b.json", "-o", "x.png"}, "as in -o 'x-{name}.png', or write a PDF"},
      {{"export", cats, "-o", "x.png", "--values", "0.05"}, "--values takes no value"},
      {{"compute", cats, "--stages", "true"}, "join it to its option"},
      {{"examples", "a", "b"}, "unexpected argument b; put quotation marks"},
      {{"export", cats, "-o", "x.png", "--cmap", "magma"}, "no option --cmap; use --colormap"},
      {{"export", cats, "-o", "x.png", "--figsize", "3,3"}, "use --width and --height"},
      {{"export", cats, "-o", "x.png", "--vmin=0"}, "use --range-low"},
      {{"export", cats, "-o", "x.png", "--vmax", "1"}, "use --range-high"},
      {{"export", cats, "-o", "x.png", "--annot"}, "use --values"},
      {{"export", cats, "-o", "x.png", "--fmt", "2"}, "use --decimals"},
      {{"export", cats, "-o", "x.png", "--fontsize", "8"}, "use --font-size"},
      {{"export", cats, "-o", "x.png", "--rows", "1"}, "use --part"},
      {{"compute", cats, "--head", "2"}, "--head names heads that do not exist"},
      {{"info", cats, "--stages"}, "it is an option of attnscope compute"},
      {{"export", cats, "-o", "fig-{layer}.pdf"}, "nothing says what {layer} in the name"},
      {{"export", cats, "-o", "fig-{haed}.pdf", "--head", "0"}, "{number}; did you mean head?"},
      {{"export", cats, "-o", "x.png", "--head", "0-x"}, "--head names no heads"},
      {{"export", cats, "-o", "{plot}.png", "--plot", "links,hetmap"}, "did you mean heatmap?"},
      {{"export", cats, "-o", "x.png", "--jobs", "0"}, "--jobs is not a number that it can take"},
      {{"compute", cats, "-o", "{head}.json"}, "add --head, or leave {head} out"},
      {{"compute", cats, "--head", ""}, "--head names no numbers"},
      {{"export", cats, "--layer", "", "-o", "-"}, "--layer names no numbers"},
      {{"compute"}, "attnscope compute needs FILE"},
      {{"export", cats}, "attnscope export needs --output"},
      {{"export", cats, "-o", "x.png", "--values=some"}, "--values is on or off"},
      {{"export", cats, "-o", "x.png", "--head", "2000000"}, "expected --head 0, the only one"},
      {{"export", cats, "-o", "x.png", "--pixel-budget", "1"}, "from 16 to 8192"},
      {{"export", cats, "-o", "x.png", "--format", "svg"}, "disagree"},
      {{"compute", ""}, "FILE is empty"},
      {{""}, "FILE is empty"},
      {{"compute", cats, "-o", ""}, "--output is empty"},
      {{"bogus", "FILE"}, "bogus is neither a command nor a file"},
      {{"--bogus"}, "attnscope has no option --bogus; see attnscope --help"},
      {{"--verison"}, "attnscope has no option --verison; did you mean --version?"},
      {{"--verson"}, "attnscope has no option --verson; did you mean --version?"},
      {{"--vresion"}, "attnscope has no option --vresion; did you mean --version?"},
      {{"exprot"}, "there is no command or file named exprot; did you mean export?"},
      {{"--thme", "dark"}, "attnscope has no option --thme; did you mean --theme?"},
      {{"export", cats, "--otuput", "x.png"}, "did you mean --output?"},
      {{"export", cats, "-o", "x.png", "--no-valeus"}, "did you mean --no-values?"},
      {{"export", cats, "-o", "x.png", "--no-values=some"}, "--values is on or off"},
      {{"compute", cats, "--json=3"}, "compute has no option --json; it is an option of"},
      {{"info", cats, "--json=3"}, "--json is on or off"},
      {{"compute", "--", cats, "-x"}, "by which 2 outputs differ"}};
  for (const auto& [call, words] : calls) {
    const ProcessResult result = run_attnscope(call);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_TRUE(result.err.starts_with("attnscope: error: ")) << result.err;
    EXPECT_NE(result.err.find(words), std::string::npos) << words << "\n" << result.err;
  }
}

TEST(Help, FlagsTakeTrueAndFalse) {
  const auto drawn = [](const std::string& flag) {
    return run_attnscope({"export", "example:i-love-cats", "-o", "-", "--format", "svg", flag}).out;
  };
  EXPECT_EQ(drawn("--values=false"), drawn("--no-values"));
  EXPECT_EQ(drawn("--values=true"), drawn("--values"));
  EXPECT_NE(drawn("--values"), drawn("--no-values"));
}

TEST(Help, TheLastOfAFlagAndItsOppositeCounts) {
  const auto drawn = [](const std::vector<std::string>& flags) {
    std::vector<std::string> call{"export", "example:i-love-cats", "-o", "-", "--format", "svg"};
    call.insert(call.end(), flags.begin(), flags.end());
    return run_attnscope(call).out;
  };
  EXPECT_EQ(drawn({"--values", "--no-values"}), drawn({"--no-values"}));
  EXPECT_EQ(drawn({"--no-values", "--values"}), drawn({"--values"}));
  EXPECT_EQ(drawn({"--no-values=false"}), drawn({"--values"}));
}

TEST(Help, IsGivenWhateverElseIsWrong) {
  const std::string help = run_attnscope({"export", "--help"}).out;
  EXPECT_EQ(run_attnscope({"export", "--help", "--bogus"}).out, help);
  EXPECT_EQ(run_attnscope({"export", "--head", "1", "--head", "2", "-h"}).out, help);
  EXPECT_EQ(run_attnscope({"--quiet", "--help"}).out, run_attnscope({"--help"}).out);
  EXPECT_EQ(run_attnscope({"--quiet", "--version"}).out, run_attnscope({"--version"}).out);
}

TEST(Help, EveryMessageStartsAlikeAndNamesStandardInput) {
  const ProcessResult noted = run_attnscope_on(R"(["a"])", {"compute", "-"});
  EXPECT_TRUE(noted.err.starts_with("attnscope: standard input: ")) << noted.err;
  const ProcessResult refused = run_attnscope_on("{", {"compute", "-"});
  EXPECT_TRUE(refused.err.starts_with("attnscope: error: standard input:1:")) << refused.err;
}

TEST(Help, WrongUsageIsTwoAndSaysWhereToLook) {
  const std::vector<std::vector<std::string>> calls = {
      {"compute"},
      {"compute", "a.json", "b.json"},
      {"compute", "example:i-love-cats", "--memory-limit", "much"},
      {"compute", "example:i-love-cats", "-o"},
      {"export", "example:i-love-cats"},
      {"validate"},
      {"info"},
      {"schema", "surplus"},
      {"--quiet", "compute", "x.json"}};
  for (const std::vector<std::string>& call : calls) {
    const ProcessResult result = run_attnscope(call);
    EXPECT_EQ(result.exit_code, 2) << call.front() << result.err;
    EXPECT_EQ(result.out, "") << call.front();
    EXPECT_TRUE(result.err.starts_with("attnscope: error: ")) << result.err;
  }
}

TEST(Help, SaysThatTheViewGoesBeforeTheDefaultsAndHowFiguresCount) {
  const std::string help = run_attnscope({"export", "--help"}).out;
  EXPECT_NE(help.find("(default: the view's, else 0)"), help.npos) << help;
  EXPECT_NE(help.find("figures count from 1"), help.npos) << help;
}

}  // namespace
}  // namespace attn
