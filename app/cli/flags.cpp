// Adds the flags that subcommands share, and refuses values that they cannot take.
#include "cli/flags.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include "base/number_text.h"

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

void explain(CLI::Option* option, const OptionWords& words) {
  if (!words.value.empty()) option->option_text(words.value);
  option->required(words.required);
}

}  // namespace

Error usage_error(std::string message, std::string hint) {
  Error error;
  error.kind = ErrorKind::Usage;
  error.message = std::move(message);
  error.hint = std::move(hint);
  return error;
}

Result<std::uint64_t> parse_bytes(std::string_view text) {
  const std::string lower = lower_without_blanks(text);
  const std::size_t digits = lower.find_first_not_of("0123456789.");
  const std::string unit = digits == std::string::npos ? "" : lower.substr(digits);
  const std::optional<double> number = size_in(lower.substr(0, digits));
  for (const Unit& known : kUnits) {
    if (!number || known.name != unit) continue;
    const double bytes = std::floor(*number * known.bytes);
    if (bytes >= 1.0 && bytes <= 1e18) return static_cast<std::uint64_t>(bytes);
  }
  Error error = usage_error("--memory-limit is not a size");
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
  explain(parser.add_option(words.names, text, words.help), words);
}

void add_texts(CLI::App& parser, const OptionWords& words, std::vector<std::string>& texts) {
  explain(parser.add_option(words.names, texts, words.help), words);
}

void add_switch(CLI::App& parser, const std::string& names, const std::string& help, bool& on) {
  parser.add_flag(names, on, help);
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

void add_file(CLI::App& parser, std::string& file) {
  add_text(parser,
           {"FILE", "The document: a path, example:NAME, or - for standard input", "", true}, file);
}

void add_quiet(CLI::App& parser, CommonFlags& flags) {
  add_switch(parser, "-q,--quiet", "No messages but errors", flags.quiet);
}

void add_json(CLI::App& parser, CommonFlags& flags) {
  add_switch(parser, "--json", "As JSON, for programs", flags.json);
}

void add_memory_limit(CLI::App& parser, CommonFlags& flags) {
  add_text(
      parser,
      {"--memory-limit", "Refuse what would take more memory than this (default 4GiB)", "SIZE"},
      flags.memory_limit);
}

void add_force(CLI::App& parser, Destination& destination) {
  add_switch(parser, "-f,--force", "Replace OUT when it exists", destination.force);
}

void add_output(CLI::App& parser, Destination& destination, std::string_view help) {
  add_text(parser, {"-o,--output", std::string(help), "OUT"}, destination.path);
  add_force(parser, destination);
}

}  // namespace attn::cli
