// The words of --help: examples first, then how to call it, then every option.
#pragma once

#include <string>
#include <vector>

#include "cli/subcommand.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace attn::cli {

// A line of a table: what one types and what it does. An empty left continues the line above.
struct HelpLine {
  std::string left, right;
};

// Both columns aligned, the right one wrapped. A left one of more than `widest_left` bytes has a
// line of its own.
std::string help_table(const std::vector<HelpLine>& lines, std::size_t widest_left);

std::string program_help();

// The parser's footer comes last, as it is.
std::string subcommand_help(const Subcommand& subcommand, const CLI::App& parser);

}  // namespace attn::cli
