// Arguments of one command, and every way to get them wrong in our own words.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace attn::cli {

using Arguments = std::vector<std::string>;

enum class Asked { Run, Help, Version };

// What the arguments ask for; --help wins over whatever else is wrong. `call` is what errors call
// the command: "attnscope compute". Flags may be given as "--name=true" and "--name=false". Only
// usage errors. Precondition: the parser has a help flag.
Result<Asked> parse_arguments(CLI::App& parser, const std::string& call,
                              const Arguments& arguments);

}  // namespace attn::cli
