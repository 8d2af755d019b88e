// Texts of --help: examples, usage, options.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/subcommand.h"

namespace attn::cli {

// A line of a table: input and explanation. An empty left column continues the line above.
struct HelpLine {
  std::string left, right;
};

// Aligned columns, the right one wrapped. Left cells of more than `widest_left` bytes get a line of
// their own.
std::string help_table(const std::vector<HelpLine>& lines, std::size_t widest_left);

// An exit code and its meaning.
struct ExitCode {
  int code;
  std::string_view means;  // "wrong usage"
};
std::span<const ExitCode> all_exit_codes();

// Help of a command, also printed in docs/COMMAND_LINE.md.
struct CommandWords {
  std::string usage;                           // "attnscope compute FILE [options]"
  std::vector<HelpLine> positionals, options;  // in order of declaration
  std::string footer;                          // further lines; empty: none
};
CommandWords words_of(const Subcommand& subcommand);

// Examples of the program as a whole.
std::span<const HelpExample> program_examples();

std::string program_help();

std::string subcommand_help(const Subcommand& subcommand);

}  // namespace attn::cli
