// What plots need beyond the computed stages before they can be drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "document/document.h"
#include "engine/matrix/derivation.h"
#include "engine/measures.h"
#include "engine/result.h"
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

// How heads are measured, one after the other: one row of so many stands for all, 1 reads all. A
// window begins with what is soon there; a file has as many rows as a minute affords.
std::vector<std::size_t> row_steps(const AttentionResult& result, std::size_t heads,
                                   const PlotOptions& options);

// Nanoseconds, about; saturates.
std::uint64_t steps_to_measure_heads(const AttentionResult& result, std::size_t heads,
                                     std::size_t row_step);

// "1,024 of 131,072 queries", in a window "so far"; empty where all were read.
std::string rows_measured_words(std::size_t read, std::size_t rows, const PlotOptions& options);

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

// A need for one matrix: its key is the id.
Need need_for(const MatrixId& id, std::string label, std::uint64_t steps, std::uint64_t bytes,
              std::function<Result<MatrixPtr>(const Document&, const ResultPtr&, Progress*)> make);

}  // namespace attn
