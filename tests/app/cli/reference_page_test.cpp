// docs/COMMAND_LINE.md matches the tables of the program.
#include <gtest/gtest.h>

#include "cli/cli.h"
#include "cli/flags.h"
#include "plot/all_plots.h"
#include "support/golden.h"
#include "view/fields.h"

namespace attn::cli {
namespace {

// A bar would end the cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string row(std::string_view left, std::string_view right) {
  return "| " + cell(left) + " | " + cell(right) + " |\n";
}

std::string table(std::string_view left, std::string_view right) {
  return row(left, right) + "|---|---|\n";
}

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string anchor(const Subcommand& subcommand) {
  return "[" + code(subcommand.name) + "](#" + std::string(subcommand.name) + ")";
}

std::string examples(const std::vector<HelpLine>& of) {
  std::size_t width = 0;
  for (const HelpLine& example : of) width = std::max(width, example.left.size());
  std::string text = "```sh\n";
  for (const HelpLine& example : of) {
    const std::string blanks(width - example.left.size() + 2, ' ');
    text += example.left + blanks + "# " + example.right + "\n";
  }
  return text + "```\n";
}

std::string options(const std::vector<HelpLine>& lines, std::string_view heading) {
  if (lines.empty()) return "";
  std::string text = "\n" + table(heading, "meaning");
  for (const HelpLine& line : lines) text += row(code(line.left), line.right);
  return text;
}

std::string plots() {
  std::string text = "\n### Plots and their options\n\n" + table("plot", "shows, with the options");
  for (const PlotEntry& plot : all_plots()) {
    const auto flag_of = [](std::string_view name) { return code(spelt(name, Spelling::Flag)); };
    text += row(code(plot.name),
                std::string(plot.help) + ": " + joined(names_of(plot.options), ", ", flag_of));
  }
  return text;
}

std::string section(const Subcommand& subcommand) {
  const CommandWords words = words_of(subcommand);
  std::string text = "\n## " + std::string(subcommand.name) + "\n\n";
  text += std::string(subcommand.help) + ".\n\n" + examples(subcommand.examples);
  text += "\n" + code(words.usage) + "\n";
  text += options(words.positionals, "argument") + options(words.options, "option");
  if (!words.footer.empty()) text += "\n```\n" + words.footer + "```\n";
  return subcommand.name == "export" ? text + plots() : text;
}

std::string commands() {
  std::string text = "\n" + table("command", "does");
  for (const Subcommand& subcommand : all_subcommands()) {
    text += row(anchor(subcommand), subcommand.help);
  }
  return text;
}

std::string exit_codes() {
  std::string text = "\n## Exit codes\n\n" + table("code", "means");
  for (const ExitCode& exit : all_exit_codes()) {
    text += row(code(std::to_string(exit.code)), exit.means);
  }
  return text;
}

std::string variables() {
  std::string text =
      "\n## Environment variables\n\nEach stands for a flag that is not given. An empty variable "
      "counts as unset.\n\n";
  text += table("variable", "meaning");
  for (const Variable& variable : all_variables()) {
    const std::string flag = variable.flag.empty() ? "" : "; the flag is " + code(variable.flag);
    text += row(code(variable.name), std::string(variable.help) + flag);
  }
  return text;
}

std::string page() {
  std::string text =
      "# The command line\n\nMade of the program's own tables by `./dev docs`; a test fails when "
      "it says anything else.\n[The guide](guide/command-line.md#on-the-command-line) explains "
      "what holds for "
      "all commands.\n\n`attnscope [FILE…]` opens the window, as `attnscope view` does; "
      "`attnscope COMMAND [options]` does the rest\nwithout one. A FILE is a path, "
      "`example:NAME` for a built-in example,\n`attnscope:NAME` for a [model of the package]"
      "(MODELS.md#models-of-the-package), or `-` for standard input. Data goes to\nstandard "
      "output, messages to standard error.\n\n";
  text += examples(program_examples()) + commands();
  for (const Subcommand& subcommand : all_subcommands()) text += section(subcommand);
  return text + exit_codes() + variables();
}

TEST(ReferencePage, SaysWhatTheTablesSay) {
  EXPECT_TRUE(test::matches_page(page(), "COMMAND_LINE.md"));
}

TEST(ReferencePage, HasAllExitCodesThatErrorsHave) {
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::Interrupted); ++kind) {
    const int code = exit_code(static_cast<ErrorKind>(kind));
    const auto of_code = [code](const ExitCode& exit) { return exit.code == code; };
    EXPECT_EQ(std::ranges::count_if(all_exit_codes(), of_code), 1) << code;
  }
}

}  // namespace
}  // namespace attn::cli
