// Completion of commands in bash, zsh and fish, in the shells themselves where they are installed.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/files.h"
#include "cli/cli.h"
#include "support/process.h"

namespace attn {
namespace {

using test::ProcessOptions;
using test::ProcessResult;
using test::run_attnscope;
using test::run_process;
using test::TemporaryFolder;

using Words = std::vector<std::string>;

bool is_installed(const std::string& shell) {
  return run_process({"/bin/sh", "-c", "command -v " + shell}).exit_code == 0;
}

// The script of a shell, in a folder with the files notes.json and my figures/.
struct Home {
  explicit Home(const std::string& shell) {
    const std::string script = run_attnscope({"completion", shell}).out;
    EXPECT_TRUE(write_file_atomically(folder.file("script"), script, Overwrite::Replace).ok());
    run_process({"/bin/sh", "-c", "touch notes.json; mkdir 'my figures'"}, in_folder());
  }

  ProcessOptions in_folder() const {
    ProcessOptions options;
    options.folder = folder.path();
    options.set = {{"HOME", folder.path()}, {"TERM", "dumb"}, {"LC_ALL", "C.UTF-8"}};
    return options;
  }

  Words lines(const Words& call) const {
    const ProcessResult result = run_process(call, in_folder());
    EXPECT_EQ(result.err, "");
    std::istringstream text(result.out);
    Words lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }

  TemporaryFolder folder;
};

Words sorted(Words words) {
  std::ranges::sort(words);
  return words;
}

bool contains(const Words& words, const std::string& word) {
  return std::ranges::count(words, word) > 0;
}

Words command_names() {
  Words names{"help"};
  for (const cli::Subcommand& subcommand : cli::all_subcommands()) {
    names.emplace_back(subcommand.name);
  }
  return names;
}

// Completions that bash offers for the last of the words, as readline splits them, and by compopt.
Words bash_offers(const Home& home, Words words) {
  const std::string code = R"(
compopt() { echo "compopt $*"; }
source ./script
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
COMP_LINE="${*:1:$#-1}"
case ${!#} in =|:) COMP_LINE+=${!#} ;; *) [[ $COMP_LINE == *[=:] ]] || COMP_LINE+=' '; COMP_LINE+=${!#} ;; esac
COMP_LINE=${COMP_LINE// = /=} COMP_LINE=${COMP_LINE// =/=} COMP_LINE=${COMP_LINE// :/:}
COMP_POINT=${#COMP_LINE}
_attnscope
printf '%s\n' "${COMPREPLY[@]}"
)";
  words.insert(words.begin(), {"/bin/bash", "--norc", "-c", code, "bash", "attnscope"});
  Words lines = home.lines(words);
  std::erase(lines, "");
  return sorted(std::move(lines));
}

TEST(Completion, OfBashOffersCommandsFlagsAndValues) {
  const Home home("bash");
  for (const std::string& name : command_names()) {
    EXPECT_TRUE(contains(bash_offers(home, {name.substr(0, 3)}), name)) << name;
  }
  EXPECT_EQ(bash_offers(home, {"export", "--pl"}), Words{"--plot"});
  EXPECT_EQ(bash_offers(home, {"export", "--no-val"}), Words{"--no-values"});
  EXPECT_EQ(bash_offers(home, {"export", "--plot", "h"}), (Words{"heads", "heatmap"}));
  EXPECT_EQ(bash_offers(home, {"export", "--plot", "=", "h"}), (Words{"heads", "heatmap"}));
  EXPECT_EQ(bash_offers(home, {"export", "--colormap", "vi"}), (Words{"viridis", "viridis_r"}));
  EXPECT_EQ(bash_offers(home, {"export", "--format", "p"}), (Words{"pdf", "png"}));
  EXPECT_EQ(bash_offers(home, {"view", "--theme", "d"}), Words{"dark"});
  EXPECT_EQ(bash_offers(home, {"--theme", "d"}), Words{"dark"});
  EXPECT_EQ(bash_offers(home, {"--vers"}), Words{"--version"});
  EXPECT_EQ(bash_offers(home, {"view", "--vers"}), Words{});
  EXPECT_EQ(bash_offers(home, {"examples", "four-h"}), Words{"four-heads"});
  EXPECT_EQ(bash_offers(home, {"help", "exp"}), Words{"export"});
  EXPECT_EQ(bash_offers(home, {"completion", "z"}), Words{"zsh"});
}

TEST(Completion, OfBashOffersExamplesAndFilesWhereDocumentsMayStand) {
  const Home home("bash");
  EXPECT_EQ(bash_offers(home, {"export", "example", ":", "four"}), Words{"four-heads"});
  EXPECT_EQ(bash_offers(home, {"example", ":", "four"}), Words{"four-heads"});
  EXPECT_EQ(bash_offers(home, {"attnscope", ":", "pro"}), Words{"pronoun-encoder"});
  EXPECT_EQ(bash_offers(home, {"info", "attnsc"}),
            (Words{"attnscope:", "compopt -o default", "compopt -o nospace"}));
  EXPECT_EQ(bash_offers(home, {"info", "exa"}),
            (Words{"compopt -o default", "compopt -o nospace", "example:"}));
  // Readline completes names of files, and quotes them.
  EXPECT_EQ(bash_offers(home, {"info", "not"}), Words{"compopt -o default"});
  EXPECT_EQ(bash_offers(home, {"export", "-o", "x"}), Words{"compopt -o default"});
  EXPECT_EQ(bash_offers(home, {"view", "--config-dir", "x"}), Words{"compopt -o dirnames"});
  EXPECT_EQ(bash_offers(home, {"export", "\"my f"}), Words{"compopt -o default"});
  EXPECT_EQ(bash_offers(home, {"export", "--dpi", ""}), Words{});
  EXPECT_EQ(bash_offers(home, {"schema", ""}), Words{});
}

// Lines after one press of the tabulator in zsh.
Words zsh_lines(const Home& home, const Words& lines) {
  const std::string code = R"(
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "autoload -Uz compinit; compinit -u -D; source ./script; show() { print -r -- \"\$BUFFER\" >> ./shown; BUFFER= }; zle -N show; bindkey '^X' show; print ready > ./shown"
until [[ -s shown ]]; do zpty -r -t shell said; sleep 0.02; done
for line in "$@"; do
  count=$(wc -l < shown)
  zpty -w -n shell "$line"$'\t\x18'
  until (( $(wc -l < shown) > count )); do zpty -r -t shell said; sleep 0.02; done
done
tail -n +2 shown
)";
  Words call{"zsh", "-f", "-c", code, "zsh"};
  call.insert(call.end(), lines.begin(), lines.end());
  return home.lines(call);
}

TEST(Completion, OfZshCompletesAsTyped) {
  if (!is_installed("zsh")) GTEST_SKIP() << "zsh is not installed";
  const Home home("zsh");
  const std::vector<std::pair<std::string, std::string>> typed = {
      {"attnscope exp", "attnscope export "},
      {"attnscope export --pl", "attnscope export --plot="},
      {"attnscope export --plot h", "attnscope export --plot hea"},
      {"attnscope export --plot=heat", "attnscope export --plot=heatmap "},
      {"attnscope export --no-val", "attnscope export --no-values "},
      {"attnscope export --colormap viridis_", "attnscope export --colormap viridis_r "},
      {"attnscope --theme d", "attnscope --theme dark "},
      {"attnscope --vers", "attnscope --version "},
      {"attnscope help exp", "attnscope help export "},
      {"attnscope info example:four", "attnscope info example:four-heads "},
      {"attnscope example:four", "attnscope example:four-heads "},
      {"attnscope info exa", "attnscope info example:"},
      {"attnscope info attnscope:pro", "attnscope info attnscope:pronoun-encoder "},
      {"attnscope info not", "attnscope info notes.json "},
      {"attnscope export -o my", "attnscope export -o my\\ figures/"},
      {"attnscope schema not", "attnscope schema not"}};
  Words lines, expected;
  for (const auto& [line, becomes] : typed) {
    lines.push_back(line);
    expected.push_back(becomes);
  }
  EXPECT_EQ(zsh_lines(home, lines), expected);
}

Words fish_offers(const Home& home, const std::string& line) {
  Words offers =
      home.lines({"fish", "--no-config", "-c", "source ./script; complete -C $argv[1]", line});
  for (std::string& offer : offers) offer.resize(std::min(offer.find('\t'), offer.size()));
  return sorted(std::move(offers));
}

TEST(Completion, OfFishOffersCommandsFlagsAndValues) {
  if (!is_installed("fish")) GTEST_SKIP() << "fish is not installed";
  const Home home("fish");
  EXPECT_EQ(fish_offers(home, "attnscope exp"), Words{"export"});
  EXPECT_EQ(fish_offers(home, "attnscope export --pl"), Words{"--plot"});
  EXPECT_EQ(fish_offers(home, "attnscope export --plot h"), (Words{"heads", "heatmap"}));
  EXPECT_EQ(fish_offers(home, "attnscope export --no-val"), Words{"--no-values"});
  EXPECT_EQ(fish_offers(home, "attnscope export --colormap vi"), (Words{"viridis", "viridis_r"}));
  EXPECT_EQ(fish_offers(home, "attnscope --theme d"), Words{"dark"});
  EXPECT_EQ(fish_offers(home, "attnscope --vers"), Words{"--version"});
  EXPECT_EQ(fish_offers(home, "attnscope help exp"), Words{"export"});
  EXPECT_EQ(fish_offers(home, "attnscope info example:four"), Words{"example:four-heads"});
  EXPECT_EQ(fish_offers(home, "attnscope info exa"), Words{"example:"});
  EXPECT_EQ(fish_offers(home, "attnscope info attnscope:pro"), Words{"attnscope:pronoun-encoder"});
  EXPECT_EQ(fish_offers(home, "attnscope info not"), Words{"notes.json"});
  EXPECT_EQ(fish_offers(home, "attnscope export -o my"), Words{"my figures/"});
  EXPECT_EQ(fish_offers(home, "attnscope schema not"), Words{});
}

TEST(Completion, NamesEveryOptionInEveryShell) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = run_attnscope({"completion", shell}).out;
    EXPECT_EQ(script.find('@' + std::string("P")), std::string::npos) << "a part was not put in";
    for (const cli::Subcommand& subcommand : cli::all_subcommands()) {
      cli::CommonFlags flags;
      for (const cli::Flag& option : subcommand.define(flags).options) {
        if (option.is_positional()) continue;
        const std::string name = option.names.substr(option.names.find_last_of("-]") + 1);
        EXPECT_NE(script.find(name), std::string::npos) << shell << " " << option.names;
      }
    }
  }
}

TEST(Completion, OfAnotherShellIsRefused) {
  const ProcessResult result = run_attnscope({"completion", "fich"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("there is no completion for fich"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("did you mean fish?"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace attn
