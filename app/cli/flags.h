// Flags that several subcommands share, and the reading of their values.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

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

// How an option that takes a value is written and explained.
struct OptionWords {
  std::string names;       // "-o,--output"; without dashes what stands without a name, "FILE"
  std::string help;        // one line
  std::string value = {};  // what stands for the value in help: "OUT"
  bool required = false;
};

// The options of a subcommand. All borrow what they write to until the parser is done; only these
// know the library that parses.
void add_text(CLI::App& parser, const OptionWords& words, std::string& text);
void add_texts(CLI::App& parser, const OptionWords& words, std::vector<std::string>& texts);
void add_switch(CLI::App& parser, const std::string& names, const std::string& help, bool& on);
// Hands over what is given, in the order of the command line.
void add_setting(CLI::App& parser, const OptionWords& words,
                 const std::function<void(const std::string&)>& keep);
// --NAME and --no-NAME, of which the last one counts.
void add_on_or_off(CLI::App& parser, const std::string& flag, const std::string& help,
                   const std::function<void(bool)>& keep);
// Below the options in the subcommand's help.
void add_footer(CLI::App& parser, const std::string& text);

struct CommonFlags {
  bool quiet = false;
  bool json = false;
  std::string memory_limit = "4GiB";
};

// The same words everywhere.
void add_file(CLI::App& parser, std::string& file);
void add_quiet(CLI::App& parser, CommonFlags& flags);
void add_json(CLI::App& parser, CommonFlags& flags);
void add_memory_limit(CLI::App& parser, CommonFlags& flags);
void add_force(CLI::App& parser, Destination& destination);
void add_output(CLI::App& parser, Destination& destination, std::string_view help);

}  // namespace attn::cli
