// The command line: its subcommands with arguments and help, which need no display, and the request
// to open the window.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/flags.h"
#include "session/log_file.h"
#include "text/reader.h"

namespace attn::cli {

using Arguments = std::vector<std::string>;

// Startup options of the window.
struct ViewRequest {
  std::vector<std::string> files;
  std::string follow;  // absolute path of one of `files`, read again when it is written; or empty
  std::string screenshot;  // write a picture of the window here and quit; empty: stay open
  std::string replay;      // script of input to replay, for documentation and tests; empty: none
  std::optional<int> width, height;  // in pixels; nothing: by the scale
  double scale = 0.0;                // of the interface; 0: taken from the display
  std::string theme;                 // of the window, or empty
  bool force = false;                // overwrite the screenshot and files that the script writes
  bool reset_settings = false;       // start with default settings
  bool safe_mode = false;            // neither read nor write settings; implies no_session
  bool no_session = false;           // start without the last tabs, and offer no unsaved work
  std::string config_dir;            // absolute; empty: default folders
  std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes;
  bool allows_outside = false;  // references may leave their document's folder
  ModelInput input;             // of folders of models
  std::string arrays;           // how files of arrays are read; empty: by names and shapes
  std::string log_file;         // empty: default; none with a screenshot or script
  LogLevel log_level = LogLevel::Info;
};

// Opens the window and returns the exit code. Empty in builds without a window.
using OpenWindow = std::function<int(const ViewRequest&)>;

// Runs the program with the arguments after its name. Data goes to stdout, messages to stderr.
int run(const Arguments& arguments, const OpenWindow& open_window);

// An exit code and its meaning.
struct ExitCode {
  int code;
  std::string_view means;  // "wrong usage"
};
std::span<const ExitCode> all_exit_codes();

// A line of a table: an input, such as "attnscope compute cats.json", and its explanation. An empty
// left column continues the line above.
struct HelpLine {
  std::string left, right;
};

// Returns examples of the program as a whole.
const std::vector<HelpLine>& program_examples();

struct Context {
  Console& console;
  const OpenWindow& open_window;
  const CommonFlags& common;
};

// Arguments and action of a subcommand.
struct Definition {
  Flags options;
  // Runs after begin(). Returns the exit code, or the error that determines it.
  std::function<Result<int>(Context&)> run;
  std::string footer{};  // lines below the options in help
  // Returns help that is shorter than with --all, by the arguments; or null.
  std::string (*short_help)(const Flags&, const Arguments&) = nullptr;
};

struct Subcommand {
  std::string_view name;
  std::string_view help;  // one line
  std::vector<HelpLine> examples;
  Definition (*define)(CommonFlags& flags);  // flags are borrowed until the call is done
};

// Returns the subcommands, for help, dispatch and tests.
std::span<const Subcommand> all_subcommands();
const Subcommand* subcommand_named(std::string_view name);

Definition define_view(CommonFlags& flags);
Definition define_compute(CommonFlags& flags);
Definition define_compare(CommonFlags& flags);
Definition define_export(CommonFlags& flags);
Definition define_info(CommonFlags& flags);
Definition define_validate(CommonFlags& flags);
Definition define_examples(CommonFlags& flags);
Definition define_schema(CommonFlags& flags);
Definition define_completion(CommonFlags& flags);

// Returns exit code 0, or the error.
inline Result<int> done(const Status& status) {
  return status ? Result<int>(0) : Result<int>(status.error());
}

// The name of the program, and of its call without a subcommand.
inline constexpr std::string_view kProgram = "attnscope";

enum class Requested { Run, Help, Version, BuildInformation };

// Returns the advice to draw the file of the first word into that of the last: "to draw a figure:
// attnscope export x.json -o y.png".
std::string drawing_call(const Arguments& words);

// Parses the arguments; --help takes precedence over errors. `call` is the command in errors:
// "attnscope compute". Options may be given as "--name=true" and "--name=false". Errors: Usage.
Result<Requested> parse_arguments(const Flags& options, const std::string& call,
                                  const Arguments& arguments);

// Aligns the columns and wraps the right one. Left cells of more than `widest_left` bytes get a
// line of their own.
std::string help_table(const std::vector<HelpLine>& lines, std::size_t widest_left);

// Returns "-o, --output OUT".
std::string left_of(const Flag& option);

// Cells of a table below the words that head them, aligned left if they are texts.
struct TextColumn {
  std::vector<std::string> cells;
  bool is_text;
};

// Returns a column with a cell for each row of `rows`.
template <class Rows, class Cell>
TextColumn column_of(std::vector<std::string> heading, const Rows& rows, const Cell& cell,
                     bool is_text) {
  for (const auto& row : rows) heading.emplace_back(std::invoke(cell, row));
  return {std::move(heading), is_text};
}

// Returns the lines of columns of equal length, with two blanks between these.
std::string aligned(const std::vector<TextColumn>& columns);

// Help of a command, also printed in docs/COMMAND_LINE.md.
struct CommandWords {
  std::string usage;                           // "attnscope compute FILE [options]"
  std::vector<HelpLine> positionals, options;  // in order of declaration
  std::string footer;                          // further lines; empty: none
};
CommandWords words_of(const Subcommand& subcommand);

std::string program_help();
std::string subcommand_help(const Subcommand& subcommand, const Arguments& arguments);

}  // namespace attn::cli
