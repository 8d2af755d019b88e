// Computation of a problem: memory check, choice of the method, and notes on the numbers.
#include "engine/compute.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <string>
#include <utility>

#include "attention/problem.h"
#include "base/number_text.h"
#include "engine/layer/layer_compute.h"

namespace attn {
namespace {

using Level = ResultNote::Level;

// Counted from 1, as in sentences on cells.
std::string place_text(const AttentionShape& shape, const HeadAddress& head, std::size_t query) {
  std::string text;
  if (shape.layers > 1) text += "layer " + std::to_string(head.layer + 1) + ", ";
  if (shape.samples > 1) text += "sample " + std::to_string(head.sample + 1) + ", ";
  if (shape.heads > 1) text += "head " + std::to_string(head.head + 1) + ", ";
  return text + "query " + std::to_string(query + 1);
}

// "1 row of 12", "3 rows of 12".
std::string rows_text(std::uint64_t count, std::uint64_t total) {
  return std::to_string(count) + (count == 1 ? " row of " : " rows of ") + std::to_string(total);
}

template <class Each>
void for_each_row(const AttentionShape& s, const HeadAddress& of, Each each) {
  for (std::size_t layer = 0; layer < s.layers; ++layer) {
    for (std::size_t sample = 0; sample < s.samples; ++sample) {
      for (std::size_t head = 0; head < s.heads; ++head) {
        for (std::size_t q = 0; q < s.n_q; ++q) each(of.moved_to(layer, sample, head), q);
      }
    }
  }
}

std::uint64_t row_count(const AttentionShape& s) {
  return element_count({s.layers, s.samples, s.heads, s.n_q});
}

struct FoundRows {
  std::uint64_t count = 0;
  std::string first;

  void add(const AttentionShape& shape, const HeadAddress& head, std::size_t query) {
    if (count++ == 0) first = place_text(shape, head, query);
  }
  // " (first: query 2)"
  std::string where() const { return " (first: " + first + ")"; }
};

// Rows of given weights that violate the usual properties; rows without visible keys are exempt.
struct OddRows {
  FoundRows off, zero, negative;
  double worst = 0.0;
  std::string worst_text;
};

constexpr double kNoteAbove = 1e-3;
constexpr double kWarnAbove = 1e-2;

OddRows odd_rows(const AttentionResult& result) {
  const AttentionShape& shape = result.shape();
  std::vector<float> row(shape.n_k);
  OddRows odd;
  for_each_row(shape, {}, [&](const HeadAddress& head, std::size_t q) {
    if (result.sees_no_key(head, q)) return;
    result.read(Stage::Weights, head, {q, 0, 1, shape.n_k}, row.data());
    if (std::ranges::all_of(row, [](float weight) { return weight == 0.0F; })) {
      return odd.zero.add(shape, head, q);
    }
    if (std::ranges::any_of(row, [](float weight) { return weight < 0.0F; })) {
      odd.negative.add(shape, head, q);
    }
    double sum = 0.0;
    for (const float weight : row) sum += static_cast<double>(weight);
    const double off = std::abs(sum - 1.0);
    if (!(off > kNoteAbove) || !std::isfinite(off)) return;
    odd.off.add(shape, head, q);
    if (off <= odd.worst) return;
    odd.worst = off;
    odd.worst_text = place_text(shape, head, q) + " sums to " + short_text(sum);
  });
  return odd;
}

void add_odd_rows(const AttentionResult& result, std::vector<ResultNote>& notes) {
  const OddRows odd = odd_rows(result);
  const auto rows_of = [&](const FoundRows& found, const char* of_one, const char* of_some) {
    return rows_text(found.count, row_count(result.shape())) +
           (found.count == 1 ? of_one : of_some);
  };
  if (odd.off.count > 0) {
    notes.push_back({odd.worst > kWarnAbove ? Level::Warning : Level::Note,
                     rows_of(odd.off, " of the weights does not sum to 1 and is shown as given",
                             " of the weights do not sum to 1 and are shown as given") +
                         " (worst: " + odd.worst_text + ")"});
  }
  if (odd.zero.count > 0) {
    notes.push_back({Level::Warning, rows_of(odd.zero, " of the weights sees keys and is all 0",
                                             " of the weights see keys and are all 0") +
                                         odd.zero.where()});
  }
  if (odd.negative.count > 0) {
    notes.push_back(
        {Level::Warning, rows_of(odd.negative, " has negative weights", " have negative weights") +
                             odd.negative.where()});
  }
}

void add_rows_without_key(const AttentionResult& result, const HeadAddress& of,
                          std::vector<ResultNote>& notes) {
  if (!can_hide(mask_of(result.problem(), of))) return;
  const AttentionShape& shape = result.shape();
  FoundRows found;
  for_each_row(shape, of, [&](const HeadAddress& head, std::size_t q) {
    if (result.sees_no_key(head, q)) found.add(shape, head, q);
  });
  if (found.count == 0) return;
  const bool is_given = !has_scores(result.problem());
  notes.push_back({Level::Note, rows_text(found.count, row_count(shape)) +
                                    (found.count == 1 ? " sees no key" : " see no key") +
                                    (is_given ? "" : ": weights and output are 0 there") +
                                    found.where()});
}

// Notes on rows that do not sum to 1 by design.
void add_normaliser(const AttentionResult& result, std::vector<ResultNote>& notes) {
  const Scoring& scoring = result.problem().scoring;
  const std::string_view about_rows = normaliser_info(scoring.normaliser).note;
  if (!about_rows.empty()) notes.push_back({Level::Note, std::string(about_rows)});
  if (!scoring.sinks.empty()) {
    notes.push_back({Level::Note, "Rows sum to less than 1: the sink takes the rest"});
  }
}

void add_non_finite(const AttentionResult& result, const HeadAddress& of,
                    std::vector<ResultNote>& notes) {
  std::string text;
  for (const Stage stage : result.stages(of)) {
    const std::optional<std::uint64_t> count = result.non_finite_count(stage, of);
    if (count.value_or(0) == 0) continue;
    text += text.empty() ? "" : ", ";
    text += std::to_string(*count) + " in " + std::string(stage_info(stage).name);
  }
  if (!text.empty()) notes.push_back({Level::Warning, "Cells that are NaN or ±Inf: " + text});
}

// Derivatives grow at least quadratically with the lengths.
void add_missing_influence(const AttentionResult& result, std::vector<ResultNote>& notes) {
  const AttentionProblem& problem = result.problem();
  const auto steps = static_cast<double>(influence_multiply_adds(problem));
  if (steps == 0.0 || has_influence(problem)) return;
  const auto most = static_cast<double>(problem.most_influence_steps);
  notes.push_back({Level::Note, "The influence of source tokens is left out here: it would take " +
                                    short_text(steps) + " multiply-adds, more than " +
                                    short_text(most) +
                                    ". The commands compute and export take the time"});
}

// Notes on one attention: row sums, zeros and negative numbers of given weights, queries without
// visible keys, non-finite cells, in this order. Reads the result's matrices and its
// non_finite_count, not its notes.
std::vector<ResultNote> notes_on(const AttentionResult& result, const HeadAddress& of) {
  std::vector<ResultNote> notes;
  if (!has_scores(result.problem())) {
    add_odd_rows(result, notes);
  } else {
    add_normaliser(result, notes);
  }
  add_missing_influence(result, notes);
  add_rows_without_key(result, of, notes);
  add_non_finite(result, of, notes);
  return notes;
}

// Below this many multiply-adds a second thread costs more than it saves.
constexpr std::uint64_t kWorthAThread = 200'000;

struct NamedBytes {
  std::string name;
  std::uint64_t bytes = 0;
};

// Arrays that computing allocates, in order of computation.
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

// Whatever is one attention of one layer.
std::shared_ptr<AttentionResult> compute_layer(const AttentionProblem& problem,
                                               const ComputeOptions& run) {
  auto result = std::make_shared<LayerResult>(problem);
  result->allocate();
  const auto* before = dynamic_cast<const LayerResult*>(run.before.get());
  return compute_stages(*result, run.threads, run.progress, before) ? result : nullptr;
}

}  // namespace

std::uint64_t needed_bytes(const AttentionProblem& problem, std::uint64_t entered_bytes) {
  return saturating_sum({entered_bytes, predicted_bytes(problem), laid_out_bytes(problem)});
}

Result<ResultPtr> compute(const AttentionProblem& problem, const ComputeOptions& options) {
  if (needed_bytes(problem, options.entered_bytes) > options.memory_limit_bytes) {
    return over_memory_limit(problem, options.entered_bytes, options.memory_limit_bytes);
  }
  ComputeOptions run = options;
  if (computing_multiply_adds(problem) < kWorthAThread) run.threads = 1;
  const auto own = problem.kind->compute;
  try {
    const auto result = own == nullptr ? compute_layer(problem, run) : own(problem, run);
    if (result == nullptr) return stopped();
    for (const AttentionInfo& info : attentions_of(problem)) {
      result->set_notes(info.at(), notes_on(*result, info.at()));
    }
    return ResultPtr(result);
  } catch (const std::bad_alloc&) {
    return out_of_memory(problem);
  }
}

}  // namespace attn
