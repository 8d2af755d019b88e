// attnscope completion: scripts by which bash, zsh and fish complete commands, made of the tables.
#include <memory>
#include <utility>

#include "base/embedded_assets.h"
#include "base/joined.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "document/load/open.h"

namespace attn::cli {
namespace {

// Completions after a command, or after only the program's name.
struct Place {
  std::string command;  // empty: only the program's name
  std::string help;
  Flags options;  // their targets are gone; with those that the parser adds
};

// Completion of a value in each shell; empty for switches.
struct Value {
  std::string bash, zsh, fish;
};

Value value_of(const Flag& option) {
  const std::string& placeholder = option.is_positional() ? option.names : option.value;
  const std::string names = joined(option.choices, " ");
  if (!names.empty()) return {"words='" + names + "'", "(" + names + ")", " -x -a '" + names + "'"};
  if (placeholder == "FILE") {
    return {"words='example: attnscope:' files=default", "_attnscope_file",
            " -r -F -a '(__attnscope_examples)'"};
  }
  if (placeholder == "DIR") {
    return {"files=dirnames", "_files -/", " -x -a '(__fish_complete_directories)'"};
  }
  if (names_file(placeholder)) return {"files=default", "_files", " -r -F"};
  return placeholder.empty() ? Value{} : Value{":", " ", " -x"};
}

std::vector<Place> all_places() {
  const Flag help{"-h,--help", "", "Print this help"};
  std::vector<Place> places;
  for (const Subcommand& subcommand : all_subcommands()) {
    CommonFlags flags;
    Flags options = subcommand.define(flags).options;
    options.push_back(help);
    places.push_back({std::string(subcommand.name), std::string(subcommand.help), options});
    if (subcommand.name != "view") continue;
    options.push_back({"--version", "", "Print the version"});
    places.push_back({"", "", std::move(options)});
  }
  Flag command{"COMMAND", "", "", {}, true, names_of(all_subcommands(), &Subcommand::name)};
  places.push_back({"help", "Print the help of a command", {std::move(command)}});
  return places;
}

// "-o" and "--output"; "--values" and "--no-values".
std::vector<std::string> names_of_option(const Flag& option) {
  constexpr std::string_view kBoth = "--[no-]";
  if (option.names.starts_with(kBoth)) {
    const std::string name = option.names.substr(kBoth.size());
    return {"--" + name, "--no-" + name};
  }
  return split(option.names, ',');
}

// Returns the first clause of a help line, without signs that mean something to a shell.
std::string clause_of(std::string_view help) {
  std::string clause;
  for (const char c : help.substr(0, help.find_first_of(";:([\\"))) {
    clause += c == '\'' ? std::string("’") : std::string(1, c);
  }
  clause.erase(clause.find_last_not_of(' ') + 1);
  return clause;
}

// Parts that fill the templates of assets/completion.
struct Parts {
  std::string command_lines, values, places;
};

void add_bash(Parts& parts, const Place& place) {
  std::string names, positional;
  for (const Flag& option : place.options) {
    const std::string value = value_of(option).bash;
    if (option.is_positional()) {
      positional += "        " + place.command + ":*) " + value + " ;;\n";
      continue;
    }
    const std::vector<std::string> own = names_of_option(option);
    names += joined(own, " ") + " ";
    if (value.empty()) continue;
    const auto pattern = [&](const std::string& name) { return place.command + ":" + name; };
    parts.values += "    " + joined(own, " | ", pattern) + ") " + value + " ;;\n";
  }
  parts.places += "        " + place.command + ":-*) words='" + names + "' ;;\n" + positional;
}

// Returns the arguments of _arguments for an option.
std::string zsh_option(const Flag& option, const std::string& command) {
  const bool many = std::holds_alternative<std::vector<std::string>*>(option.target);
  const std::string star = many ? "*" : "", value = value_of(option).zsh;
  if (option.is_positional()) {
    const std::string first = command.empty() ? " '1:FILE:_attnscope_first'" : "";
    return first + " '" + star + ":" + option.names + ":" + value + "'";
  }
  const std::vector<std::string> names = names_of_option(option);
  const bool same = option.names.find(',') != std::string::npos;
  std::string text;
  for (const std::string& name : names) {
    text += " \\\n        '" + (same ? "(" + joined(names, " ") + ")" : star) + name;
    if (!value.empty() && name.starts_with("--")) text += "=";
    text += "[" + clause_of(option.help) + "]";
    text += (value.empty() ? "" : ":" + option.value + ":" + value) + "'";
  }
  return text;
}

void add_zsh(Parts& parts, const Place& place) {
  parts.places += "    '" + place.command + "')\n      _arguments -s";
  for (const Flag& option : place.options) parts.places += zsh_option(option, place.command);
  parts.places += "\n      ;;\n";
  if (place.command.empty()) return;
  parts.command_lines += "    '" + place.command + ":" + clause_of(place.help) + "'\n";
}

void add_fish(Parts& parts, const Place& place) {
  const std::string call = "complete -c attnscope -n ";
  const std::string here = call + "'__attnscope_at \"" + place.command + "\"'";
  if (!place.command.empty()) {
    parts.command_lines +=
        call + "__attnscope_first -a " + place.command + " -d '" + clause_of(place.help) + "'\n";
  }
  bool has_words = false;
  for (const Flag& option : place.options) {
    std::string names;
    has_words |= option.is_positional();
    for (const std::string& name : names_of_option(option)) {
      names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (name.starts_with("-") && !name.starts_with("--")) continue;  // with its long one
      parts.places += here + (option.is_positional() ? "" : names) + value_of(option).fish;
      parts.places += " -d '" + clause_of(option.help) + "'\n";
      names.clear();
    }
  }
  if (!has_words) parts.places += here + " -f\n";
}

struct Shell {
  std::string_view name;
  void (*add)(Parts&, const Place&);
};
constexpr Shell kShells[] = {{"bash", add_bash}, {"zsh", add_zsh}, {"fish", add_fish}};

std::string script_for(const Shell& shell) {
  Parts parts;
  for (const Place& place : all_places()) shell.add(parts, place);
  const auto named = [](const auto& table, auto name) {
    return joined(names_of(table, name), " ");
  };
  const std::pair<std::string_view, std::string> texts[] = {
      {"@COMMANDS@", named(all_subcommands(), &Subcommand::name) + " help"},
      {"@EXAMPLES@", named(all_examples(), &Example::name)},
      {"@MODELS@",
       joined(packaged_models(), " ",
              [](const std::string& name) { return name.substr(kModelPrefix.size()); })},
      {"@COMMAND_LINES@", parts.command_lines},
      {"@VALUES@", parts.values},
      {"@PLACES@", parts.places}};
  std::string script(asset_named("completion/attnscope." + std::string(shell.name)));
  for (const auto& [mark, text] : texts) script = with_replaced(script, mark, text);
  return script;
}

Result<int> print_script(const std::string& name, Context& context) {
  const Destination& destination = context.common.destination;
  for (const Shell& shell : kShells) {
    if (shell.name != name) continue;
    if (const Status free = check_destination(destination); !free) return free.error();
    return done(write_output(context.console, destination, script_for(shell)));
  }
  const std::vector<std::string_view> known = names_of(kShells, &Shell::name);
  return Error{.kind = ErrorKind::Usage,
               .message = "there is no completion for " + name,
               .expected = joined(known),
               .hint = did_you_mean(name, known)};
}

}  // namespace

Definition define_completion(CommonFlags& common) {
  auto shell = std::make_shared<std::string>();
  const std::vector<std::string_view> names = names_of(kShells, &Shell::name);
  Flags options{{"SHELL", "", "The shell: " + joined(names), shell.get(), true, names}};
  add_shared(options, common, kOutput | kMessages);
  return {std::move(options), [shell](Context& context) { return print_script(*shell, context); }};
}

}  // namespace attn::cli
