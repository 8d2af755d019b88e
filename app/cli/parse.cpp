// Parsing by CLI11, with errors in our own format.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/parsed_number.h"
#include "cli/cli.h"
#include "export/export.h"
#include "session/figure_file.h"

namespace attn::cli {
namespace {

std::string advice(const std::string& call) { return "see " + call + " --help"; }

bool is_flag(const CLI::Option& option) { return option.get_expected_max() == 0; }

bool is_truth(const std::string& value) { return value == "true" || value == "false"; }

// Names of our options in other tools.
constexpr std::pair<std::string_view, std::string_view> kForeignOptions[] = {
    {"--cmap", "--colormap"},      {"--figsize", "--width and --height"},
    {"--vmin", "--range-low"},     {"--vmax", "--range-high"},
    {"--annot", "--values"},       {"--fmt", "--decimals"},
    {"--fontsize", "--font-size"}, {"--font-family", "--font"},
    {"--rows", "--part"},          {"--cols", "--part"},
    {"--columns", "--part"},       {"--threshold", "--least"},
    {"--cutoff", "--least"},       {"--min-weight", "--least"},
    {"--palette", "--colormap"},   {"--size", "--width and --height"},
    {"--precision", "--decimals"}, {"--out", "--output"}};

// Declares an option whose values go to its target.
CLI::Option* declare(CLI::App& parser, const Flag& option) {
  if (auto* const* on = std::get_if<bool*>(&option.target)) {
    return parser.add_flag(option.names, **on);
  }
  if (auto* const* text = std::get_if<std::string*>(&option.target)) {
    return parser.add_option(option.names, **text);
  }
  if (auto* const* texts = std::get_if<std::vector<std::string>*>(&option.target)) {
    CLI::Option* const many = parser.add_option(option.names, **texts);
    return option.is_positional() ? many : many->allow_extra_args(false);  // one a time
  }
  const auto& keep = std::get<Flag::Keep>(option.target);
  if (!option.value.empty()) return parser.add_option_function<std::string>(option.names, keep);
  const std::string name = option.names.substr(std::string_view("--[no-]").size());
  const auto count = [keep](std::int64_t times) { keep(times > 0 ? "true" : "false"); };
  return parser.add_flag_function("--" + name + ",!--no-" + name, count)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void declare(CLI::App& parser, const Flags& options) {
  parser.set_help_flag("-h,--help");
  for (const Flag& option : options) {
    declare(parser, option)->required(option.required)->option_text(option.value);
  }
  const auto check = [](const std::string& value) { return is_truth(value) ? "" : "neither"; };
  for (CLI::Option* option : parser.get_options()) {
    if (is_flag(*option)) option->check(check);
  }
}

std::vector<std::string> options_of(const CLI::App& parser) {
  std::vector<std::string> names;
  for (const CLI::Option* option : parser.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// Returns the advice for an unknown option.
std::string instead_of(const std::string& name, const std::vector<std::string>& known,
                       const std::string& call) {
  for (const auto& [foreign, ours] : kForeignOptions) {
    const bool is_known = std::ranges::count(known, ours.substr(0, ours.find(' '))) > 0;
    if (foreign == name && is_known) return "use " + std::string(ours);
  }
  for (const Subcommand& other : all_subcommands()) {
    CLI::App parser;
    CommonFlags flags;
    const Definition defined = other.define(flags);  // references variables that parsing sets
    declare(parser, defined.options);
    if (std::ranges::count(options_of(parser), name) == 0) continue;
    return "it is an option of attnscope " + std::string(other.name);
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  return name.starts_with("--") ? did_you_mean(name, names, advice(call)) : advice(call);
}

// Placeholders of values that say something only when they are not empty.
constexpr std::string_view kNeverEmpty[] = {"GATES", "PATTERNS", "EDGES", "TOKENS",
                                            "NAME",  "NAMES",    "PLOT",  "WORDS"};

// Refuses an empty name or list, which is usually an unset variable of a script.
Status check_value(const CLI::App& parser, const std::string& call, const CLI::Option& option) {
  const bool is_name = option.get_positional() || names_file(option.get_option_text());
  for (const std::string& value : option.results()) {
    if (is_name && value.empty()) {
      return usage_error(option.get_name() + " is empty", "name a file; " + advice(call));
    }
    if (option.get_option_text() == kNumbersName && value.empty()) {
      return no_value(
          option.get_name() + " is not a list of numbers", value,
          option.get_name() == "--ids" ? "numbers such as 1,5,2" : "all, or numbers such as 0-3,7");
    }
    if (value.empty() && std::ranges::count(kNeverEmpty, option.get_option_text()) > 0) {
      return usage_error(option.get_name() + " is empty", advice(call));
    }
    // CLI11 takes any word after an option for its value.
    const bool is_option =
        value.size() > 1 && value.starts_with('-') && parser.get_option_no_throw(value) != nullptr;
    if (is_option && !option.get_positional()) {
      return usage_error(option.get_name() + " needs a value", advice(call));
    }
  }
  return ok_status();
}

Status check_values(const CLI::App& parser, const std::string& call) {
  for (const CLI::Option* option : parser.get_options()) {
    if (Status good = check_value(parser, call, *option); !good) return good;
  }
  return ok_status();
}

// Returns the option that a word names, of flags in one word ("-fo") the last; else null, as for
// the name of a positional.
const CLI::Option* option_in(const CLI::App& parser, const std::string& word) {
  if (!word.starts_with('-')) return nullptr;
  const CLI::Option* const whole = parser.get_option_no_throw(word);
  if (whole != nullptr || word.size() < 3 || word[1] == '-') return whole;
  const auto named = [&](char letter) { return parser.get_option_no_throw({'-', letter}); };
  const auto takes_rest = [&](char letter) {
    return named(letter) == nullptr || !is_flag(*named(letter));
  };
  return std::any_of(word.begin() + 1, word.end() - 1, takes_rest) ? nullptr : named(word.back());
}

// Returns the advice for a surplus argument that follows `before`.
std::string instead_of_argument(const CLI::App& parser, const std::string& call,
                                const std::string& argument, const std::string& before) {
  if (is_truth(argument)) return "join it to its option, as in --name=" + argument;
  const CLI::Option* const flag = option_in(parser, before);
  if (flag != nullptr && is_flag(*flag)) return before + " takes no value; " + advice(call);
  return "put quotation marks around names with blanks; " + advice(call);
}

Error unexpected(const CLI::App& parser, const std::string& call, const std::string& argument,
                 const Arguments& arguments) {
  if (argument.size() > 1 && argument.starts_with('-')) {
    const std::string name = argument.substr(0, argument.find('='));
    const bool draws = call == kProgram && (name == "-o" || name == "--output");
    return usage_error(call + " has no option " + name,
                       draws ? drawing_call(parser.get_option("FILE")->results())
                             : instead_of(name, options_of(parser), call));
  }
  const auto at = std::ranges::find(arguments, argument);
  const std::string before =
      at == arguments.begin() || at == arguments.end() ? std::string() : *std::prev(at);
  return usage_error("unexpected argument " + argument,
                     instead_of_argument(parser, call, argument, before));
}

// Refuses the value of a switch, which is no file: "--values 0.05".
Status check_files(const CLI::App& parser, const std::string& call, const Arguments& arguments) {
  const CLI::Option* const files = parser.get_option_no_throw("FILE");
  for (std::size_t i = 1; files != nullptr && i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const bool is_value = is_truth(word) || parse_number(word).ok();
    std::error_code failed;
    const bool of_switch = is_value && std::ranges::count(files->results(), word) > 0 &&
                           arguments[i - 1].starts_with('-') &&
                           !std::filesystem::exists(word, failed);
    if (of_switch) return unexpected(parser, call, word, arguments);
  }
  return ok_status();
}

// Returns the error on an option that CLI11 refuses: without a value at the end of the call, with
// another value than that of a switch, or given twice.
Error refused_value(const CLI::App& parser, const std::string& call, const Arguments& arguments) {
  std::string word = arguments.back();
  if (word.ends_with('=')) word.pop_back();
  const CLI::Option* const last = option_in(parser, word);
  if (last != nullptr && !is_flag(*last)) {
    return usage_error(last->get_name() + " needs a value", advice(call));
  }
  for (const CLI::Option* option : parser.get_options()) {
    const std::string name = option->get_name();
    if (is_flag(*option) && option->count() > 0 && !is_truth(option->results().back())) {
      return {.kind = ErrorKind::Usage,
              .message = name + " is on or off and takes no other value",
              .found = "\"" + option->results().back() + "\"",
              .expected = "no value, =true or =false"};
    }
    const bool is_single = !is_flag(*option) && option->get_items_expected_max() == 1;
    if (is_single && option->count() > 1)
      return usage_error(name + " is given twice", "give it once");
  }
  return usage_error("the options cannot be read", advice(call));
}

Error refusal(const CLI::App& parser, const std::string& call, const CLI::ParseError& error,
              const Arguments& arguments) {
  std::vector<std::string> left = parser.remaining();  // neither options nor their values
  std::erase(left, "--");
  if (!left.empty()) return unexpected(parser, call, left.front(), arguments);
  if (Status good = check_values(parser, call); !good) return good.error();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    for (const CLI::Option* option : parser.get_options()) {
      if (!option->get_required() || option->count() > 0) continue;
      const bool draws = option->get_name() == "--output";
      return usage_error(call + " needs " + option->get_name(),
                         draws ? drawing_call(parser.get_option("FILE")->results()) : advice(call));
    }
  }
  return refused_value(parser, call, arguments);
}

}  // namespace

std::string drawing_call(const Arguments& words) {
  Arguments files = words;
  std::erase_if(files,
                [](const std::string& word) { return word.starts_with("-") && word != "-"; });
  std::error_code failed;
  const bool has_out = files.size() > 1 && (exporter_for(files.back()) != nullptr ||
                                            !std::filesystem::exists(files.back(), failed));
  return "to draw a figure: attnscope export " + (files.empty() ? "FILE" : shell_word(files[0])) +
         " -o " + (has_out ? shell_word(files.back()) : "figure.png");
}

Result<Requested> parse_arguments(const Flags& options, const std::string& call,
                                  const Arguments& arguments) {
  CLI::App parser;
  if (call == kProgram) parser.set_version_flag("--version");
  declare(parser, options);
  try {
    parser.parse(Arguments(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    return Requested::Help;
  } catch (const CLI::CallForVersion&) {
    return parser.count("--verbose") > 0 ? Requested::BuildInformation : Requested::Version;
  } catch (const CLI::ParseError& error) {
    if (parser.get_help_ptr()->count() > 0) return Requested::Help;
    return refusal(parser, call, error, arguments);
  }
  Status good = check_values(parser, call);
  if (good) good = check_files(parser, call, arguments);
  return good ? Result(Requested::Run) : good.error();
}

}  // namespace attn::cli
