// attnscope examples and attnscope schema: print the embedded examples and schema.
#include <memory>

#include "base/json.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "session/build_information.h"

namespace attn::cli {
namespace {

// Writes the text in a format ("JSON"), with its ending.
Result<int> send(std::string_view bytes, Context& context, std::string_view ending = "json",
                 std::string_view format = "JSON") {
  const Destination& destination = context.common.destination;
  if (const Status named = check_ending(destination, ending, format); !named) return named.error();
  if (const Status free = check_destination(destination); !free) return free.error();
  return done(write_output(context.console, destination, bytes));
}

Result<std::string> example_text(const std::string& given) {
  const std::string name =
      given.starts_with(kExamplePrefix) ? given.substr(kExamplePrefix.size()) : given;
  const auto examples = all_examples();
  const auto known = std::ranges::find(examples, name, &Example::name);
  if (known != examples.end()) return std::string(known->json);
  return Error{.kind = ErrorKind::BadInput,
               .message = "there is no example named " + name,
               .hint = did_you_mean(name, names_of(examples, &Example::name),
                                    "attnscope examples lists them")};
}

std::string list_text() {
  return aligned({column_of({}, all_examples(), &Example::name, true),
                  column_of({}, all_examples(), &Example::title, true)});
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

Result<int> run(const std::string& name, Context& context) {
  if (name.empty() && context.common.json) return send(list_json(), context);
  if (name.empty()) return send(list_text(), context, "txt", "a list as text");
  const Result<std::string> text = example_text(name);
  return text ? send(*text, context) : text.error();
}

}  // namespace

Definition define_examples(CommonFlags& common) {
  auto name = std::make_shared<std::string>();
  Flags options{{"NAME", "", "The example to print; all are listed without it", name.get(), false,
                 names_of(all_examples(), &Example::name)}};
  add_shared(options, common, kOutput | kJson | kMessages);
  return {std::move(options), [name](Context& context) { return run(*name, context); }};
}

Definition define_schema(CommonFlags& common) {
  Flags options;
  add_shared(options, common, kOutput | kMessages);
  return {std::move(options), [](Context& context) { return send(document_schema(), context); }};
}

}  // namespace attn::cli
