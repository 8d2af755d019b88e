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

// "--output" of "-o", "--output" and "--output=x"; null for everything that names no option.
const CLI::Option* option_of(const CLI::App& parser, const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  return name.size() > 1 && name.starts_with('-') ? parser.get_option_no_throw(name) : nullptr;
}

bool is_flag(const CLI::Option& option) { return option.get_expected_max() == 0; }

Error unknown_option(const CLI::App& parser, const std::string& call, const std::string& name) {
  std::vector<std::string> known;
  for (const CLI::Option* option : parser.get_options()) {
    for (const std::string& long_name : option->get_lnames()) known.push_back("--" + long_name);
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view meant = name.starts_with("--") ? nearest(name, names) : "";
  return usage_error(call + " has no option " + name,
                     meant.empty() ? advice(call) : "did you mean " + std::string(meant) + "?");
}

// "--values=false" is "--no-values" where there is one, and nothing where the flag is off anyway.
Status spell_out_flag(const CLI::App& parser, const CLI::Option& option, Arguments& spelt,
                      const std::string& argument) {
  const std::size_t at = argument.find('=');
  const std::string name = argument.substr(0, at);
  const std::string value = argument.substr(at + 1);
  if (value == "true") {
    spelt.push_back(name);
  } else if (value == "false") {
    const std::string opposite =
        name.starts_with("--no-") ? "--" + name.substr(5) : "--no-" + name.substr(2);
    if (parser.get_option_no_throw(opposite) != nullptr) spelt.push_back(opposite);
  } else {
    Error error = usage_error(option.get_name() + " is on or off and takes no other value");
    error.found = "\"" + value + "\"";
    error.expected = name + ", " + name + "=true or " + name + "=false";
    return error;
  }
  return ok_status();
}

// Refuses what only we can tell, and gives flags the form that the parser knows.
Result<Arguments> spelt_out(const CLI::App& parser, const std::string& call,
                            const Arguments& arguments) {
  Arguments spelt;
  std::vector<const CLI::Option*> seen;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--") {
      spelt.insert(spelt.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i),
                   arguments.end());
      break;
    }
    const CLI::Option* option = option_of(parser, argument);
    const bool joined = argument.find('=') != std::string::npos;
    if (option == nullptr && argument.starts_with("--")) {
      return unknown_option(parser, call, argument.substr(0, argument.find('=')));
    }
    if (option != nullptr && is_flag(*option) && joined) {
      const Status good = spell_out_flag(parser, *option, spelt, argument);
      if (!good) return good.error();
      continue;
    }
    spelt.push_back(argument);
    if (option == nullptr || is_flag(*option)) continue;
    if (std::find(seen.begin(), seen.end(), option) != seen.end()) {
      return usage_error(option->get_name() + " is given twice", "give it once");
    }
    seen.push_back(option);
    if (joined) continue;
    if (i + 1 == arguments.size() || option_of(parser, arguments[i + 1]) != nullptr) {
      return usage_error(option->get_name() + " needs a value", advice(call));
    }
    spelt.push_back(arguments[++i]);
  }
  return spelt;
}

// Positionals and files: an empty name is a variable that a script forgot to set.
Status refuse_empty_names(const CLI::App& parser, const std::string& call) {
  for (const CLI::Option* option : parser.get_options()) {
    const std::string name = option->get_name(true);
    const bool names_file = option->get_positional() || option->get_option_text() == "OUT" ||
                            option->get_option_text() == "SCRIPT";
    const std::vector<std::string>& values = option->results();
    if (names_file && std::find(values.begin(), values.end(), "") != values.end()) {
      return usage_error(option->get_name() + " is empty", "name a file; " + advice(call));
    }
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

}  // namespace

Status parse_arguments(CLI::App& parser, const std::string& call, const Arguments& arguments) {
  Result<Arguments> spelt = spelt_out(parser, call, arguments);
  if (!spelt) return spelt.error();
  try {
    parser.parse(Arguments(spelt->rbegin(), spelt->rend()));
  } catch (const CLI::ExtrasError&) {
    return unexpected(parser, call, parser.remaining().front());
  } catch (const CLI::RequiredError&) {
    return missing(parser, call);
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what(), advice(call));
  }
  return refuse_empty_names(parser, call);
}

}  // namespace attn::cli
