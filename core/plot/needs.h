// What plots need before they are drawn, found, computed and read. Drawing itself computes nothing.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compute.h"
#include "engine/matrix/matrix.h"
#include "plot/all_plots.h"

namespace attn {

// What the plot needs of a whole result under these options, fitted to it. Cheap: asked after every
// command.
std::vector<Need> needs_of(const PlotEntry& plot, const PlotInput& input,
                           const PlotOptions& options);

// What a person has to say about the work.
struct DerivingOptions {
  Progress* progress = nullptr;  // borrowed; may be null
  std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes;
  std::uint64_t in_use_bytes = 0;  // by what was derived before
};

// Does what the need asks for. OverMemoryLimit, before anything is allocated and with the figures,
// when the need takes more than the limit leaves beside the result and what else is in use; also
// when the system has no more.
Result<DerivationPtr> derive(const Need& need, const Document& document, const ResultPtr& result,
                             const DerivingOptions& how = {});

// Everything that the plot needs, one after the other, however long it takes; also what went wrong.
Derivations derive_all(const PlotEntry& plot, const Document& document, const ResultPtr& result,
                       const PlotOptions& options, const DerivingOptions& how = {});

// The figure with everything that it needs, computed here and now: for files and tests.
Result<Figure> draw_complete(const PlotEntry& plot, const Document& document,
                             const ResultPtr& result, const PlotOptions& options,
                             const TextMetrics& metrics);

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
