// Adds the flags that subcommands share, and refuses values that they cannot take.
#include "cli/flags.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "base/number_text.h"
#include "engine/compute.h"
#include "engine/kernels/parallel.h"

namespace attn::cli {
namespace {

struct Unit {
  std::string_view name;  // lower case
  double bytes;
};
constexpr double kKibi = 1024.0;
constexpr std::array<Unit, 14> kUnits = {{{"", 1},
                                          {"b", 1},
                                          {"k", kKibi},
                                          {"kb", 1e3},
                                          {"kib", kKibi},
                                          {"m", kKibi* kKibi},
                                          {"mb", 1e6},
                                          {"mib", kKibi* kKibi},
                                          {"g", kKibi* kKibi* kKibi},
                                          {"gb", 1e9},
                                          {"gib", kKibi* kKibi* kKibi},
                                          {"t", kKibi* kKibi* kKibi* kKibi},
                                          {"tb", 1e12},
                                          {"tib", kKibi* kKibi* kKibi* kKibi}}};

std::string lower_without_blanks(std::string_view text) {
  std::string lower;
  for (const char c : text) {
    if (c != ' ') lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower;
}

// A whole number to its last digit, which a float would not hold.
std::optional<double> size_in(std::string_view digits) {
  if (const Result<std::int64_t> whole = parse_integer(digits)) return static_cast<double>(*whole);
  const Result<float> number = parse_number(digits);
  return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

std::string bounds_text(double minimum, double maximum) {
  return plain_text(minimum) + " to " + plain_text(maximum);
}

constexpr std::array<Variable, 10> kVariables = {
    {{"--scale", "ATTNSCOPE_SCALE", "Size of everything in the window"},
     {"--theme", "ATTNSCOPE_THEME", "Theme of the window"},
     {"--memory-limit", "ATTNSCOPE_MEMORY_LIMIT", "What a document may take"},
     {"--threads", "ATTNSCOPE_THREADS", "How many threads compute"},
     {"--allow-outside", "ATTNSCOPE_ALLOW_OUTSIDE",
      "Files outside of a document's folder may be read, if it is set to anything"},
     {"--config-dir", "ATTNSCOPE_CONFIG_DIR", "Folder of settings and of what a next start needs"},
     {"--log-level", "ATTNSCOPE_LOG_LEVEL", "What the window writes to its log"},
     {"--no-color", "NO_COLOR", "Messages without colours, if it is set to anything"},
     {"", "ATTNSCOPE_INSTRUCTIONS", "The instruction set to compute with, instead of the best"}}};

// Null where no variable stands for the flag.
const Variable* variable_for(std::string_view flag) {
  const auto found = std::ranges::find(kVariables, flag, &Variable::flag);
  return flag.empty() || found == kVariables.end() ? nullptr : &*found;
}

void explain(CLI::Option* option, const OptionWords& words) {
  if (!words.value.empty()) option->option_text(words.value);
  option->required(words.required);
}

// "--output" of "-o,--output"; empty for what stands without a name.
std::string flag_of(const std::string& names) {
  const std::size_t at = names.find("--");
  return at == std::string::npos ? "" : names.substr(at);
}

// The help of a flag, with the variable that stands for it.
std::string help_with_variable(const std::string& names, const std::string& help) {
  const Variable* variable = variable_for(flag_of(names));
  return variable == nullptr ? help : help + "; environment: " + std::string(variable->name);
}

Result<unsigned> threads_of(const CommonFlags& flags) {
  const Given threads = given_for("--threads", flags.threads);
  if (threads.text.empty()) return 0U;
  const Result<std::int64_t> number = parse_integer(threads.text);
  if (number && *number >= 1 && *number <= kMostThreads) return static_cast<unsigned>(*number);
  Error error = usage_error(threads.name + " is no number of threads");
  error.found = "\"" + threads.text + "\"";
  error.expected = "1 to " + std::to_string(kMostThreads);
  return error;
}

}  // namespace

std::span<const Variable> all_variables() { return kVariables; }

Given given_for(std::string_view flag, const std::string& text) {
  const Variable* variable = variable_for(flag);
  if (!text.empty() || variable == nullptr) return {std::string(flag), text};
  const char* value = std::getenv(std::string(variable->name).c_str());
  return value == nullptr ? Given{std::string(flag), ""}
                          : Given{std::string(variable->name), value};
}

Result<std::uint64_t> parse_bytes(std::string_view name, std::string_view text) {
  const std::string lower = lower_without_blanks(text);
  const std::size_t digits = lower.find_first_not_of("0123456789.");
  const std::string unit = digits == std::string::npos ? "" : lower.substr(digits);
  const std::optional<double> number = size_in(lower.substr(0, digits));
  for (const Unit& known : kUnits) {
    if (!number || known.name != unit) continue;
    const double bytes = std::floor(*number * known.bytes);
    if (bytes >= 1.0 && bytes <= 1e18) return static_cast<std::uint64_t>(bytes);
  }
  Error error = usage_error(std::string(name) + " is not a size");
  error.found = "\"" + std::string(text) + "\"";
  error.expected = "something like 2GiB, 500MB or 1048576";
  return error;
}

Result<double> parse_flag_number(std::string_view name, std::string_view text, double minimum,
                                 double maximum) {
  const Result<float> number = parse_number(text);
  if (number && static_cast<double>(*number) >= minimum &&
      static_cast<double>(*number) <= maximum) {
    return static_cast<double>(*number);
  }
  Error error = usage_error(std::string(name) + " is not a number that it can take");
  error.found = "\"" + std::string(text) + "\"";
  error.expected = bounds_text(minimum, maximum);
  return error;
}

void add_text(CLI::App& parser, const OptionWords& words, std::string& text) {
  explain(parser.add_option(words.names, text, help_with_variable(words.names, words.help)), words);
}

void add_texts(CLI::App& parser, const OptionWords& words, std::vector<std::string>& texts) {
  explain(parser.add_option(words.names, texts, words.help), words);
}

void add_switch(CLI::App& parser, const std::string& names, const std::string& help, bool& on) {
  parser.add_flag(names, on, help_with_variable(names, help));
}

void add_setting(CLI::App& parser, const OptionWords& words,
                 const std::function<void(const std::string&)>& keep) {
  explain(parser.add_option_function<std::string>(words.names, keep, words.help), words);
}

void add_on_or_off(CLI::App& parser, const std::string& flag, const std::string& help,
                   const std::function<void(bool)>& keep) {
  const auto count = [keep](std::int64_t times) { keep(times > 0); };
  parser.add_flag_function(flag + ",!--no-" + flag.substr(2), count, help)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void add_footer(CLI::App& parser, const std::string& text) { parser.footer(text); }

void add_help(CLI::App& parser) { parser.set_help_flag("-h,--help", "Print this help"); }

void add_file(CLI::App& parser, std::string& file) {
  add_text(parser,
           {"FILE", "The document: a path, example:NAME, or - for standard input", "", true}, file);
}

void add_messages(CLI::App& parser, CommonFlags& flags) {
  add_switch(parser, "-q,--quiet", "No messages but errors", flags.quiet);
  add_switch(parser, "-v,--verbose",
             "What is read, how it is understood, memory and times, on standard error",
             flags.verbose);
  add_switch(parser, "--no-color", "Messages without colours", flags.no_color);
}

void add_numbers(CLI::App& parser, CommonFlags& flags) {
  add_switch(parser, "--numbers",
             "Looks at what the numbers come to however long that takes (default: a few seconds)",
             flags.numbers);
}

void add_json(CLI::App& parser, CommonFlags& flags) {
  add_switch(parser, "--json", "As JSON, for programs", flags.json);
}

void add_computing(CLI::App& parser, CommonFlags& flags) {
  add_text(
      parser,
      {"--memory-limit", "Refuse what would take more memory than this (default 4GiB)", "SIZE"},
      flags.memory_limit);
  add_threads(parser, flags);
}

void add_threads(CLI::App& parser, CommonFlags& flags) {
  add_text(parser,
           {"--threads",
            "How many threads compute, 1 to " + std::to_string(kMostThreads) +
                "; results do not depend on it (default: as many as the machine has)",
            "N"},
           flags.threads);
}

void add_outside(CLI::App& parser, CommonFlags& flags) {
  add_switch(parser, "--allow-outside",
             "Reads files that the document refers to wherever they are, not only in its folder",
             flags.allow_outside);
}

void add_seed(CLI::App& parser, CommonFlags& flags) {
  add_text(parser,
           {"--seed", "Generates what the document does not give from this seed (default: its own)",
            "N"},
           flags.seed);
}

Status begin(const CommonFlags& flags, Console& console) {
  if (flags.quiet && flags.verbose) {
    return usage_error("--quiet and --verbose say the opposite", "leave one of them out");
  }
  console.set_quiet(flags.quiet);
  console.set_verbose(flags.verbose);
  if (flags.no_color) console.set_without_colors();
  const Result<unsigned> threads = threads_of(flags);
  if (!threads) return threads.error();
  use_threads(*threads);
  if (const auto limit = memory_limit_of(flags); !limit) return limit.error();
  if (const auto seed = seed_of(flags); !seed) return seed.error();
  return ok_status();
}

Result<std::uint64_t> memory_limit_of(const CommonFlags& flags) {
  const Given limit = given_for("--memory-limit", flags.memory_limit);
  return limit.text.empty() ? kUsualMemoryLimitBytes : parse_bytes(limit.name, limit.text);
}

bool allows_outside(const CommonFlags& flags) {
  return flags.allow_outside || !given_for("--allow-outside", "").text.empty();
}

Result<std::optional<std::uint64_t>> seed_of(const CommonFlags& flags) {
  if (flags.seed.empty()) return std::optional<std::uint64_t>();
  const Result<std::int64_t> seed = parse_integer(flags.seed);
  if (seed && *seed >= 0) return std::optional(static_cast<std::uint64_t>(*seed));
  Error error = usage_error("--seed is no whole number that a document could have");
  error.found = "\"" + flags.seed + "\"";
  error.expected = "0 or more";
  return error;
}

void add_force(CLI::App& parser, Destination& destination) {
  add_switch(parser, "-f,--force", "Replace OUT when it exists", destination.force);
}

void add_output(CLI::App& parser, Destination& destination, std::string_view help) {
  add_text(parser, {"-o,--output", std::string(help), "OUT"}, destination.path);
  add_force(parser, destination);
}

}  // namespace attn::cli
