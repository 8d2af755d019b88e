// The command line: every subcommand, usable without a display.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/view_request.h"

namespace attn::cli {

// Runs the program with the arguments after its name. Data to stdout, messages to stderr.
int run(const std::vector<std::string>& arguments, const OpenWindow& open_window);

// What run() would say of the arguments before it does anything: that there is no such command or
// option, or that something is missing. Texts of options are not looked at.
Status check_call(const std::vector<std::string>& arguments);

}  // namespace attn::cli
