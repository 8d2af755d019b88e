// Derivations that plots need beside the computed stages, and the way to request them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "document/document.h"
#include "engine/compute.h"
#include "engine/read/derivation.h"
#include "engine/read/result.h"
#include "plot/kit/plot.h"

namespace attn {

struct Need {
  std::string key;                // equal keys of one result have equal derivations
  std::string label;              // shown while the job runs: "Attention rollout"
  std::uint64_t nanoseconds = 0;  // predicted; saturates
  // Makes it from a document and its result, on any thread. Captures no borrowed data; `progress`
  // may be null. Interrupted when progress->cancelled becomes true.
  std::function<Result<DerivationPtr>(const Document&, const ResultPtr&, Progress*)> derive;
  // Predicted peak of memory beside the result, saturates. 0: too small to count.
  std::uint64_t bytes = 0;
  bool awaited = true;  // false: the plot is drawn without it, with a remark, until it is there
  // Only files wait for it; a window shows a faster approximation.
  bool only_for_files = false;
};

// Predicted time beyond which some rows are derived first.
inline constexpr std::uint64_t kShortTime = 250'000'000;  // a quarter of a second
inline constexpr std::uint64_t kMinute = 60'000'000'000;

inline constexpr std::string_view kSomeRows = ", some rows";  // name of a pass

// One way to derive something: from some rows, or from all.
struct Pass {
  std::string name = {};          // suffix of the key; empty: the exact pass
  std::string label;              // shown while the job runs
  std::uint64_t nanoseconds = 0;  // as in Need
  std::size_t row_step = 1;       // one of so many rows is read; 1: all are
  bool awaited = true;
  bool only_for_files = false;  // as in Need
};

// Something that a plot needs, with its passes from coarse to exact.
template <class Kind>
struct Ask {
  std::string key;
  std::vector<Pass> passes;  // the coarsest first
  // Runs on any thread and captures no borrowed data; the result is incomplete when cancelled.
  std::function<Result<std::shared_ptr<Kind>>(const Document&, const ResultPtr&, const Pass&,
                                              Progress*)>
      make;
  std::uint64_t bytes = 0;  // as in Need
};

inline void append(std::vector<Need>& needs, std::vector<Need> more) {
  std::ranges::move(more, std::back_inserter(needs));
}

template <class Kind>
std::vector<Need> needs_of(const Ask<Kind>& ask) {
  std::vector<Need> needs;
  for (const Pass& pass : ask.passes) {
    const auto derive = [make = ask.make, pass](const Document& document, const ResultPtr& result,
                                                Progress* progress) -> Result<DerivationPtr> {
      auto made = make(document, result, pass, progress);
      if (!made) return made.error();
      if (progress != nullptr && progress->cancelled) return stopped();
      return DerivationPtr(*std::move(made));
    };
    needs.push_back({ask.key + pass.name, pass.label, pass.nanoseconds, derive, ask.bytes,
                     pass.awaited, pass.only_for_files});
  }
  return needs;
}

// The most exact derivation that is known; null when there is none.
template <class Kind>
std::shared_ptr<const Kind> best_of(const Ask<Kind>& ask, const Derivations* known) {
  for (auto pass = ask.passes.rbegin(); known != nullptr && pass != ask.passes.rend(); ++pass) {
    if (auto found = known->get<Kind>(ask.key + pass->name)) return found;
  }
  return nullptr;
}

// An exact pass, preceded by one over some rows where reading all takes longer than kShortTime. A
// file gets one pass over as many rows as a minute allows. `heads` heads are read in sequence.
std::vector<Pass> passes_by_rows(const FittedView& view, std::size_t heads, std::string_view label,
                                 std::string_view label_of_some = {});

// "1,024 of 131,072 rows"; empty when all were read.
std::string rows_of_all(std::size_t read, std::size_t rows, std::string_view noun = "rows");

// ", 1,024 of 131,072 rows so far"; empty when all were read.
std::string rows_so_far(std::size_t read, std::size_t rows);

// "1,024 of 131,072 queries", in a window followed by "so far"; empty when all were read.
std::string rows_measured_words(std::size_t read, std::size_t rows, const Target& target);

// The matrix with this id: a stage of the result or a derivation; null when there is none. The
// input belongs to the attention of the id and outlives the matrix.
MatrixPtr matrix_in(const PlotInput& input, const MatrixId& id);

// A derivation that is not a matrix; null when there is none.
template <class Kind>
std::shared_ptr<const Kind> derived_as(const PlotInput& input, std::string_view key) {
  return input.derivations != nullptr ? input.derivations->get<Kind>(key) : nullptr;
}

// The error of a derivation that failed; null when it did not.
const Error* error_of(const Derivations* known, std::string_view key);

// Error for a missing derivation: why deriving failed, or that it is not computed yet.
Error why_missing(const PlotInput& input, std::string_view key);
Error why_missing(const PlotInput& input, const MatrixId& id);
template <class Kind>
Error why_missing(const PlotInput& input, const Ask<Kind>& ask) {
  return why_missing(input, ask.key + ask.passes.front().name);
}

// A need for one matrix; its key is the text of the id.
Need need_for(const MatrixId& id, std::string label, std::uint64_t nanoseconds, std::uint64_t bytes,
              std::function<Result<MatrixPtr>(const Document&, const ResultPtr&, Progress*)> make);

}  // namespace attn
