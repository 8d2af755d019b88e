// Options of the command line as rows, the options that subcommands share, and parsers of values.
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
#include "session/figure_request.h"
#include "text/reader.h"

namespace attn::cli {

// An option of a subcommand, or a positional argument.
struct Flag {
  // Receives each value, in the order of the command line; "true" or "false" for switches.
  using Keep = std::function<void(const std::string&)>;

  std::string names;  // "-o,--output"; "FILE"; "--[no-]values", of which the last one counts
  std::string value;  // placeholder of the value in help: "OUT"; empty: none
  std::string help;   // one line
  std::variant<bool*, std::string*, std::vector<std::string>*, Keep> target{};  // borrowed
  bool required = false;
  std::vector<std::string_view> choices{};  // names that the value can be; empty: any value

  bool is_positional() const { return names.front() != '-'; }
};
using Flags = std::vector<Flag>;

inline constexpr const char* kNumbersName = "NUMBERS";  // of values that are lists of numbers

// True if the placeholder of a value names a file or folder.
bool names_file(std::string_view placeholder);

// An environment variable that replaces a missing flag.
struct Variable {
  std::string_view flag;  // "--scale"; empty: none
  std::string_view name;  // "ATTNSCOPE_SCALE"
  std::string_view help;  // one line
};

// Returns all environment variables of the program.
std::span<const Variable> all_variables();

// Returns the variable of an option, or null. Options with a Keep target have none.
const Variable* variable_of(const Flag& option);

// The text given by a flag or its variable, with its source for errors; no text if neither is
// given. An empty variable counts as unset.
struct Given {
  std::string name, text;
};
Given given_for(std::string_view flag, const std::string& text);

// Returns the usage error on a value of a flag or variable.
Error no_value(const std::string& message, std::string_view text, const std::string& expected);

// Returns the usage error on a flag without effect; `why`: "This stage joins all heads".
Error idle(const std::string& flag, std::string why);

// Returns the number within bounds that a flag or its variable gives; nothing without either.
// Errors cite the flag or variable.
Result<std::optional<double>> number_given(std::string_view flag, const std::string& text,
                                           double minimum, double maximum);

// Values of options that several subcommands have, or that control how the work is done.
struct CommonFlags {
  std::vector<std::string> files;  // as given; "runs/*.npz"
  std::string file;                // of the document in progress
  Destination destination;
  bool quiet = false, verbose = false, no_color = false;
  bool json = false, allow_outside = false, allow_nan = false, numbers = false;
  bool checks_lessons = false;
  bool however_long = false;                                  // the work may take any time
  std::string jobs;                                           // figures at a time
  std::string memory_limit, threads, seed, arrays, left_out;  // texts; empty: not given
  WhatIfTexts what_if;
  std::optional<std::string> text;  // that the model of a folder reads
  std::string text_file, ids;       // in its place
  // Parsed by begin() from these texts and the variables.
  std::uint64_t memory_limit_bytes = 0;
  std::optional<std::uint64_t> seed_number;  // nothing: the document's seed
  ModelInput input;
};

// Options with equal words in all subcommands.
inline constexpr unsigned kNumbers = 1, kJson = 2, kSeed = 4, kComputing = 8, kMessages = 16,
                          kOutput = 32, kChanges = 64;
void add_shared(Flags& options, CommonFlags& flags, unsigned which);

inline constexpr const char* kFilesHelp = "Documents: paths, example:NAME, or - for standard input";
inline constexpr const char* kOutputHelp = "Where to write; - is standard output (default)";
inline constexpr const char* kForceHelp = "Replace OUT when it exists";

// Returns "did you mean four-heads?"; `otherwise` without a near name.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> known,
                         const std::string& otherwise = {});

// Returns the error "there is no plot named heat; did you mean heatmap?"
Error unknown_name(const std::string& what, const std::string& name,
                   const std::vector<std::string_view>& known);

// Refuses invalid flags and variables (Usage), and sets up the console and the number of threads.
// It is called before reading and computing.
Status begin(CommonFlags& flags, Console& console);

}  // namespace attn::cli
