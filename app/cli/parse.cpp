// Lets CLI11 parse, and says what it refuses as everything else here is refused.
#include "cli/parse.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>

#include "cli/flags.h"
#include "document/nearest.h"

namespace attn::cli {
namespace {

std::string advice(const std::string& call) { return "see " + call + " --help"; }

bool is_flag(const CLI::Option& option) { return option.get_expected_max() == 0; }

Error unknown_option(const CLI::App& parser, const std::string& call, const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : parser.get_options()) {
    for (const std::string& long_name : option->get_lnames()) known.push_back("--" + long_name);
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view meant = name.starts_with("--") ? nearest(name, names) : "";
  return usage_error(call + " has no option " + name,
                     meant.empty() ? advice(call) : "did you mean " + std::string(meant) + "?");
}

// Of a file an empty name is a variable that a script forgot to set.
Status check_values(const CLI::App& parser, const std::string& call, const CLI::Option& option) {
  const std::string& text = option.get_option_text();
  const bool names_file = option.get_positional() || text == "OUT" || text == "SCRIPT" ||
                          text == "DIR" || text == "LOG";
  for (const std::string& value : option.results()) {
    if (names_file && value.empty()) {
      return usage_error(option.get_name() + " is empty", "name a file; " + advice(call));
    }
    // The library takes whatever follows an option for its value.
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
    if (Status good = check_values(parser, call, *option); !good) return good;
  }
  return ok_status();
}

Error unexpected(const CLI::App& parser, const std::string& call, const std::string& argument) {
  if (argument.size() > 1 && argument.starts_with('-')) {
    return unknown_option(parser, call, argument);
  }
  return usage_error("unexpected argument " + argument,
                     argument == "true" || argument == "false"
                         ? "join it to its option, as in --name=" + argument
                         : "put quotation marks around names with blanks; " + advice(call));
}

Error missing(const CLI::App& parser, const std::string& call) {
  for (const CLI::Option* option : parser.get_options()) {
    if (option->get_required() && option->count() == 0) {
      return usage_error(call + " needs " + option->get_name(), advice(call));
    }
  }
  return usage_error(call + " needs more", advice(call));
}

Error on_or_off(const CLI::Option& option) {
  const std::string name = option.get_name();
  Error error = usage_error(name + " is on or off and takes no other value");
  error.found = "\"" + option.results().back() + "\"";
  error.expected = name + ", " + name + "=true or " + name + "=false";
  return error;
}

// What the library found wrong with the option with whose name its message begins.
Error refusal(const CLI::App& parser, const std::string& call, const std::string& message) {
  const CLI::Option* const option =
      parser.get_option_no_throw(message.substr(0, message.find(':')));
  if (option == nullptr) return usage_error(message, advice(call));
  if (is_flag(*option)) return on_or_off(*option);
  return option->count() > 1 ? usage_error(option->get_name() + " is given twice", "give it once")
                             : usage_error(option->get_name() + " needs a value", advice(call));
}

// Arguments that are no option's and no positional's.
std::vector<std::string> left_over(const CLI::App& parser) {
  std::vector<std::string> left = parser.remaining();
  std::erase(left, "--");
  return left;
}

Error refusal(const CLI::App& parser, const std::string& call, const CLI::ParseError& error) {
  const std::vector<std::string> left = left_over(parser);
  if (!left.empty()) return unexpected(parser, call, left.front());
  if (Status good = check_values(parser, call); !good) return good.error();
  const bool is_missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  return is_missing ? missing(parser, call) : refusal(parser, call, std::string(error.what()));
}

}  // namespace

Result<Asked> parse_arguments(CLI::App& parser, const std::string& call,
                              const Arguments& arguments) {
  const auto true_or_false = [](const std::string& value) {
    return value == "true" || value == "false" ? std::string() : std::string("neither");
  };
  for (CLI::Option* option : parser.get_options()) {
    if (is_flag(*option)) option->check(true_or_false);
  }
  try {
    parser.parse(Arguments(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    return Asked::Help;
  } catch (const CLI::CallForVersion&) {
    return Asked::Version;
  } catch (const CLI::ParseError& error) {
    if (parser.get_help_ptr()->count() > 0) return Asked::Help;
    return refusal(parser, call, error);
  }
  if (Status good = check_values(parser, call); !good) return good.error();
  return Asked::Run;
}

}  // namespace attn::cli
