// Lays out help: aligned tables, wrapped to the width of a terminal.
#include "cli/help.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "cli/flags.h"

namespace attn::cli {
namespace {

constexpr std::size_t kTextWidth = 96;

// `text` wrapped between `indent` and the text width; the first line follows what is there.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (column > indent && column + 1 + code_point_count(word) > kTextWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += code_point_count(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string examples_text(std::span<const HelpExample> examples) {
  std::vector<HelpLine> lines;
  lines.reserve(examples.size());
  for (const HelpExample& example : examples) {
    lines.push_back({std::string(example.call), std::string(example.does)});
  }
  return "Examples:\n" + help_table(lines, 60);
}

// "--values" with its opposite as "--[no-]values".
std::string option_names(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += (names.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) {
    if (option.check_fname(name)) continue;
    const bool has_opposite = option.check_fname("no-" + name);
    names += (names.empty() ? "--" : ", --") + (has_opposite ? "[no-]" + name : name);
  }
  const std::string& value = option.get_option_text();
  return value.empty() ? names : names + " " + value;
}

std::string usage(const Subcommand& subcommand, const CLI::App& parser) {
  std::string text = "attnscope " + std::string(subcommand.name);
  for (const CLI::Option* option : parser.get_options()) {
    if (!option->get_positional()) continue;
    std::string name = option->get_name(true);
    if (option->get_expected_max() > 1) name += "…";
    text += option->get_required() ? " " + name : " [" + name + "]";
  }
  return text + " [options]";
}

CommandWords words_of(const Subcommand& subcommand, const CLI::App& parser) {
  CommandWords words{usage(subcommand, parser), {}, {}, parser.get_footer()};
  for (const CLI::Option* option : parser.get_options()) {
    const bool positional = option->get_positional();
    std::vector<HelpLine>& lines = positional ? words.positionals : words.options;
    lines.push_back(
        {positional ? option->get_name(true) : option_names(*option), option->get_description()});
  }
  return words;
}

std::string exit_codes_text() {
  std::string text;
  for (const ExitCode& code : all_exit_codes()) {
    text += (text.empty() ? "" : ", ") + std::to_string(code.code) + " " + std::string(code.means);
  }
  return text;
}

constexpr std::array<HelpExample, 4> kProgramExamples = {
    {{"attnscope", "Open the window on a worked example"},
     {"attnscope cats.attn.json", "Open a document in the window"},
     {"attnscope compute example:i-love-cats", "Print the weights and outputs"},
     {"attnscope export cats.attn.json -o cats.png", "Draw a figure"}}};

constexpr std::array<ExitCode, 8> kExitCodes = {{{0, "done"},
                                                 {1, "internal error"},
                                                 {2, "wrong usage"},
                                                 {3, "bad input"},
                                                 {4, "over the memory limit"},
                                                 {5, "cannot write"},
                                                 {6, "no display or OpenGL"},
                                                 {130, "interrupted"}}};

std::string variables_help() {
  std::vector<HelpLine> lines;
  for (const Variable& variable : all_variables()) {
    const std::string flag = variable.flag.empty() ? "" : " (" + std::string(variable.flag) + ")";
    lines.push_back({std::string(variable.name), std::string(variable.help) + flag});
  }
  return help_table(lines, 30);
}

}  // namespace

std::string help_table(const std::vector<HelpLine>& lines, std::size_t widest_left) {
  std::size_t width = 0;
  for (const HelpLine& line : lines) {
    if (line.left.size() <= widest_left) width = std::max(width, line.left.size());
  }
  const std::size_t indent = width + 4;
  std::string out;
  for (const HelpLine& line : lines) {
    out += "  " + line.left;
    out += line.left.size() > width ? "\n" + std::string(indent, ' ')
                                    : std::string(indent - 2 - line.left.size(), ' ');
    out += wrapped(line.right, indent) + "\n";
  }
  return out;
}

std::span<const ExitCode> all_exit_codes() { return kExitCodes; }

CommandWords words_of(const Subcommand& subcommand) {
  CLI::App parser;
  add_help(parser);
  subcommand.define(parser);
  return words_of(subcommand, parser);
}

std::span<const HelpExample> program_examples() { return kProgramExamples; }

std::string program_help() {
  std::string text =
      "AttnScope computes attention from numbers you can edit and shows every stage.\n\n";
  text += examples_text(program_examples());
  std::vector<HelpLine> commands;
  for (const Subcommand& subcommand : all_subcommands()) {
    commands.push_back({std::string(subcommand.name), std::string(subcommand.help)});
  }
  text += "\nUsage: attnscope [FILE…]\n       attnscope COMMAND [options]\n";
  text += "\nCommands:\n" + help_table(commands, 20);
  text += "\nOptions:\n" + help_table({{"-h, --help", "Print this help; after a command, its own"},
                                       {"--version",
                                        "Print the version; with --verbose, what it "
                                        "is built from"}},
                                      20);
  text += "\nEnvironment, where no flag says otherwise:\n" + variables_help();
  text += "\n" +
          wrapped(
              "FILE is a path, example:NAME for a built-in example, or - for standard input. "
              "Data goes to standard output, messages to standard error. Exit codes: " +
                  exit_codes_text() + ".",
              0) +
          "\n";
  return text;
}

std::string subcommand_help(const Subcommand& subcommand, const CLI::App& parser) {
  const CommandWords words = words_of(subcommand, parser);
  std::string text = std::string(subcommand.help) + "\n\n" + examples_text(subcommand.examples);
  text += "\nUsage: " + words.usage + "\n";
  if (!words.positionals.empty()) text += "\n" + help_table(words.positionals, 30);
  text += "\nOptions:\n" + help_table(words.options, 30);
  return words.footer.empty() ? text : text + "\n" + words.footer;
}

}  // namespace attn::cli
