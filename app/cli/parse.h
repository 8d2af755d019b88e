// Arguments of one command, and every way to get them wrong in our own words.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/flags.h"

namespace attn::cli {

using Arguments = std::vector<std::string>;

// The program alone, which is the window and has a version.
inline constexpr std::string_view kProgram = "attnscope";

enum class Asked { Run, Help, Version, BuildInformation };

// What the arguments ask for; --help wins over whatever else is wrong. `call` is what errors call
// the command: "attnscope compute". Flags may be given as "--name=true" and "--name=false". Only
// usage errors.
Result<Asked> parse_arguments(const Options& options, const std::string& call,
                              const Arguments& arguments);

}  // namespace attn::cli
