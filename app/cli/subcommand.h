// List of subcommands, for help, dispatch and tests.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/flags.h"
#include "cli/view_request.h"

namespace attn::cli {

struct Context {
  Console& console;
  const OpenWindow& open_window;
  const CommonFlags& common;
};

// Exit code 0, or the error.
inline Result<int> done(const Status& status) {
  return status ? Result<int>(0) : Result<int>(status.error());
}

struct HelpExample {
  std::string_view call;  // "attnscope compute cats.json"
  std::string_view does;
};

// Arguments and action of a subcommand.
struct Definition {
  Flags options;
  // Runs after begin(). Returns the exit code, or the error that determines it.
  std::function<Result<int>(Context&)> run;
  std::string footer{};  // lines below the options in help
};

struct Subcommand {
  std::string_view name;
  std::string_view help;  // one line
  std::vector<HelpExample> examples;
  Definition (*define)(CommonFlags& flags);  // flags are borrowed until the call is done
};

std::span<const Subcommand> all_subcommands();
const Subcommand* subcommand_named(std::string_view name);

Definition define_view(CommonFlags& flags);
Definition define_compute(CommonFlags& flags);
Definition define_export(CommonFlags& flags);
Definition define_info(CommonFlags& flags);
Definition define_validate(CommonFlags& flags);
Definition define_examples(CommonFlags& flags);
Definition define_schema(CommonFlags& flags);

using Arguments = std::vector<std::string>;

// The program without subcommand: the window, and --version.
inline constexpr std::string_view kProgram = "attnscope";

enum class Asked { Run, Help, Version, BuildInformation };

// Parsed request; --help takes precedence over errors. `call` is the command in errors: "attnscope
// compute". Options may be given as "--name=true" and "--name=false". Errors: Usage.
Result<Asked> parse_arguments(const Flags& options, const std::string& call,
                              const Arguments& arguments);

}  // namespace attn::cli
