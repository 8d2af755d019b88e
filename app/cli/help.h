// The words of --help: examples first, then how to call it, then every option.
#pragma once

#include <string>

#include "cli/subcommand.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace attn::cli {

std::string program_help();
std::string subcommand_help(const Subcommand& subcommand, const CLI::App& parser);

}  // namespace attn::cli
