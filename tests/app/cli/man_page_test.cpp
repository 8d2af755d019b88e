// docs/attnscope.1, the man page, matches the tables of the program and is sound.
#include <gtest/gtest.h>

#include <regex>

#include "cli/cli.h"
#include "cli/flags.h"
#include "plot/all_plots.h"
#include "support/golden.h"
#include "support/paths.h"
#include "support/process.h"
#include "support/shared_data.h"
#include "view/fields.h"

namespace attn::cli {
namespace {

// Escapes a text for roff, which would set a hyphen for "-" and read some lines as requests.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '-') {
      out += "\\-";
    } else if (c == '\\') {
      out += "\\e";
    } else {
      out += c;
    }
  }
  constexpr std::string_view kEllipsis = "…";
  for (std::size_t at = 0; (at = out.find(kEllipsis)) != std::string::npos;) {
    out.replace(at, kEllipsis.size(), "...");
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

// Formats "-o, --output OUT": names bold, placeholders in italics.
std::string marked(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    const std::size_t name = word.ends_with(',') ? word.size() - 1 : word.size();
    const bool bold = word.starts_with('-') || std::islower(word.front()) != 0;
    if (!out.empty()) out += ' ';
    out += (bold ? "\\fB" : "\\fI") + roff(word.substr(0, name)) + "\\fR";
    out += word.substr(name);
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return out;
}

std::string item(const std::string& tag, std::string_view text) {
  return ".TP\n" + tag + "\n" + roff(text) + "\n";
}

std::string man_section(const Subcommand& subcommand) {
  const CommandWords words = words_of(subcommand);
  std::string text = ".SS " + roff(words.usage) + "\n" + roff(subcommand.help) + ".\n";
  for (const HelpLine& line : words.positionals) text += item(marked(line.left), line.right);
  for (const HelpLine& line : words.options) text += item(marked(line.left), line.right);
  return words.footer.empty() ? text : text + ".PP\n" + roff(words.footer);
}

std::string man_plots() {
  std::string text = ".SH PLOTS\nOf \\fBattnscope export \\-\\-plot\\fR, with their options.\n";
  for (const PlotEntry& plot : all_plots()) {
    std::string flags;
    for (const std::string_view option : names_of(plot.options)) {
      flags += (flags.empty() ? "" : ", ") + marked(spelt(option, Spelling::Flag));
    }
    text += item(marked(plot.name), std::string(plot.help) + ":") + flags + ".\n";
  }
  return text;
}

std::string man_examples() {
  std::string text = ".SH EXAMPLES\n";
  std::vector<HelpLine> lines = program_examples();
  for (const Subcommand& subcommand : all_subcommands()) {
    lines.insert(lines.end(), subcommand.examples.begin(), subcommand.examples.end());
  }
  for (const HelpLine& line : lines) text += item(roff(line.left), line.right + ".");
  return text;
}

std::string variables_and_codes() {
  std::string text =
      ".SH ENVIRONMENT\nVariables stand for flags that are not given. One that is set to nothing "
      "is not set.\n";
  for (const Variable& variable : all_variables()) {
    const std::string flag = " (" + std::string(variable.flag) + ")";
    text += item("\\fB" + roff(variable.name) + "\\fR",
                 std::string(variable.help) + (variable.flag.empty() ? "" : flag) + ".");
  }
  text += ".SH EXIT STATUS\n";
  for (const ExitCode& exit : all_exit_codes()) {
    text += item("\\fB" + std::to_string(exit.code) + "\\fR", exit.means);
  }
  return text;
}

// "version: 0.1.0" of CITATION.cff, which also has the day of the release.
std::string cited(const std::string& key) {
  const std::string text = test::read_text(test::source_folder() + "/CITATION.cff");
  std::smatch found;
  return std::regex_search(text, found, std::regex("\n" + key + ": \"?([0-9.-]+)")) ? found[1].str()
                                                                                    : "";
}

std::string man_page() {
  std::string text = ".\\\" Made of the program's own tables by ./dev docs.\n.TH ATTNSCOPE 1 " +
                     cited("date-released") + " \"AttnScope " + cited("version") +
                     "\" \"User Commands\"\n.nh\n";
  text +=
      ".SH NAME\nattnscope \\- compute attention from numbers you can edit and show every stage\n"
      ".SH SYNOPSIS\n\\fBattnscope\\fR [\\fIFILE\\fR...]\n.br\n"
      "\\fBattnscope\\fR \\fICOMMAND\\fR [options]\n"
      ".SH DESCRIPTION\n\\fBattnscope\\fR [\\fIFILE\\fR...] opens the window, as \\fBattnscope "
      "view\\fR does; the other commands work without one. A \\fIFILE\\fR is a path, "
      "\\fBexample:\\fINAME\\fR for a built\\-in example, or \\fB\\-\\fR for standard input. Data "
      "goes to standard output, messages to standard error.\n"
      ".PP\n\\fBattnscope \\-\\-version\\fR prints the version; with \\fB\\-\\-verbose\\fR, what "
      "the program is built from.\n.SH COMMANDS\n";
  for (const Subcommand& subcommand : all_subcommands()) text += man_section(subcommand);
  text += man_plots() + variables_and_codes();
  text +=
      ".SH FILES\n.TP\n\\fI~/.config/attnscope\\fR\nSettings of the window, or in this folder of "
      "\\fB$XDG_CONFIG_HOME\\fR.\n.TP\n\\fI~/.local/state/attnscope\\fR\nTabs of the last run, "
      "unsaved work and the log, or in this folder of \\fB$XDG_STATE_HOME\\fR.\n";
  return text + man_examples();
}

TEST(ManPage, SaysWhatTheTablesSay) { EXPECT_TRUE(test::matches_page(man_page(), "attnscope.1")); }

TEST(ManPage, NamesEveryOption) {
  const std::string text = man_page();
  for (const Subcommand& subcommand : all_subcommands()) {
    CommonFlags flags;
    for (const Flag& option : subcommand.define(flags).options) {
      const std::string name = option.names.substr(option.names.find(',') + 1);
      EXPECT_NE(text.find((option.is_positional() ? "\\fI" : "\\fB") + roff(name) + "\\fR"),
                std::string::npos)
          << name;
    }
  }
}

// Warnings of the reader of man pages about the page; nothing when it is not installed.
std::string complaints(const std::string& reader, const std::string& command) {
  if (test::run_process({"/bin/sh", "-c", "command -v " + reader}).exit_code != 0) {
    std::cout << reader << " is not installed, and does not check the page\n";
    return "";
  }
  test::ProcessOptions options;
  options.set = {{"LC_ALL", "C.UTF-8"}, {"MANROFFSEQ", ""}, {"MANWIDTH", "80"}};
  const test::ProcessResult result = test::run_process(
      {"/bin/sh", "-c", command + " " + test::source_folder() + "/docs/attnscope.1"}, options);
  return result.err + (reader == "mandoc" ? result.out : "");
}

TEST(ManPage, IsReadWithoutWarnings) {
  EXPECT_EQ(complaints("man", "man --warnings -E UTF-8 -Tutf8 -Z -l"), "");
  EXPECT_EQ(complaints("groff", "groff -k -man -Tutf8 -ww -z"), "");
  EXPECT_EQ(complaints("mandoc", "mandoc -Tlint -Wwarning"), "");
}

}  // namespace
}  // namespace attn::cli
