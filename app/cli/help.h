// The words of --help: examples first, then how to call it, then every option.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/subcommand.h"

namespace attn::cli {

// A line of a table: what one types and what it does. An empty left continues the line above.
struct HelpLine {
  std::string left, right;
};

// Both columns aligned, the right one wrapped. A left one of more than `widest_left` bytes has a
// line of its own.
std::string help_table(const std::vector<HelpLine>& lines, std::size_t widest_left);

// An exit code and what it says.
struct ExitCode {
  int code;
  std::string_view means;  // "wrong usage"
};
std::span<const ExitCode> all_exit_codes();

// What help says of a command, which docs/COMMAND_LINE.md says too.
struct CommandWords {
  std::string usage;                           // "attnscope compute FILE [options]"
  std::vector<HelpLine> positionals, options;  // as they are declared
  std::string footer;                          // lines of its own; empty: none
};
CommandWords words_of(const Subcommand& subcommand);

// Worked examples of the program as a whole.
std::span<const HelpExample> program_examples();

std::string program_help();

std::string subcommand_help(const Subcommand& subcommand);

}  // namespace attn::cli
