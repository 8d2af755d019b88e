// Options as rows, those that several subcommands share, and the reading of their values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "cli/console.h"

namespace attn::cli {

// An option of a subcommand, or an argument that stands without a name.
struct Flag {
  // Gets each value, in the order of the command line; of a switch "true" or "false".
  using Keep = std::function<void(const std::string&)>;

  std::string names;  // "-o,--output"; "FILE"; "--[no-]values", of which the last given counts
  std::string value;  // what stands for the value in help: "OUT"; empty for what has none
  std::string help;   // one line
  std::variant<bool*, std::string*, std::vector<std::string>*, Keep> target{};  // borrowed
  bool required = false;

  bool is_positional() const { return names.front() != '-'; }
};
using Flags = std::vector<Flag>;

// An environment variable that stands for a flag that is not given.
struct Variable {
  std::string_view flag;  // "--scale"; empty: there is none
  std::string_view name;  // "ATTNSCOPE_SCALE"
  std::string_view help;  // one line
};

// All that the program reads.
std::span<const Variable> all_variables();

// The variable of an option, or null. Options that hand over their values have none.
const Variable* variable_of(const Flag& option);

// What was given for a flag, and whether the flag or its variable did, for errors to cite. Neither:
// no text. A variable that is set to nothing is not set.
struct Given {
  std::string name, text;
};
Given given_for(std::string_view flag, const std::string& text);

// A number within bounds for the flag `name`, which errors cite.
Result<double> parse_flag_number(std::string_view name, std::string_view text, double minimum,
                                 double maximum);

// "a, b, c"
std::string joined(const std::vector<std::string_view>& names, std::string_view separator = ", ");

struct CommonFlags {
  bool quiet = false, verbose = false, no_color = false;
  bool json = false, allow_outside = false, numbers = false;
  std::string memory_limit, threads, seed;  // texts; empty: not given
  // What begin() reads of them and of the variables.
  std::uint64_t memory_limit_bytes = 0;
  std::optional<std::uint64_t> seed_number;  // nothing: the document's own
};

// Options with the same words everywhere.
enum Shared : unsigned { kNumbers = 1, kJson = 2, kSeed = 4, kComputing = 8, kMessages = 16 };
void add_shared(Flags& options, CommonFlags& flags, unsigned which);

inline constexpr const char* kFileHelp =
    "The document: a path, example:NAME, or - for standard input";
inline constexpr const char* kFilesHelp = "Documents: paths, example:NAME, or - for standard input";
inline constexpr const char* kOutputHelp = "Where to write; - is standard output (default)";
inline constexpr const char* kForceHelp = "Replace OUT when it exists";

// To be called before anything is read or computed: refuses what flags and environment say that
// makes no sense (Usage), and sets the console and the number of threads.
Status begin(CommonFlags& flags, Console& console);

}  // namespace attn::cli
