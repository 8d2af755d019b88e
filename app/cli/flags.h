// Flags that several subcommands share, and the reading of their values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/output.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace attn::cli {

// An environment variable that says what a flag does not.
struct Variable {
  std::string_view flag;  // "--scale"; empty: there is none
  std::string_view name;  // "ATTNSCOPE_SCALE"
  std::string_view help;  // one line
};

// All that the program reads; those with a flag are said in its help too.
std::span<const Variable> all_variables();

// What was given for a flag, and whether the flag or its variable did, for errors to cite. Neither:
// no text. A variable that is set to nothing is not set.
struct Given {
  std::string name, text;
};
Given given_for(std::string_view flag, const std::string& text);

// "2GiB", "500 MB", "1048576": KB, MB, GB count by 1000, KiB, MiB, GiB (or K, M, G) by 1024. Errors
// cite `name`.
Result<std::uint64_t> parse_bytes(std::string_view name, std::string_view text);

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

// Texts as they are given; empty: not given.
struct CommonFlags {
  bool quiet = false, verbose = false, no_color = false;
  bool json = false, allow_outside = false, numbers = false;
  std::string memory_limit, threads, seed;
};

// To be called before anything is read or computed: refuses what flags and environment say that
// makes no sense (Usage), and sets the console and the number of threads.
Status begin(const CommonFlags& flags, Console& console);

// The flag's, the environment's, else 4 GiB.
Result<std::uint64_t> memory_limit_of(const CommonFlags& flags);
// The flag's, or the environment's.
bool allows_outside(const CommonFlags& flags);
// Nothing: the document's own.
Result<std::optional<std::uint64_t>> seed_of(const CommonFlags& flags);

// The same words everywhere.
void add_help(CLI::App& parser);
void add_file(CLI::App& parser, std::string& file);
void add_messages(CLI::App& parser, CommonFlags& flags);  // how much is said, and how
void add_numbers(CLI::App& parser, CommonFlags& flags);
void add_json(CLI::App& parser, CommonFlags& flags);
void add_computing(CLI::App& parser, CommonFlags& flags);  // memory and threads
void add_threads(CLI::App& parser, CommonFlags& flags);
void add_outside(CLI::App& parser, CommonFlags& flags);
void add_seed(CLI::App& parser, CommonFlags& flags);
void add_force(CLI::App& parser, Destination& destination);
void add_output(CLI::App& parser, Destination& destination, std::string_view help);

}  // namespace attn::cli
