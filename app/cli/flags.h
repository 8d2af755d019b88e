// Flags that several subcommands share, and the reading of their values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/output.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace attn::cli {

Error usage_error(std::string message, std::string hint = {});

// "2GiB", "500 MB", "1048576": KB, MB, GB count by 1000, KiB, MiB, GiB (or K, M, G) by 1024.
Result<std::uint64_t> parse_bytes(std::string_view text);

// A number or whole number within bounds for the flag `name`, which errors cite.
Result<double> parse_flag_number(std::string_view name, std::string_view text, double minimum,
                                 double maximum);

struct CommonFlags {
  bool quiet = false;
  bool json = false;
  std::string memory_limit = "4GiB";
};

// The same words everywhere. They borrow `file`, `flags` and `destination` until the parser is
// done.
void add_file(CLI::App& parser, std::string& file);
void add_quiet(CLI::App& parser, CommonFlags& flags);
void add_json(CLI::App& parser, CommonFlags& flags);
void add_memory_limit(CLI::App& parser, CommonFlags& flags);
void add_output(CLI::App& parser, Destination& destination, std::string_view help);

}  // namespace attn::cli
