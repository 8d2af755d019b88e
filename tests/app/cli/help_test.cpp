// --help of all commands, versions, and advice for mistyped words.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "base/files.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/flags.h"
#include "plot/all_plots.h"
#include "session/build_information.h"
#include "support/paths.h"
#include "support/process.h"
#include "view/fields.h"

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

std::vector<std::string> lines_of(const std::string& text) {
  EXPECT_TRUE(text.ends_with('\n')) << "the last line has no end";
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Help, LinesFitATerminal) {
  std::vector<std::vector<std::string>> calls = {{"--help"}, {"export", "--help", "--all"}};
  for (const auto& one : cli::all_subcommands()) calls.push_back({std::string(one.name), "-h"});
  for (const PlotEntry& plot : all_plots())
    calls.push_back({"export", std::string(plot.name), "-h"});
  for (const std::vector<std::string>& call : calls) {
    for (const std::string& line : lines_of(run_attnscope(call).out)) {
      EXPECT_LE(code_point_count(line), 100U) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
  }
}

// Long options in a text: "--[no-]values" and "--no-values" are "--values".
std::set<std::string> options_in(const std::string& text) {
  static const std::regex kOption("--(?:\\[no-\\]|no-)?([a-z][a-z-]*)");
  std::set<std::string> options;
  for (std::sregex_iterator at(text.begin(), text.end(), kOption), end; at != end; ++at) {
    options.insert("--" + (*at)[1].str());
  }
  return options;
}

std::set<std::string> options_of_export() {
  cli::CommonFlags flags;
  std::set<std::string> options;
  for (const cli::Flag& option : cli::subcommand_named("export")->define(flags).options) {
    options.merge(options_in(option.names));
  }
  return options;
}

TEST(Help, OfExportFitsAPageAndIsGroupedByPurpose) {
  const std::string help = run_attnscope({"export", "--help"}).out;
  EXPECT_LE(lines_of(help).size(), 60U) << help;
  std::size_t at = 0;
  for (const char* group :
       {"Which figure", "Which part", "Looks", "Size and type", "Files", "Numbers"}) {
    at = help.find("\n" + std::string(group), at);
    ASSERT_NE(at, help.npos) << group;
  }
  for (const PlotEntry& plot : all_plots()) {
    const std::string name(plot.name), line = "\n  " + name + std::string(14 - name.size(), ' ');
    EXPECT_NE(help.find(line + std::string(plot.help) + "\n"), help.npos) << name;
  }
  EXPECT_NE(help.find("attnscope export PLOT --help"), help.npos);
  const std::set<std::string> known = options_of_export();
  for (const std::string& option : options_in(help)) {
    EXPECT_TRUE(known.contains(option) || option == "--help" || option == "--all") << option;
  }
  const std::string view = "the view's, else";
  EXPECT_EQ(help.find(view, help.find(view) + 1), help.npos) << "said for each option";
}

TEST(Help, OfEveryPlotFitsAScreenWhicheverWayItIsNamed) {
  for (const PlotEntry& plot : all_plots()) {
    const std::string name(plot.name);
    const std::string help = run_attnscope({"export", name, "--help"}).out;
    EXPECT_LE(lines_of(help).size(), 40U) << help;
    EXPECT_TRUE(help.starts_with(name + ": " + std::string(plot.help) + "\n")) << help;
    const std::vector<std::vector<std::string>> same = {
        {"export", "--plot", name, "--help"},
        {"export", "x.json", "--help", "--plot=" + name},
        {"export", "--plot", name + ",cost", "-h"},
        {"help", "export", name}};
    for (const std::vector<std::string>& call : same) EXPECT_EQ(run_attnscope(call).out, help);
  }
  const std::string all = run_attnscope({"export", "--help"}).out;
  EXPECT_EQ(run_attnscope({"export", "nonsense", "--help"}).out, all);
  EXPECT_EQ(run_attnscope({"export", "--plot", "nonsense", "--help"}).out, all);
  EXPECT_EQ(run_attnscope({"export", "--help", "--plot"}).out, all);
}

TEST(Help, OfEveryPlotHasItsOptionsWithDefaultsAndNoOthers) {
  std::set<std::string> left = options_of_export();
  for (const std::string& option : options_in(run_attnscope({"export", "--help"}).out)) {
    left.erase(option);
  }
  for (const PlotEntry& plot : all_plots()) {
    const std::string help = run_attnscope({"export", std::string(plot.name), "--help"}).out;
    const std::string below = help.substr(help.find("\nOptions"));
    const std::set<std::string> listed = options_in(below);
    for (const Field<ViewOptions>& field : plot_option_fields()) {
      const std::string flag = spelt(field.name, Spelling::Flag);
      EXPECT_EQ(listed.contains(flag), uses(plot, field.name) && !field.alias)
          << plot.name << " " << flag;
      left.erase(flag);
      if (!listed.contains(flag) || is_of_the_page(field.name)) continue;
      std::string usual = field.get(ViewOptions{});
      if (field.kind == FieldKind::Flag) usual = usual == "true" ? "on" : "off";
      std::smatch found;
      const std::regex line("\n  [^ ]*[-\\]]" + flag.substr(2) + "\\s");
      ASSERT_TRUE(std::regex_search(below, found, line)) << flag << below;
      const std::string rest = found.suffix();
      const std::string words =
          std::regex_replace(rest.substr(0, rest.find("\n  --")), std::regex("\\s+"), " ");
      EXPECT_TRUE(usual.empty() || words.find("[" + usual + "]") != words.npos) << words;
    }
  }
  EXPECT_EQ(left, std::set<std::string>()) << "in no help";
}

TEST(Help, OfEveryPlotHasAnExampleThatDrawsIt) {
  for (const PlotEntry& plot : all_plots()) {
    const std::string name(plot.name), begin = "\nExample: attnscope ";
    const std::string help = run_attnscope({"export", name, "--help"}).out;
    const std::size_t at = help.find(begin);
    ASSERT_NE(at, help.npos) << help;
    const std::string call =
        help.substr(at + begin.size(), help.find('\n', at + begin.size()) - at - begin.size());
    EXPECT_NE((call + " ").find(" --plot " + name + " "), call.npos) << call;
    const test::TemporaryFolder folder;
    test::ProcessOptions options;
    options.folder = folder.path();
    const ProcessResult drawn =
        test::run_process({"/bin/sh", "-c", test::program_path() + " " + call}, options);
    EXPECT_EQ(drawn.exit_code, 0) << call << "\n" << drawn.err;
    EXPECT_NE(drawn.err.find("wrote "), drawn.err.npos) << drawn.err;
  }
}

TEST(Help, OfAllOptionsIsThereOnRequest) {
  const std::string help = run_attnscope({"export", "--help", "--all"}).out;
  EXPECT_TRUE(std::ranges::includes(options_in(help), options_of_export())) << help;
  EXPECT_EQ(run_attnscope({"compute", "--all", "--help"}).out,
            run_attnscope({"compute", "-h"}).out);
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
      {{"compute", cats, "-fo"}, "--output needs a value"},
      {{"export", cats, "-o", "x.png", "--head", "0", "--head", "0"}, "--head is given twice"},
      {{"export", cats, "-o", "x.png", "--head=0", "--head=0", "FILE"}, "--head is given twice"},
      {{"export", cats, "-o", "x.png", "-o", "ofo", "-ofo"}, "--output is given twice"},
      {{"compute", cats, "extra"}, "standard output lacks {name}"},
      {{"export", cats, "b.json", "-o", "x.png"}, "as in -o 'x-{name}.png', or write a PDF"},
      {{"export", cats, "-o", "x.png", "--values", "0.05"}, "--values takes no value"},
      {{"export", cats, "-o", "x.png", "-qf", "0.05"}, "-qf takes no value"},
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
      {{"export", cats, "-o", "x.png", "--jobs", "0"}, "--jobs cannot have this value"},
      {{"compute", cats, "-o", "{head}.json"}, "add --head, or leave {head} out"},
      {{"compute", cats, "--head", ""}, "--head is not a list of numbers"},
      {{"export", cats, "--layer", "", "-o", "-"}, "--layer is not a list of numbers"},
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
      {{"compute", "--", cats, "-x"}, "by which 2 outputs differ"},
      {{"plot", "x.json"}, "attnscope export x.json -o figure.png"},
      {{"draw", cats, "a b.svg"}, "attnscope export example:i-love-cats -o 'a b.svg'"},
      {{"figure"}, "attnscope export FILE -o figure.png"},
      {{"links", "x.json"}, "attnscope export x.json -o figure.png --plot links"},
      {{"x.json", "-o", "y.png"}, "attnscope export x.json -o y.png"},
      {{"--output=y.png", "x.json"}, "attnscope export x.json -o figure.png"},
      {{cats, "-o", "y.csv"}, "attnscope export example:i-love-cats -o y.csv"},
      {{"export", "-", "out.png"}, "attnscope export - -o out.png"},
      {{"export", "x.json", "out.png"}, "attnscope export x.json -o out.png"},
      {{"export", "x.json", "--plot", "links", "out.pdf"}, "attnscope export x.json -o out.pdf"},
      {{"export", cats}, "attnscope export example:i-love-cats -o figure.png"},
      {{"export", "links", cats, "-o", "x.png"}, "no file named links; for the plot, add --plot"},
      {{"export", cats, "-o", "x.png", "--threshold", "0.3"}, "no option --threshold; use --least"},
      {{"export", cats, "-o", "x.png", "--cutoff=0.3"}, "use --least"},
      {{"export", cats, "-o", "x.png", "--min-weight", "0"}, "use --least"},
      {{"export", cats, "-o", "x.png", "--palette", "magma"}, "use --colormap"},
      {{"export", cats, "--out", "x.png"}, "use --output"},
      {{"export", cats, "-o", "x.png", "--stage", "attention"}, "did you mean weights?"},
      {{"export", cats, "-o", "x.png", "--stage", "softmax"}, "did you mean weights?"},
      {{"export", cats, "-o", "x.png", "--stage", "logits"}, "did you mean scores?"},
      {{"export", cats, "-o", "x.png", "--stage", "queries"}, "did you mean q?"},
      {{"export", cats, "-o", "x.svg", "--layout", "heatmap stage=attention"}, "mean weights?"},
      {{"compute", cats, "--stage", "attention"}, "did you mean weights?"},
      {{"compare", cats, cats, "--stage", "attn"}, "did you mean weights?"}};
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
  for (const char* which : {"--all", "heatmap", "--plot=links"}) {
    const std::string help = run_attnscope({"export", which, "--help"}).out;
    EXPECT_NE(help.find(which[0] == '-' && which[2] == 'a' ? "(default 0)" : "[0]"), help.npos)
        << help;
    EXPECT_NE(help.find("figures count from 1"), help.npos) << help;
    EXPECT_NE(help.find("where the document's view says nothing else"), help.npos) << help;
  }
}

}  // namespace
}  // namespace attn
