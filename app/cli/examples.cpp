// attnscope examples and attnscope schema: print the embedded examples and schema.
#include <algorithm>
#include <memory>

#include "base/json.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "session/build_information.h"

namespace attn::cli {
namespace {

struct ExamplesFlags {
  std::string name;
  Destination destination;
};

Result<int> send(std::string_view bytes, const Destination& destination, Context& context) {
  if (const Status free = check_destination(destination); !free) return free.error();
  return done(write_output(context.console, destination, bytes));
}

Result<std::string> example_text(const std::string& asked) {
  const std::string name =
      asked.starts_with(kExamplePrefix) ? asked.substr(kExamplePrefix.size()) : asked;
  std::vector<std::string_view> names;
  for (const Example& example : all_examples()) {
    if (example.name == name) return std::string(example.json);
    names.push_back(example.name);
  }
  return Error{.kind = ErrorKind::BadInput,
               .message = "there is no example named " + name,
               .hint = did_you_mean(name, names, "attnscope examples lists them")};
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
  const bool is_text = flags.name.empty() && !context.common.json;
  const Status named = is_text ? check_ending(flags.destination, "txt", "a list as text")
                               : check_ending(flags.destination, "json", "JSON");
  if (!named) return named.error();
  if (flags.name.empty())
    return send(is_text ? list_text() : list_json(), flags.destination, context);
  const Result<std::string> text = example_text(flags.name);
  if (!text) return text.error();
  return send(*text, flags.destination, context);
}

}  // namespace

Definition define_examples(CommonFlags& common) {
  auto flags = std::make_shared<ExamplesFlags>();
  Flags options{{"NAME", "", "The example to print; all are listed without it", &flags->name},
                {"-o,--output", "OUT", kOutputHelp, &flags->destination.path},
                {"-f,--force", "", kForceHelp, &flags->destination.force}};
  add_shared(options, common, kJson | kMessages);
  return {std::move(options), [flags](Context& context) { return run(*flags, context); }};
}

Definition define_schema(CommonFlags& common) {
  auto destination = std::make_shared<Destination>();
  Flags options{{"-o,--output", "OUT", kOutputHelp, &destination->path},
                {"-f,--force", "", kForceHelp, &destination->force}};
  add_shared(options, common, kMessages);
  return {std::move(options), [destination](Context& context) -> Result<int> {
            const Status named = check_ending(*destination, "json", "JSON");
            return named ? send(document_schema(), *destination, context) : named.error();
          }};
}

}  // namespace attn::cli
