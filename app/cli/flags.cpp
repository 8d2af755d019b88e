// Shared options of subcommands, and checks of flags and variables.
#include "cli/flags.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/files.h"
#include "base/joined.h"
#include "base/number_text.h"
#include "base/parsed_number.h"
#include "base/utf8.h"
#include "document/load/array_reading.h"
#include "engine/compute.h"
#include "engine/kernels/parallel.h"
#include "text/nearest.h"

namespace attn::cli {
namespace {

constexpr std::uint64_t kMostTextBytes = std::uint64_t{64} << 20U;

constexpr std::pair<std::string_view, double> kUnits[] = {
    {"", 1},         {"b", 1},      {"k", 0x1p10},   {"kb", 1e3},    {"kib", 0x1p10},
    {"m", 0x1p20},   {"mb", 1e6},   {"mib", 0x1p20}, {"g", 0x1p30},  {"gb", 1e9},
    {"gib", 0x1p30}, {"t", 0x1p40}, {"tb", 1e12},    {"tib", 0x1p40}};

constexpr Variable kVariables[] = {
    {"--scale", "ATTNSCOPE_SCALE", "Scale of the window"},
    {"--theme", "ATTNSCOPE_THEME", "Theme of the window"},
    {"--memory-limit", "ATTNSCOPE_MEMORY_LIMIT", "Memory limit of a document"},
    {"--threads", "ATTNSCOPE_THREADS", "How many threads compute"},
    {"--allow-outside", "ATTNSCOPE_ALLOW_OUTSIDE",
     "Files outside of a document's folder may be read, if it is set to anything"},
    {"--allow-nan", "ATTNSCOPE_ALLOW_NAN",
     "NaN, Infinity and -Infinity in documents are numbers, if it is set to anything"},
    {"--config-dir", "ATTNSCOPE_CONFIG_DIR", "Folder of settings and of state for the next start"},
    {"--log-level", "ATTNSCOPE_LOG_LEVEL", "What the window writes to its log"},
    {"--no-color", "NO_COLOR", "Messages without colours, if it is set to anything"},
    {"", "ATTNSCOPE_INSTRUCTIONS", "The instruction set to compute with, instead of the best"}};

// Returns null if no variable replaces the flag.
const Variable* variable_for(std::string_view flag) {
  const auto found = std::ranges::find(kVariables, flag, &Variable::flag);
  return flag.empty() || found == std::end(kVariables) ? nullptr : found;
}

// Returns the number in the digits; integers are exact, which a float would round.
std::optional<double> size_in(std::string_view digits) {
  if (const Result<std::int64_t> whole = parse_integer(digits)) return static_cast<double>(*whole);
  const Result<float> number = parse_number(digits);
  return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

// "2GiB", "500 MB", "1048576": KB, MB, GB count by 1000, KiB, MiB, GiB (or K, M, G) by 1024.
Result<std::uint64_t> parse_bytes(const Given& given) {
  std::string lower = in_small_letters(given.text);
  std::erase(lower, ' ');
  const std::size_t digits = std::min(lower.find_first_not_of("0123456789."), lower.size());
  const std::optional<double> number = size_in(lower.substr(0, digits));
  for (const auto& [unit, size] : kUnits) {
    if (!number || lower.substr(digits) != unit) continue;
    const double bytes = std::floor(*number * size);
    if (bytes >= 1.0 && bytes <= 1e18) return static_cast<std::uint64_t>(bytes);
  }
  return no_value(given.name + " is not a size", given.text,
                  "something like 2GiB, 500MB or 1048576");
}

Result<unsigned> threads_of(const CommonFlags& flags) {
  const Given threads = given_for("--threads", flags.threads);
  if (threads.text.empty()) return 0U;
  const Result<std::int64_t> number = parse_integer(threads.text);
  if (number && *number >= 1 && *number <= kMostThreads) return static_cast<unsigned>(*number);
  return no_value(threads.name + " is not a number of threads", threads.text,
                  "1 to " + std::to_string(kMostThreads));
}

Status set_memory_limit(CommonFlags& flags) {
  const Given limit = given_for("--memory-limit", flags.memory_limit);
  const Result<std::uint64_t> bytes =
      limit.text.empty() ? kUsualMemoryLimitBytes : parse_bytes(limit);
  if (!bytes) return bytes.error();
  flags.memory_limit_bytes = *bytes;
  return ok_status();
}

Status set_seed(CommonFlags& flags) {
  if (flags.seed.empty()) return ok_status();
  const Result<std::int64_t> seed = parse_integer(flags.seed);
  if (!seed || *seed < 0) return no_value("--seed must be a whole number", flags.seed, "0 or more");
  flags.seed_number = static_cast<std::uint64_t>(*seed);
  return ok_status();
}

}  // namespace

Error no_value(const std::string& message, std::string_view text, const std::string& expected) {
  return {.kind = ErrorKind::Usage,
          .message = message,
          .found = "\"" + std::string(text) + "\"",
          .expected = expected};
}

Error idle(const std::string& flag, std::string why) {
  why.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(why.front())));
  return usage_error(flag + " would change nothing: " + why, "leave out " + flag);
}

bool names_file(std::string_view placeholder) {
  constexpr std::string_view kFiles[] = {"FILE", "OUT", "SCRIPT", "DIR", "LOG"};
  return std::ranges::count(kFiles, placeholder) > 0;
}

std::span<const Variable> all_variables() { return kVariables; }

const Variable* variable_of(const Flag& option) {
  const std::size_t at = option.names.find("--");
  if (at == std::string::npos || std::holds_alternative<Flag::Keep>(option.target)) return nullptr;
  return variable_for(std::string_view(option.names).substr(at));
}

Given given_for(std::string_view flag, const std::string& text) {
  const Variable* variable = variable_for(flag);
  if (!text.empty() || variable == nullptr) return {std::string(flag), text};
  const char* value = std::getenv(variable->name.data());
  return {std::string(value == nullptr ? flag : variable->name), value == nullptr ? "" : value};
}

Result<std::optional<double>> number_given(std::string_view flag, const std::string& text,
                                           double minimum, double maximum) {
  const Given given = given_for(flag, text);
  if (given.text.empty()) return std::optional<double>();
  if (const Result<float> number = parse_number(given.text)) {
    const auto value = static_cast<double>(*number);
    if (value >= minimum && value <= maximum) return std::optional(value);
  }
  return no_value(given.name + " cannot have this value", given.text,
                  plain_text(minimum) + " to " + plain_text(maximum));
}

namespace {

// Flags of what a call changes in its documents.
Flags change_flags(CommonFlags& flags) {
  return {
      {"--gate", "GATES",
       "Factors of heads in front of w_o, as LAYER:HEAD=FACTOR such as 5:1=0, both counted from "
       "0; factors from 0 (out) to 2; * for all",
       &flags.what_if.gates},
      {"--pattern", "PATTERNS",
       "Weights of heads in place of their own, as LAYER:HEAD=LAYER:HEAD such as 5:1=3:2, counted "
       "from 0, with a sample as third number of the source, or =equal",
       &flags.what_if.patterns},
      {"--cut", "EDGES",
       "Outputs of heads that later ones do not read for their q, k or v, as "
       "LAYER:HEAD=LAYER:HEAD:INPUT such as 2:4=5:1:k, counted from 0",
       &flags.what_if.edges},
      {"--leave-out", "TOKENS",
       "Weights without these tokens, each row renormalised: first, special ([CLS], <s> and the "
       "like), or tokens by text or number such as it#2,0; of cross-attention keys, and queries "
       "as 'query it'. Tokens are then numbered without those left out",
       &flags.left_out}};
}

Flags message_flags(CommonFlags& flags) {
  return {
      {"-q,--quiet", "", "No messages but errors", &flags.quiet},
      {"-v,--verbose", "",
       "What is read, how it is understood, memory and times, on standard error", &flags.verbose},
      {"--no-color", "", "Messages without colours", &flags.no_color}};
}

}  // namespace

void add_shared(Flags& options, CommonFlags& flags, unsigned which) {
  const std::pair<unsigned, Flag> rows[] = {
      {kOutput, {"-o,--output", "OUT", kOutputHelp, &flags.destination.path}},
      {kOutput, {"-f,--force", "", kForceHelp, &flags.destination.force}},
      {kNumbers,
       {"--numbers", "",
        "Computes all stages to check their numbers, however long it takes (default: a few "
        "seconds)",
        &flags.numbers}},
      {kJson, {"--json", "", "As JSON, for programs", &flags.json}},
      {kSeed,
       {"--seed", "N",
        "Generates what the document does not give from this seed (default: its own)",
        &flags.seed}},
      {kComputing,
       {"--memory-limit", "SIZE", "Refuse what would take more memory than this (default 4GiB)",
        &flags.memory_limit}},
      {kComputing,
       {"--threads", "N",
        "How many threads compute, 1 to " + std::to_string(kMostThreads) +
            "; results do not depend on it (default: as many as the machine has)",
        &flags.threads}},
      {kComputing,
       {"--allow-outside", "",
        "Reads files that the document refers to wherever they are, not only in its folder",
        &flags.allow_outside}},
      {kComputing,
       {"--arrays", "WORDS",
        "How a file of arrays or a table is read: 'q=layers.*.q axes=layer,head,token,feature "
        "heads=12'",
        &flags.arrays}},
      {kComputing,
       {"--allow-nan", "",
        "Reads NaN, Infinity and -Infinity in documents as numbers, as Python's json module writes "
        "them",
        &flags.allow_nan}},
      {kComputing,
       {"--text", "TEXT", "What the model of a folder reads, cut into tokens by its tokenizer",
        [&flags](const std::string& text) { flags.text = text; }}},
      {kComputing, {"--text-file", "FILE", "The same from a file", &flags.text_file}},
      {kComputing,
       {"--ids", "NUMBERS", "Tokens by their numbers in the model's vocabulary, in place of a text",
        &flags.ids}}};
  for (const auto& [part, option] : rows) {
    if ((which & part) != 0) options.push_back(option);
  }
  const auto append = [&](unsigned part, const Flags& more) {
    if ((which & part) != 0) options.insert(options.end(), more.begin(), more.end());
  };
  append(kChanges, change_flags(flags));
  append(kMessages, message_flags(flags));
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> known,
                         const std::string& otherwise) {
  const std::string_view meant = meant_key(name, known);
  return meant.empty() ? otherwise : "did you mean " + std::string(meant) + "?";
}

Error unknown_name(const std::string& what, const std::string& name,
                   const std::vector<std::string_view>& known) {
  return {.kind = ErrorKind::Usage,
          .message = "there is no " + what + " named " + name,
          .expected = joined(known),
          .hint = did_you_mean(name, known)};
}

namespace {

// Reads the text for a model from its file, and the ids.
Status read_model_text(CommonFlags& flags) {
  const int given = flags.text.has_value() + !flags.text_file.empty() + !flags.ids.empty();
  if (given > 1) {
    return usage_error("--text, --text-file and --ids exclude each other", "leave out the others");
  }
  if (!flags.text_file.empty()) {
    Result<std::string> text = read_file(flags.text_file, kMostTextBytes);
    if (!text) return text.error();
    while (text->ends_with('\n')) text->pop_back();  // as editors end a file
    flags.text = *std::move(text);
  }
  flags.input.text = flags.text;
  std::string_view left = flags.ids;
  while (!left.empty()) {
    const std::string_view word = take_before(left, ", ");
    if (word.empty()) continue;
    const Result<std::int64_t> id = parse_integer(word);
    if (!id || *id < 0) return no_value("--ids has no number", word, "numbers such as 1,5,2");
    flags.input.ids.push_back(static_cast<std::uint64_t>(*id));
  }
  if (!flags.ids.empty() && flags.input.ids.empty()) {
    return no_value("--ids has no number", flags.ids, "numbers such as 1,5,2");
  }
  return ok_status();
}

}  // namespace

Status begin(CommonFlags& flags, Console& console) {
  if (flags.quiet && flags.verbose) {
    return usage_error("--quiet and --verbose exclude each other", "leave one of them out");
  }
  console.quiet = flags.quiet;
  console.verbose = flags.verbose;
  if (flags.no_color) console.colors = false;
  const Result<unsigned> threads = threads_of(flags);
  if (!threads) return threads.error();
  use_threads(*threads);
  flags.allow_outside |= !given_for("--allow-outside", "").text.empty();
  allow_bare_nan(flags.allow_nan || !given_for("--allow-nan", "").text.empty());
  if (Status text = read_model_text(flags); !text) return text;
  if (Status limited = set_memory_limit(flags); !limited) return limited;
  if (const auto words = parse_array_words(flags.arrays); !words) {
    Error error = words.error();
    error.kind = ErrorKind::Usage;
    return error;
  }
  return set_seed(flags);
}

}  // namespace attn::cli
