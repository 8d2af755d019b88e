// From the FILE of a command line to a document and its result.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "cli/subcommand.h"
#include "document/json.h"
#include "engine/read/result.h"

namespace attn::cli {

// The extents that a shape has, by name, the same for all subcommands.
std::vector<std::pair<const char*, std::size_t>> extents_of(const AttentionShape& shape);

// What computing has to say about the numbers; of what needs more memory than the limit, or takes
// longer than a few seconds without --numbers, that it was not done.
std::vector<ResultNote> notes_on_numbers(const Document& document, const CommonFlags& flags,
                                         Progress* progress = nullptr);

// A plot or a colour map of the view that is not there becomes the usual one, with a note.
void settle_view(ReadReport& report);

// Within the memory limit, and with the seed, of the flags.
ReadOptions read_options(const CommonFlags& flags);

// Opens with these options and settles the view. Notes of the reader go to standard error.
Result<ReadReport> load_document(const std::string& file, Context& context);

// When long work says how far it is off a terminal, in seconds.
struct ProgressTimes {
  double first = 5.0, between = 30.0;
};

// Does `work`, with how far it is once it takes long: on a terminal "Drawing 40 %, about 20 s
// left", elsewhere now and then in a line of its own. Returns when it is done; its progress may be
// null.
void with_progress(Console& console, const std::string& what,
                   const std::function<void(Progress*)>& work, ProgressTimes times = {});

// Whether the influence of source tokens is looked at: then it is computed however long it takes.
enum class Influence { LookedAt, IfQuick };

// Computes within the memory limit, with progress on a terminal when it takes long. Notes on the
// result go to standard error.
Result<ResultPtr> compute_document(const Document& document, Context& context,
                                   Influence influence = Influence::IfQuick);

}  // namespace attn::cli
