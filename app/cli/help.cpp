// Layout of help: aligned tables, wrapped to the terminal's width.
#include <algorithm>

#include "base/embedded_assets.h"
#include "base/joined.h"
#include "base/utf8.h"
#include "cli/cli.h"

namespace attn::cli {
namespace {

constexpr std::size_t kTextWidth = 100, kWidestExample = 60;

// Wraps the text between `indent` and the text width; the first line continues the present one.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::string_view word = take_before(text, " ");
    if (column > indent && column + 1 + code_point_count(word) > kTextWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += code_point_count(word);
  }
  return out;
}

constexpr ExitCode kExitCodes[] = {{0, "done"},
                                   {1, "internal error"},
                                   {2, "wrong usage"},
                                   {3, "bad input"},
                                   {4, "over the memory limit"},
                                   {5, "cannot write"},
                                   {6, "no display or OpenGL"},
                                   {130, "interrupted"}};

}  // namespace

std::string left_of(const Flag& option) {
  std::string names = option.names;
  if (const std::size_t comma = names.find(','); comma != std::string::npos) {
    names.insert(comma + 1, " ");
  }
  return option.value.empty() ? names : names + " " + option.value;
}

std::string help_table(const std::vector<HelpLine>& lines, std::size_t widest_left) {
  std::size_t width = 0;
  for (const HelpLine& line : lines) {
    if (line.left.size() <= widest_left) width = std::max(width, line.left.size());
  }
  const std::size_t indent = width + 4;
  std::string out;
  for (const HelpLine& line : lines) {
    out += "  " + line.left;
    if (line.right.empty()) {
      out += "\n";
      continue;
    }
    out += line.left.size() > width ? "\n" + std::string(indent, ' ')
                                    : std::string(indent - 2 - line.left.size(), ' ');
    out += wrapped(line.right, indent) + "\n";
  }
  return out;
}

std::string aligned(const std::vector<TextColumn>& columns) {
  std::vector<std::string> lines(columns.front().cells.size());
  for (const auto& [cells, is_text] : columns) {
    const std::size_t width = code_point_count(std::ranges::max(cells, {}, code_point_count));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string blanks(width - code_point_count(cells[i]), ' ');
      lines[i] += (is_text ? cells[i] + blanks : blanks + cells[i]) + "  ";
    }
  }
  std::string text;
  for (std::string& line : lines) text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  return text;
}

std::span<const ExitCode> all_exit_codes() { return kExitCodes; }

CommandWords words_of(const Subcommand& subcommand) {
  CommonFlags flags;
  const Definition defined = subcommand.define(flags);
  CommandWords words{"attnscope " + std::string(subcommand.name), {}, {}, defined.footer};
  words.options.push_back({"-h, --help", "Print this help"});
  for (const Flag& option : defined.options) {
    if (option.is_positional()) {
      const bool many = std::holds_alternative<std::vector<std::string>*>(option.target);
      const std::string name = option.names + (many ? "…" : "");
      words.usage += option.required ? " " + name : " [" + name + "]";
      words.positionals.push_back({option.names, option.help});
    } else {
      std::string help = option.help;
      if (const Variable* variable = variable_of(option)) {
        help.append("; environment: ").append(variable->name);
      }
      words.options.push_back({left_of(option), std::move(help)});
    }
  }
  words.usage += " [options]";
  return words;
}

const std::vector<HelpLine>& program_examples() {
  static const std::vector<HelpLine> kExamples = {
      {"attnscope", "Open the window on a worked example"},
      {"attnscope cats.attn.json", "Open a document in the window"},
      {"attnscope compute example:i-love-cats", "Print the weights and outputs"},
      {"attnscope export cats.attn.json -o cats.png", "Draw a figure"}};
  return kExamples;
}

std::string program_help() {
  std::vector<HelpLine> commands, variables;
  for (const Subcommand& subcommand : all_subcommands()) {
    commands.push_back({std::string(subcommand.name), std::string(subcommand.help)});
  }
  for (const Variable& variable : all_variables()) {
    const std::string flag = variable.flag.empty() ? "" : " (" + std::string(variable.flag) + ")";
    variables.push_back({std::string(variable.name), std::string(variable.help) + flag});
  }
  const auto words_of_code = [](const ExitCode& exit) {
    return std::to_string(exit.code) + " " + std::string(exit.means);
  };
  std::string text(asset_named("help/program.txt"));
  text = with_replaced(text, "@EXAMPLES@\n", help_table(program_examples(), kWidestExample));
  text = with_replaced(text, "@COMMANDS@\n", help_table(commands, 20));
  text = with_replaced(text, "@VARIABLES@\n", help_table(variables, 30));
  text = with_replaced(text, "@CODES@", joined(kExitCodes, ", ", words_of_code));
  const std::size_t last = text.rfind("\n\n") + 2;
  return text.substr(0, last) + wrapped(text.substr(last, text.size() - last - 1), 0) + "\n";
}

std::string subcommand_help(const Subcommand& subcommand, const Arguments& arguments) {
  CommonFlags flags;
  const Definition defined = subcommand.define(flags);
  if (defined.short_help != nullptr && std::ranges::count(arguments, "--all") == 0) {
    return defined.short_help(defined.options, arguments);
  }
  const CommandWords words = words_of(subcommand);
  std::string text = std::string(subcommand.help) + "\n\n" + "Examples:\n" +
                     help_table(subcommand.examples, kWidestExample);
  text += "\nUsage: " + words.usage + "\n";
  if (!words.positionals.empty()) text += "\n" + help_table(words.positionals, 30);
  text += "\nOptions:\n" + help_table(words.options, 30);
  return words.footer.empty() ? text : text + "\n" + words.footer;
}

}  // namespace attn::cli
