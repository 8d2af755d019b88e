// What plots need beyond the computed stages before they can be drawn.
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
  std::string key;          // equal keys of one result have equal derivations
  std::string label;        // for those who wait: "Attention rollout"
  std::uint64_t steps = 0;  // predicted, about a nanosecond each; saturates
  // From a document and its result, on any thread. Holds nothing that it reads; `progress` may be
  // null. Interrupted when progress->cancelled becomes true.
  std::function<Result<DerivationPtr>(const Document&, const ResultPtr&, Progress*)> derive;
  // Predicted, that deriving takes at most and what it keeps, the result aside; saturates. 0: too
  // few to count.
  std::uint64_t bytes = 0;
  bool awaited = true;  // false: the plot is drawn without it and says so until it is there
  // Only files wait for it: a window says what it shows in its place, which is there much sooner.
  bool only_for_files = false;
};

// What may take so long that some rows come first.
inline constexpr std::uint64_t kSoonSteps = 250'000'000;  // a quarter of a second
inline constexpr std::uint64_t kStepsOfAMinute = 60'000'000'000;

// One way to derive something: soon and from a part, or from all.
struct Pass {
  std::string name = {};     // ends the key; empty: of all
  std::string label;         // for those who wait
  std::uint64_t steps = 0;   // as in Need
  std::size_t row_step = 1;  // one row of so many stands for all; 1: all are read
  bool awaited = true;
};

// Something that a plot needs, by as many passes as it takes until it is exact.
template <class Kind>
struct Ask {
  std::string key;
  std::vector<Pass> passes;  // the coarsest first
  // On any thread. Holds nothing that it reads; unfinished when it is cancelled.
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
    needs.push_back({ask.key + pass.name, pass.label, pass.steps, derive, ask.bytes, pass.awaited});
  }
  return needs;
}

// The best that is known; null when nothing is.
template <class Kind>
std::shared_ptr<const Kind> best_of(const Ask<Kind>& ask, const Derivations* known) {
  for (auto pass = ask.passes.rbegin(); known != nullptr && pass != ask.passes.rend(); ++pass) {
    if (auto found = known->get<Kind>(ask.key + pass->name)) return found;
  }
  return nullptr;
}

// One pass for all rows, before it one of some where these are soon there. A file has one, of as
// many rows as a minute affords. `heads` heads are read one after the other.
std::vector<Pass> passes_by_rows(const AttentionResult& result, const HeadAddress& at,
                                 std::size_t heads, const Target& target, std::string_view label,
                                 std::string_view label_of_some = {});

// "1,024 of 131,072 rows"; empty where all were read.
std::string rows_of_all(std::size_t read, std::size_t rows, std::string_view noun = "rows");

// "1,024 of 131,072 queries", in a window "so far"; empty where all were read.
std::string rows_measured_words(std::size_t read, std::size_t rows, const Target& target);

// A matrix by its id: a stage of the result, or what was derived from it; null when there is none.
// The input is of the attention that the id names, and outlives the matrix.
MatrixPtr matrix_in(const PlotInput& input, const MatrixId& id);

// Something else that was derived; null when it is not there.
template <class Kind>
std::shared_ptr<const Kind> derived_as(const PlotInput& input, std::string_view key) {
  return input.derivations != nullptr ? input.derivations->get<Kind>(key) : nullptr;
}

// Why a plot has to do without it: what went wrong, or that it is not computed yet.
Error why_missing(const PlotInput& input, std::string_view key);
Error why_missing(const PlotInput& input, const MatrixId& id);
template <class Kind>
Error why_missing(const PlotInput& input, const Ask<Kind>& ask) {
  return why_missing(input, ask.key + ask.passes.front().name);
}

// A need for one matrix: its key is the id.
Need need_for(const MatrixId& id, std::string label, std::uint64_t steps, std::uint64_t bytes,
              std::function<Result<MatrixPtr>(const Document&, const ResultPtr&, Progress*)> make);

}  // namespace attn
