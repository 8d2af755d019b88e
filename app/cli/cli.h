// Command line: all subcommands, usable without a display.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/view_request.h"

namespace attn::cli {

// Runs the program with the arguments after its name. Data goes to stdout, messages to stderr.
int run(const std::vector<std::string>& arguments, const OpenWindow& open_window);

// Errors that run() reports before it does anything: an unknown command or option, or a missing
// argument. Values of options are not checked.
Status check_call(const std::vector<std::string>& arguments);

}  // namespace attn::cli
