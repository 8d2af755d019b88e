// Dispatch of arguments to subcommands, and the exit code of the process.
#include "cli/cli.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

#include "base/mapped_file.h"
#include "engine/kernels/instruction_sets.h"
#include "plot/all_plots.h"
#include "session/build_information.h"
#include "text/nearest.h"

namespace attn::cli {
namespace {

std::string version_text(bool verbose) {
  std::string version = "attnscope " + std::string(program_version()) + "\n";
  if (!verbose) return version;
  constexpr std::size_t kWidest = 20;
  std::vector<HelpLine> rows, licences;
  for (auto& [name, value] : build_information()) rows.push_back({name, value});
  rows.erase(rows.begin());  // of --version itself
  for (const LibraryLicence& library : library_licences()) {
    licences.push_back({std::string(library.library),
                        std::string(library.licence) + ", " + std::string(library.package)});
  }
  return version + help_table(rows, kWidest) +
         "\nLicences, and the packages of Debian whose /usr/share/doc/PACKAGE/copyright has their "
         "texts:\n" +
         help_table(licences, kWidest);
}

// Runs a subcommand; `call` is "attnscope", with the subcommand if that was named.
Result<int> run_call(const Subcommand& subcommand, const std::string& call,
                     const Arguments& arguments, Console& console, const OpenWindow& open_window) {
  CommonFlags flags;
  const Definition definition = subcommand.define(flags);
  const Result<Requested> requested = parse_arguments(definition.options, call, arguments);
  if (!requested) return requested.error();
  if (*requested == Requested::Help) {
    return done(
        console.write(call == kProgram ? program_help() : subcommand_help(subcommand, arguments)));
  }
  if (*requested != Requested::Run) {
    return done(console.write(version_text(*requested == Requested::BuildInformation)));
  }
  if (const Status begun = begin(flags, console); !begun) return begun.error();
  constexpr std::size_t kMostKept = 256;
  if (subcommand.name != "view") keep_mapped_files(kMostKept);
  Context context{console, open_window, flags};
  return definition.run(context);
}

// Names that other tools have for attnscope export.
constexpr std::string_view kDrawing[] = {"plot", "draw", "figure", "render", "save"};

// Refuses a word that is no file and (nearly) a subcommand's name.
Status check_bare_word(const std::string& word, const Arguments& arguments) {
  const std::vector<std::string_view> names = names_of(all_subcommands(), &Subcommand::name);
  const bool is_plot = plot_named(word) != nullptr, is_first = &word == &arguments.front();
  if (is_first && (is_plot || std::ranges::count(kDrawing, word) > 0)) {
    return usage_error(word + " is neither a command nor a file",
                       drawing_call({arguments.begin() + 1, arguments.end()}) +
                           (is_plot ? " --plot " + word : ""));
  }
  const std::string_view meant = nearest(word, names);
  if (meant == word) return usage_error("options follow the command: attnscope " + word + " …");
  if (!meant.empty()) {
    return usage_error("there is no command or file named " + word, did_you_mean(word, names));
  }
  // Files have an extension or a folder; words with neither are probably mistyped subcommands.
  if (!is_first || word.find_first_of("./:") != std::string::npos) return ok_status();
  return Error{.kind = ErrorKind::Usage,
               .message = word + " is neither a command nor a file",
               .expected = "a file or a command such as " + joined(nearest_few(word, names, 3)),
               .hint = "attnscope --help lists all commands"};
}

Status check_bare_words(const Arguments& arguments) {
  for (const std::string& word : arguments) {
    std::error_code failed;
    if (word.empty() || word.starts_with('-') || std::filesystem::exists(word, failed)) continue;
    if (const Status good = check_bare_word(word, arguments); !good) return good;
  }
  return ok_status();
}

// Chooses the instruction set that ATTNSCOPE_INSTRUCTIONS names, for tests and comparisons; unset,
// the best.
Status choose_instruction_set() {
  const char* name = std::getenv("ATTNSCOPE_INSTRUCTIONS");
  if (name == nullptr || use_instruction_set(name)) return ok_status();
  return Error{.kind = ErrorKind::Usage,
               .message = "ATTNSCOPE_INSTRUCTIONS names an unknown instruction set",
               .found = name,
               .expected = joined(instruction_sets())};
}

Result<int> dispatch(Arguments arguments, Console& console, const OpenWindow& open_window) {
  if (const Status good = choose_instruction_set(); !good) return good.error();
  if (!arguments.empty() && arguments.front() == "help") {
    arguments.erase(arguments.begin());
    arguments.push_back("--help");
  }
  std::string call(kProgram);
  const Subcommand* subcommand = subcommand_named(arguments.empty() ? "" : arguments.front());
  if (subcommand != nullptr) {
    call += " " + arguments.front();
    arguments.erase(arguments.begin());
  } else if (const Status good = check_bare_words(arguments); !good) {
    return good.error();
  } else {
    subcommand = subcommand_named("view");
  }
  return run_call(*subcommand, call, arguments, console, open_window);
}

bool is_lack_of_memory(const std::exception& thrown) {
  const auto* refused = dynamic_cast<const std::system_error*>(&thrown);
  // There is no memory for the stack of a thread.
  if (refused != nullptr) return refused->code() == std::errc::resource_unavailable_try_again;
  return dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr ||
         dynamic_cast<const std::length_error*>(&thrown) != nullptr;
}

Result<int> dispatch_safely(const Arguments& arguments, Console& console,
                            const OpenWindow& open_window) {
  Error error;
  try {
    return dispatch(arguments, console, open_window);
  } catch (const std::exception& thrown) {
    if (is_lack_of_memory(thrown)) {
      error.kind = ErrorKind::OverMemoryLimit;
      error.message = "there is not enough memory";
      error.hint = "use a smaller document or a machine with more memory";
    } else {
      error.message = std::string("internal error: ") + thrown.what();
      error.hint = "please report it with the command that led to it";
    }
  }
  error.file = console.file;
  return error;
}

}  // namespace

std::span<const Subcommand> all_subcommands() {
  static const std::vector<Subcommand> kSubcommands = {
      {"view",
       "Open the window",
       {{"attnscope view cats.attn.json", "Open a document"},
        {"attnscope view example:four-heads --theme light", "Open a built-in example"},
        {"attnscope view cats.attn.json --screenshot cats.png", "Take a picture and leave"}},
       define_view},
      {"compute",
       "Print the attention weights and outputs as JSON",
       {{"attnscope compute example:i-love-cats", "Print the numbers"},
        {"attnscope compute cats.attn.json --stages -o result.json", "Write every stage to a file"},
        {"attnscope compute *.attn.json --stage weights -o '{name}.csv'",
         "A table for each document"},
        {"cat cats.attn.json | attnscope compute - | jq .weights", "In a pipeline"}},
       define_compute},
      {"compare",
       "Show how far the numbers of two documents are from each other",
       {{"attnscope compare cats.attn.json example:i-love-cats", "Every stage and head"},
        {"attnscope compare cats.attn.json example:i-love-cats --tolerance 1e-5",
         "As a check: exit code 3 beyond the tolerance"}},
       define_compare},
      {"export",
       "Draw a figure for a paper or a page",
       {{"attnscope export example:i-love-cats -o cats.png", "The weights as a heatmap, 300 dpi"},
        {"attnscope export cats.attn.json -o page.pdf --layout 'heatmap | links / distances'",
         "Three plots on one page"},
        {"attnscope export *.attn.json --head all -o '{name}-{head}.pdf'",
         "A file for each head of many documents"}},
       define_export},
      {"info",
       "Show shapes, parameters, cost and memory, or how a figure was made",
       {{"attnscope info cats.attn.json", "What is in it"},
        {"attnscope info cats.attn.json --measures", "And what each head does"},
        {"attnscope info --json cats.attn.json | jq .shape", "For programs"}},
       define_info},
      {"validate",
       "Check documents and show every problem with its place",
       {{"attnscope validate cats.attn.json", "Check one"},
        {"attnscope validate *.json --quiet", "Check many, show only problems"}},
       define_validate},
      {"examples",
       "List the built-in examples or print one",
       {{"attnscope examples", "List them"},
        {"attnscope examples four-heads -o heads.attn.json", "Write one to a file, to edit it"}},
       define_examples},
      {"schema",
       "Print the JSON Schema of documents",
       {{"attnscope schema -o attnscope.schema.json",
         "Beside documents, for editors that check them"}},
       define_schema},
      {"completion",
       "Print the script with which a shell completes commands",
       {{"source <(attnscope completion bash)", "In this shell; as a line of ~/.bashrc, in all"},
        {"attnscope completion zsh -o _attnscope", "A file for a folder of zsh's fpath"},
        {"attnscope completion fish -o attnscope.fish", "One for ~/.config/fish/completions"}},
       define_completion},
  };
  return kSubcommands;
}

const Subcommand* subcommand_named(std::string_view name) {
  const auto all = all_subcommands();
  const auto found = std::ranges::find(all, name, &Subcommand::name);
  return found == all.end() ? nullptr : &*found;
}

int run(const Arguments& arguments, const OpenWindow& open_window) {
  watch_interruptions();
  Console console;
  // This is applied before any error in the other arguments is shown.
  if (std::ranges::find(arguments, "--no-color") != arguments.end()) console.colors = false;
  const Result<int> code = dispatch_safely(arguments, console, open_window);
  if (code) return *code;
  if (console.reader_left) return 0;
  console.error(code.error());
  return exit_code(code.error().kind);
}

}  // namespace attn::cli
