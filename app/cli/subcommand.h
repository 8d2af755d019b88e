// The one list of subcommands; help, dispatch and tests iterate over it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/console.h"
#include "cli/view_request.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace attn::cli {

struct Context {
  Console& console;
  const OpenWindow& open_window;
};

// The exit code, or the error that says it.
using Action = std::function<Result<int>(Context&)>;

// 0 when all went well.
inline Result<int> done(const Status& status) {
  return status ? Result<int>(0) : Result<int>(status.error());
}

struct HelpExample {
  std::string_view call;  // "attnscope compute cats.json"
  std::string_view does;
};

struct Subcommand {
  std::string_view name;
  std::string_view help;  // one line
  std::vector<HelpExample> examples;
  // Adds the flags to an empty parser and returns what to run once they are parsed.
  Action (*define)(CLI::App& parser);
};

std::span<const Subcommand> all_subcommands();
const Subcommand* subcommand_named(std::string_view name);

Action define_view(CLI::App& parser);
Action define_compute(CLI::App& parser);
Action define_export(CLI::App& parser);
Action define_info(CLI::App& parser);
Action define_validate(CLI::App& parser);
Action define_examples(CLI::App& parser);
Action define_schema(CLI::App& parser);

}  // namespace attn::cli
