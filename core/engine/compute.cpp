// Checks memory, chooses how a problem is computed, and takes notes on the numbers.
#include "engine/compute.h"

#include <algorithm>
#include <functional>
#include <new>
#include <utility>

#include "attention/problem.h"
#include "base/number_text.h"
#include "engine/layer/layer_compute.h"
#include "engine/notes.h"
#include "engine/stack_result.h"

namespace attn {
namespace {

// Below this many multiply-adds a second thread costs more than it saves.
constexpr std::uint64_t kWorthAThread = 200'000;

struct NamedBytes {
  std::string name;
  std::uint64_t bytes = 0;
};

// Everything that computing allocates, in order of computation.
std::vector<NamedBytes> allocations(const AttentionProblem& problem) {
  std::vector<NamedBytes> all;
  for (const StoredStage& stage : stored_stages(problem)) {
    all.push_back({std::string(stage_info(stage.stage).name), stage.elements * sizeof(float)});
  }
  if (has_influence(problem)) {
    all.push_back({"derivatives behind the influence", influence_bytes(problem)});
  }
  return all;
}

// "scores 4.0 GiB, scaled 4.0 GiB, masked 4.0 GiB": the three largest.
std::string largest_tensors(const AttentionProblem& problem) {
  std::vector<NamedBytes> largest = allocations(problem);
  std::ranges::stable_sort(largest, std::ranges::greater{}, &NamedBytes::bytes);
  largest.resize(std::min<std::size_t>(largest.size(), 3));
  std::string text;
  for (const NamedBytes& tensor : largest) {
    text += (text.empty() ? "" : ", ") + tensor.name + " " + bytes_text(tensor.bytes);
  }
  return text;
}

Error over_memory_limit(const AttentionProblem& problem, std::uint64_t entered_bytes,
                        std::uint64_t limit_bytes) {
  const std::uint64_t needed = needed_bytes(problem, entered_bytes);
  Error error;
  error.kind = ErrorKind::OverMemoryLimit;
  const char* what = entered_bytes == 0 ? "the stages need " : "the document and its stages need ";
  error.message = what + bytes_text(needed) + " (" + std::to_string(needed) +
                  " bytes), more than the limit allows";
  error.found = largest_tensors(problem);
  error.expected =
      "at most " + bytes_text(limit_bytes) + " (" + std::to_string(limit_bytes) + " bytes) in all";
  error.hint = "use fewer tokens, heads or samples, or raise the memory limit";
  return error;
}

Error out_of_memory(const AttentionProblem& problem) {
  Error error = over_memory_limit(problem, 0, 0);
  error.message =
      "the system has no memory for the stages, which need " + bytes_text(predicted_bytes(problem));
  error.expected.clear();
  error.hint = "use fewer tokens, heads or samples, or close other programs";
  return error;
}

void take_notes(LayerResult& result) { result.set_notes(notes_on(result)); }

// Of a decoder, each attention those about itself.
void take_notes(StackResult& result) {
  result.set_notes(notes_on(result));
  if (StackResult* self = result.self()) self->set_notes(notes_on(*self));
}

// A result whose numbers are not computed yet.
template <class AnyResult>
Result<ResultPtr> fill(const std::shared_ptr<AnyResult>& result, const ComputeOptions& options) {
  const bool small = computing_multiply_adds(result->problem()) < kWorthAThread;
  try {
    if (!result->allocate()) return out_of_memory(result->problem());
    const auto* before = dynamic_cast<const AnyResult*>(options.before.get());
    if (!compute_stages(*result, small ? 1 : options.threads, options.progress, before)) {
      return stopped();
    }
    take_notes(*result);
  } catch (const std::bad_alloc&) {
    return out_of_memory(result->problem());
  }
  return ResultPtr(result);
}

}  // namespace

Error stopped() {
  Error error;
  error.kind = ErrorKind::Interrupted;
  error.message = "the computation was stopped";
  return error;
}

std::uint64_t needed_bytes(const AttentionProblem& problem, std::uint64_t entered_bytes) {
  return saturating_sum(entered_bytes,
                        saturating_sum(predicted_bytes(problem), laid_out_bytes(problem)));
}

Result<ResultPtr> compute(AttentionProblem problem, const ComputeOptions& options) {
  if (needed_bytes(problem, options.entered_bytes) > options.memory_limit_bytes) {
    return over_memory_limit(problem, options.entered_bytes, options.memory_limit_bytes);
  }
  if (!problem.stack.blocks.empty()) {
    return fill(std::make_shared<StackResult>(std::move(problem)), options);
  }
  return fill(std::make_shared<LayerResult>(std::move(problem)), options);
}

}  // namespace attn
