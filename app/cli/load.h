// Loads and computes the document of the FILE argument.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/progress.h"
#include "cli/cli.h"
#include "document/load/read.h"
#include "engine/read/result.h"

namespace attn::cli {

// Returns the non-zero extents of a shape by name, for all subcommands.
std::vector<std::pair<const char*, std::size_t>> extents_of(const AttentionShape& shape);

// Returns the notes of computing; a note that it was skipped if it needs more memory than the
// limit, or more than a few seconds without --numbers.
std::vector<ResultNote> notes_on_numbers(const Document& document, const CommonFlags& flags,
                                         Progress* progress = nullptr);

const char* level_name(const ResultNote& note);  // "warning" or "note"

// Adds "notes", those of the reader, then those on the numbers, and "warnings", the graver ones.
void add_notes(Json& json, const std::vector<std::string>& of_reader,
               const std::vector<ResultNote>& of_numbers);

// Replaces unknown plots and colour maps of the view by the default, with a note.
void settle_view(Reading& report);

// Returns the options of reading that the flags set.
ReadOptions read_options(const CommonFlags& flags);

// Refuses to replace files in which the document keeps its numbers, even with `force`.
Status check_sources(const Document& document, const Destination& output, const CommonFlags& flags);

// Returns the hash of a document as it was before tokens were left out of it.
Result<std::string> hash_of(const Reading& reading);

// Opens a document with these options, leaves tokens out, and settles its view. Notes go to
// standard error.
Result<Reading> load_document(const std::string& file, Context& context);

struct Reports {
  std::size_t count = 0;               // of things, whose number is reported; 0: a percentage
  double first = 5.0, between = 30.0;  // seconds, where there is no terminal
};

// Runs `work` and reports progress once it takes long: on a terminal "Drawing 40 %, about 20 s
// left" or "Figure 37 of 144, about …", elsewhere in lines. Returns when it is done; its progress
// may be null, as it is within other work with progress.
void run_with_progress(Console& console, const std::string& what,
                       const std::function<void(Progress*)>& work, const Reports& how);

// Runs the work as above and returns its result.
template <class Work>
auto with_progress(Console& console, const std::string& what, Work&& work,
                   const Reports& how = {}) {
  std::optional<std::invoke_result_t<Work, Progress*>> result;
  run_with_progress(
      console, what, [&](Progress* progress) { result = work(progress); }, how);
  return *std::move(result);
}

// When the influence of source tokens is computed: always if it is shown.
enum class Influence { Always, IfQuick };

// A document with its numbers.
struct Computed {
  Document document;
  ResultPtr result;
};

// Computes within the limit of memory, with progress on a terminal. Notes on the result go to
// standard error. Blocks after the first `layers` are computed only if they are read.
Result<ResultPtr> compute_document(const Document& document, Context& context,
                                   Influence influence = Influence::IfQuick,
                                   std::size_t layers = static_cast<std::size_t>(-1));

// Opens a document and computes it as the functions above do. One of several: its own text comes
// before that of --text.
Result<Computed> computed_document(const std::string& file, Context& context, Influence influence);

}  // namespace attn::cli
