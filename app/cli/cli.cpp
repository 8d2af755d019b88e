#include "cli/cli.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <filesystem>
#include <new>

#include "cli/console.h"
#include "cli/flags.h"
#include "cli/help.h"
#include "cli/subcommand.h"
#include "document/nearest.h"

namespace attn::cli {
namespace {

using Arguments = std::vector<std::string>;

std::vector<std::string_view> subcommand_names() {
  std::vector<std::string_view> names;
  for (const Subcommand& subcommand : all_subcommands()) names.push_back(subcommand.name);
  return names;
}

bool is_help(const std::string& argument) { return argument == "-h" || argument == "--help"; }

std::string advice(const Subcommand& subcommand) {
  return "see attnscope " + std::string(subcommand.name) + " --help";
}

// The first argument that looks like a flag and is none.
std::string unknown_flag(const CLI::App& parser, const Arguments& arguments) {
  for (const std::string& argument : arguments) {
    std::string name = argument.substr(0, argument.find('='));
    if (name == "--") break;
    if (name.starts_with("--") && !parser.get_option_no_throw(name)) return name;
  }
  return {};
}

Error parse_error(const CLI::ParseError& error, const Subcommand& subcommand,
                  const CLI::App& parser, const Arguments& arguments) {
  const std::string flag = unknown_flag(parser, arguments);
  if (flag.empty()) return usage_error(error.what(), advice(subcommand));
  std::vector<std::string> known;
  for (const CLI::Option* option : parser.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view meant = nearest(flag, names);
  return usage_error(
      std::string(subcommand.name) + " has no option " + flag,
      meant.empty() ? advice(subcommand) : "did you mean " + std::string(meant) + "?");
}

Result<int> run_subcommand(const Subcommand& subcommand, Arguments arguments, Context& context) {
  CLI::App parser;
  parser.set_help_flag("-h,--help", "Print this help");
  const Action action = subcommand.define(parser);
  if (std::any_of(arguments.begin(), arguments.end(), is_help)) {
    return done(context.console.write(subcommand_help(subcommand, parser)));
  }
  try {
    Arguments reversed(arguments.rbegin(), arguments.rend());
    parser.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    return parse_error(error, subcommand, parser, arguments);
  }
  return action(context);
}

// A word that is no file but nearly or exactly a command was not meant as a file.
Status check_bare_words(const Arguments& arguments) {
  const std::vector<std::string_view> names = subcommand_names();
  for (const std::string& word : arguments) {
    std::error_code failed;
    if (word.starts_with('-') || std::filesystem::exists(word, failed)) continue;
    const std::string_view meant = nearest(word, names);
    if (meant == word) return usage_error("options follow the command: attnscope " + word + " …");
    if (!meant.empty()) {
      return usage_error("there is no command or file named " + word,
                         "did you mean " + std::string(meant) + "?");
    }
  }
  return ok_status();
}

Result<int> dispatch(Arguments arguments, Context& context) {
  if (!arguments.empty() && arguments.front() == "help") {
    arguments.erase(arguments.begin());
    arguments.push_back("--help");
  }
  const std::string first = arguments.empty() ? "" : arguments.front();
  if (is_help(first) || first == "--version") {
    return done(context.console.write(is_help(first) ? program_help()
                                                     : "attnscope " ATTNSCOPE_VERSION "\n"));
  }
  if (const Subcommand* subcommand = subcommand_named(first)) {
    return run_subcommand(*subcommand, {arguments.begin() + 1, arguments.end()}, context);
  }
  if (const Status good = check_bare_words(arguments); !good) return good.error();
  return run_subcommand(*subcommand_named("view"), std::move(arguments), context);
}

Result<int> dispatch_safely(const Arguments& arguments, Context& context) {
  Error error;
  try {
    return dispatch(arguments, context);
  } catch (const std::bad_alloc&) {
    error.kind = ErrorKind::OverMemoryLimit;
    error.message = "there is not enough memory";
    error.hint = "use a smaller document or a machine with more memory";
  } catch (const std::exception& unexpected) {
    error.message = std::string("something went wrong inside: ") + unexpected.what();
    error.hint = "please report it with the command that led to it";
  }
  return error;
}

}  // namespace

int run(const std::vector<std::string>& arguments, const OpenWindow& open_window) {
  watch_interruptions();
  Console console;
  Context context{console, open_window};
  const Result<int> code = dispatch_safely(arguments, context);
  if (code) return *code;
  if (console.reader_left()) return 0;
  console.error(code.error());
  return exit_code(code.error().kind);
}

}  // namespace attn::cli
