// attnscope examples and attnscope schema: what the program carries with it.
#include <algorithm>
#include <memory>

#include "base/json.h"
#include "cli/flags.h"
#include "cli/subcommand.h"
#include "document/json.h"
#include "document/open.h"
#include "session/build_information.h"
#include "session/schema_place.h"
#include "text/nearest.h"

namespace attn::cli {
namespace {

struct ExamplesFlags {
  std::string name;
  Destination destination;
  CommonFlags common;
};

struct SchemaFlags {
  Destination destination;
  bool installs = false;
  CommonFlags common;
};

Result<int> send(std::string_view bytes, const Destination& destination, Context& context) {
  if (const Status free = check_destination(destination); !free) return free.error();
  Output output(context.console, destination);
  if (const Status written = output.write(bytes); !written) return written.error();
  return done(output.finish());
}

Result<std::string> example_text(const std::string& asked) {
  const std::string name =
      asked.starts_with(kExamplePrefix) ? asked.substr(kExamplePrefix.size()) : asked;
  std::vector<std::string_view> names;
  for (const Example& example : all_examples()) {
    if (example.name == name) return std::string(example.json);
    names.push_back(example.name);
  }
  Error error;
  error.kind = ErrorKind::BadInput;
  error.message = "there is no example named " + name;
  const std::string_view meant = nearest(name, names);
  error.hint =
      meant.empty() ? "attnscope examples lists them" : "did you mean " + std::string(meant) + "?";
  return error;
}

std::string list_text() {
  std::size_t width = 0;
  for (const Example& example : all_examples()) width = std::max(width, example.name.size());
  std::string text;
  for (const Example& example : all_examples()) {
    text += std::string(example.name) + std::string(width + 2 - example.name.size(), ' ') +
            example.title + "\n";
  }
  return text;
}

std::string list_json() {
  Json list = Json::array();
  for (const Example& example : all_examples()) {
    list.push_back({{"version", program_version()},
                    {"name", example.name},
                    {"group", example.group},
                    {"title", example.title},
                    {"description", example.description}});
  }
  return json_text(list);
}

Result<int> run(const ExamplesFlags& flags, Context& context) {
  if (const Status begun = begin(flags.common, context.console); !begun) return begun.error();
  const bool is_text = flags.name.empty() && !flags.common.json;
  const Status named = is_text ? check_ending(flags.destination, "txt", "a list as text")
                               : check_ending(flags.destination, "json", "JSON");
  if (!named) return named.error();
  if (flags.name.empty())
    return send(is_text ? list_text() : list_json(), flags.destination, context);
  const Result<std::string> text = example_text(flags.name);
  if (!text) return text.error();
  return send(*text, flags.destination, context);
}

Result<int> install(const SchemaFlags& flags, Context& context) {
  if (flags.destination.path != "-") {
    return usage_error("--install chooses the place itself", "leave out --output");
  }
  const Result<std::string> path = install_schema();
  if (!path) return path.error();
  context.console.message("wrote " + *path);
  return 0;
}

Result<int> run(const SchemaFlags& flags, Context& context) {
  if (const Status begun = begin(flags.common, context.console); !begun) return begun.error();
  if (flags.installs) return install(flags, context);
  if (const Status named = check_ending(flags.destination, "json", "JSON"); !named)
    return named.error();
  return send(document_schema(), flags.destination, context);
}

}  // namespace

Action define_examples(CLI::App& parser) {
  auto flags = std::make_shared<ExamplesFlags>();
  add_text(parser, {"NAME", "The example to print; all are listed without it"}, flags->name);
  add_output(parser, flags->destination, "Where to write; - is standard output (default)");
  add_json(parser, flags->common);
  add_messages(parser, flags->common);
  return [flags](Context& context) { return run(*flags, context); };
}

Action define_schema(CLI::App& parser) {
  auto flags = std::make_shared<SchemaFlags>();
  add_output(parser, flags->destination, "Where to write; - is standard output (default)");
  add_switch(parser, "--install",
             "Write it to your data folder; documents that are saved from then on lead there",
             flags->installs);
  add_messages(parser, flags->common);
  return [flags](Context& context) { return run(*flags, context); };
}

}  // namespace attn::cli
