// Computation of a problem: memory check, choice of the method, and notes on the numbers.
#include "engine/compute.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <numeric>
#include <string>
#include <utility>

#include "attention/problem.h"
#include "base/joined.h"
#include "base/number_text.h"
#include "base/row_sample.h"
#include "engine/kernels/panel_store.h"
#include "engine/kernels/row_kernels.h"
#include "engine/layer/layer_result.h"
#include "engine/layers_result.h"

namespace attn {
namespace {

using Level = ResultNote::Level;

std::string place_text(const AttentionShape& shape, const HeadAddress& head, std::size_t query,
                       std::size_t first) {
  std::string text;
  if (shape.layers > 1)
    text += "layer " + std::to_string(layer_number(shape, head.layer, first)) + ", ";
  if (shape.samples > 1) text += "sample " + std::to_string(head.sample + first) + ", ";
  if (shape.heads > 1) text += "head " + std::to_string(head.head + first) + ", ";
  return text + "query " + grouped_text(query + first);
}

// The head of a row among those of all layers, samples and heads.
HeadAddress head_of_row(const AttentionShape& s, const HeadAddress& of, std::size_t row) {
  const std::size_t map = row / s.n_q;
  return of.moved_to(map / s.heads / s.samples, map / s.heads % s.samples, map % s.heads);
}

struct FoundRows {
  const AttentionShape& shape;
  std::size_t first_number;
  RowSample sample{};  // all rows by default
  std::uint64_t count = 0;
  std::string first{};

  void add(const HeadAddress& head, std::size_t query) {
    if (count++ == 0) first = place_text(shape, head, query, first_number);
  }
  std::size_t all() const {
    return element_count({shape.layers, shape.samples, shape.heads, shape.n_q});
  }
  // "1 row of 12 sees no key", "3 rows of 12 see no key".
  std::string words(const char* of_one, const char* of_some) const {
    return grouped_text(count) + (count == 1 ? " row of " : " rows of ") +
           (sample.is_all() ? grouped_text(all()) : "the " + sample.words()) +
           (count == 1 ? of_one : of_some);
  }
  // "query 2": " (first: query 2)", or " (first, counted from 0: query 1)"
  std::string where(const std::string& place, const char* which) const {
    const char* const counts = first_number == 0 ? ", counted from 0: " : ": ";
    return std::string(" (") + which + counts + place + ")";
  }
  std::string where() const { return where(first, "first"); }
};

constexpr double kNoteAbove = 1e-3, kWarnAbove = 1e-2;

bool weighs_later_keys(std::span<const float> row, std::span<const HiddenRules> rules) {
  for (std::size_t k = 0; k < row.size(); ++k) {
    if ((rules[k] & kHiddenByCausal) != 0 && row[k] != 0.0F) return true;
  }
  return false;
}

// Notes on rows of given weights that violate the usual properties; rows without visible keys are
// exempt. Reads a sample_of_rows(), or all rows.
void add_odd_rows(const AttentionResult& result, const HeadAddress& of, const ComputeOptions& run,
                  std::vector<ResultNote>& notes) {
  const AttentionShape shape = result.shape(of);
  const Tensor& given = given_weights(result.problem(), of);
  const Mask& mask = mask_of(result.problem(), of);
  const RowSample sample = sample_of_rows(given, run.all_rows);
  const FoundRows none{shape, run.first_number, sample};
  FoundRows not_one = none, zero = none, negative = none, later = none, non_finite = none;
  double worst = 0.0;
  std::string worst_text;
  std::vector<HiddenRules> rules(shape.n_k);
  const auto add_row = [&](const HeadAddress& head, std::size_t q, std::span<const float> row) {
    const CellSummary cells = summary_of(row);
    const bool is_finite = cells.non_finite == 0;
    if (is_finite && cells.low == 0.0F && cells.high == 0.0F) return zero.add(head, q);
    if (!is_finite) non_finite.add(head, q);
    const auto is_negative = [](float weight) { return weight < 0.0F; };
    if (is_finite ? cells.low < 0.0F : std::ranges::any_of(row, is_negative)) negative.add(head, q);
    const double sum = sum_of(row), off = std::abs(sum - 1.0);
    if (!(off > kNoteAbove) || !std::isfinite(off)) return;
    not_one.add(head, q);
    if (off <= worst) return;
    worst = off;
    worst_text = place_text(shape, head, q, run.first_number) + " sums to " + short_text(sum);
  };
  visit_rows(given, sample, [&](std::size_t number, std::span<const float> row) {
    const std::size_t q = number % shape.n_q;
    const HeadAddress head = head_of_row(shape, of, number);
    const std::size_t seen = hidden_row(mask, head, q, rules);
    if (mask.causal && weighs_later_keys(row, rules)) later.add(head, q);
    if (seen > 0) add_row(head, q, row);
    return true;
  });
  const auto add = [&](const FoundRows& rows, Level level, const std::string& words) {
    if (rows.count > 0) notes.push_back({level, words});
  };
  add(not_one, worst > kWarnAbove ? Level::Warning : Level::Note,
      not_one.words(" of the weights does not sum to 1 and is shown as given",
                    " of the weights do not sum to 1 and are shown as given") +
          not_one.where(worst_text, "worst"));
  add(zero, Level::Warning,
      zero.words(" of the weights sees keys and is all 0",
                 " of the weights see keys and are all 0") +
          zero.where());
  add(negative, Level::Warning,
      negative.words(" has negative weights", " have negative weights") + negative.where());
  add(later, Level::Warning,
      later.words(" weighs keys that the causal mask hides",
                  " weigh keys that the causal mask hides") +
          later.where());
  if (result.non_finite_count(Stage::Weights, of)) return;  // already reported for all cells
  add(non_finite, Level::Warning,
      non_finite.words(" has cells that are NaN or ±Inf", " have cells that are NaN or ±Inf") +
          non_finite.where());
  if (sample.is_all()) return;
  notes.push_back({Level::Note, "Sums, signs and NaN are those of the " + sample.words() +
                                    "; attnscope info --numbers checks all"});
}

void add_rows_without_key(const AttentionResult& result, const HeadAddress& of,
                          std::size_t first_number, std::vector<ResultNote>& notes) {
  if (!can_hide(mask_of(result.problem(), of))) return;
  const AttentionShape shape = result.shape(of);
  FoundRows found{shape, first_number};
  for (std::size_t row = 0; row < found.all(); ++row) {
    const HeadAddress head = head_of_row(shape, of, row);
    if (result.sees_no_key(head, row % shape.n_q)) found.add(head, row % shape.n_q);
  }
  if (found.count == 0) return;
  const bool is_given = !has_scores(result.problem());
  notes.push_back({Level::Note, found.words(" sees no key", " see no key") +
                                    (is_given ? "" : ": weights and output are 0 there") +
                                    found.where()});
}

// Notes on rows of patterns that are no shares of 1.
void add_odd_patterns(const AttentionResult& result, const HeadAddress& of,
                      std::size_t first_number, std::vector<ResultNote>& notes) {
  const AttentionProblem& problem = result.problem();
  const AttentionShape shape = result.shape(of);
  FoundRows odd{shape, first_number};
  std::vector<float> row(shape.n_k);
  for (const HeadPattern& pattern : problem.what_if.patterns) {
    if (!pattern.at.same_attention(of)) continue;
    for (std::size_t q = 0; q < shape.n_q; ++q) {
      if (result.sees_no_key(pattern.at, q)) continue;
      result.read(Stage::Weights, pattern.at, {q, 0, 1, shape.n_k}, row.data());
      const bool is_negative = summary_of(row).low < 0.0F;
      if (is_negative || std::abs(sum_of(row) - 1.0) > kNoteAbove) odd.add(pattern.at, q);
    }
  }
  if (odd.count == 0) return;
  notes.push_back(
      {Level::Warning,
       grouped_text(odd.count) + (odd.count == 1 ? " row of weights" : " rows of weights") +
           " in place of a head's own that are negative or do not sum to 1" + odd.where()});
}

// Notes on rows that do not sum to 1 by design.
void add_normaliser(const AttentionResult& result, const HeadAddress& of,
                    std::vector<ResultNote>& notes) {
  const Scoring& scoring = result.problem().scoring;
  const NormaliserInfo& info = normaliser_info(scoring.normaliser);
  if (!info.shares) {
    notes.push_back(
        {Level::Note, "Rows of " + std::string(info.name) + " weights need not sum to 1"});
  }
  bool has_sink = false;
  for (std::size_t layer = 0; layer < result.shape().layers; ++layer) {
    has_sink = has_sink || !sinks_of(result.problem(), of.moved_to(layer, 0, 0)).empty();
  }
  if (has_sink) notes.push_back({Level::Note, "Rows sum to less than 1: the sink takes the rest"});
}

void add_non_finite(const AttentionResult& result, const HeadAddress& of,
                    std::vector<ResultNote>& notes) {
  std::vector<std::string> found;
  for (const Stage stage : result.stages(of)) {
    const std::uint64_t count = result.non_finite_count(stage, of).value_or(0);
    const std::string name(stage_info(stage).name);
    if (count > 0) found.push_back(grouped_text(count) + " in " + name);
  }
  if (found.empty()) return;
  notes.push_back({Level::Warning, "Cells that are NaN or ±Inf: " + joined(found)});
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
std::vector<ResultNote> notes_on(const AttentionResult& result, const HeadAddress& of,
                                 const ComputeOptions& run) {
  std::vector<ResultNote> notes;
  if (!has_scores(result.problem())) {
    add_odd_rows(result, of, run, notes);
  } else {
    add_normaliser(result, of, notes);
    if (normaliser_info(result.problem().scoring.normaliser).shares) {
      add_odd_patterns(result, of, run.first_number, notes);
    }
  }
  add_missing_influence(result, notes);
  add_rows_without_key(result, of, run.first_number, notes);
  add_non_finite(result, of, notes);
  return notes;
}

// Below this many multiply-adds a second thread costs more than it saves.
constexpr std::uint64_t kWorthAThread = 200'000;

// "scores 4.0 GiB, scaled 4.0 GiB, masked 4.0 GiB": the three largest arrays that computing
// allocates.
std::string largest_tensors(const AttentionProblem& problem) {
  std::vector<std::pair<std::uint64_t, std::string>> all;  // in order of computation
  for (const StoredStage& stage : stored_stages(problem)) {
    all.emplace_back(stage.elements * sizeof(float), stage_info(stage.stage).name);
  }
  if (has_influence(problem)) {
    all.emplace_back(influence_bytes(problem), "derivatives behind the influence");
  }
  std::ranges::stable_sort(all, std::ranges::greater{},
                           [](const auto& array) { return array.first; });
  std::vector<std::string> largest;
  for (const auto& [bytes, name] : std::span(all).first(std::min<std::size_t>(all.size(), 3))) {
    largest.push_back(name + " " + bytes_text(bytes));
  }
  return joined(largest);
}

Error over_memory_limit(const AttentionProblem& problem, std::uint64_t entered_bytes,
                        std::uint64_t limit_bytes) {
  const std::uint64_t needed = needed_bytes(problem, entered_bytes);
  const auto exactly = [](std::uint64_t bytes) {
    return bytes_text(bytes) + " (" + grouped_text(bytes) + " bytes)";
  };
  const char* what = entered_bytes == 0 ? "the stages need " : "the document and its stages need ";
  return {.kind = ErrorKind::OverMemoryLimit,
          .message = what + exactly(needed) + ", more than the limit allows",
          .found = largest_tensors(problem),
          .expected = "at most " + exactly(limit_bytes) + " in all",
          .hint = "use fewer tokens, heads or samples, or raise the memory limit"};
}

Error out_of_memory(const AttentionProblem& problem) {
  return {.kind = ErrorKind::OverMemoryLimit,
          .message = "the system has no memory for the stages, which need " +
                     bytes_text(predicted_bytes(problem)),
          .found = largest_tensors(problem),
          .hint = "use fewer tokens, heads or samples, or close other programs"};
}

// Computes one attention of one layer, or attentions and layers that are independent.
std::shared_ptr<AttentionResult> compute_layer(const AttentionProblem& problem,
                                               const ComputeOptions& run) {
  const bool layered = problem.shape.layers > 1 && has_scores(problem);
  if (layered || attentions_of(problem).size() > 1) {
    return compute_layers(problem, run.threads, run.progress, run.before.get());
  }
  auto result = std::make_shared<LayerResult>(problem);
  result->allocate();
  const auto* before = dynamic_cast<const LayerResult*>(run.before.get());
  return compute_stages(*result, run.threads, run.progress, before) ? result : nullptr;
}

}  // namespace

double sum_of(std::span<const float> row) {
  std::array<double, 8> sums{};
  for (std::size_t k = 0; k < row.size(); ++k) sums[k % 8] += static_cast<double>(row[k]);
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

std::uint64_t needed_bytes(const AttentionProblem& problem, std::uint64_t entered_bytes) {
  return saturating_sum({entered_bytes, predicted_bytes(problem), laid_out_bytes(problem)});
}

std::uint64_t shared_panel_bytes(const AttentionProblem& problem) {
  constexpr std::uint64_t kMostPanelBytes = std::uint64_t{512} << 20U;
  constexpr std::uint64_t kMapsOfALayer = 7;
  return std::min(kMostPanelBytes,
                  element_count({problem.shape.layers, kMapsOfALayer, laid_out_bytes(problem)}));
}

std::shared_ptr<PanelStore> shared_panels(const AttentionProblem& problem,
                                          const ComputeOptions& options) {
  if (options.before != nullptr && options.before->problem().panels != nullptr) {
    return options.before->problem().panels;
  }
  const std::uint64_t needed = needed_bytes(problem, options.entered_bytes),
                      limit = options.memory_limit_bytes, left = limit - std::min(needed, limit);
  return std::make_shared<PanelStore>(std::min(left, shared_panel_bytes(problem)));
}

Result<ResultPtr> compute(const AttentionProblem& problem, const ComputeOptions& options) {
  if (needed_bytes(problem, options.entered_bytes) > options.memory_limit_bytes) {
    return over_memory_limit(problem, options.entered_bytes, options.memory_limit_bytes);
  }
  if (problem.panels != nullptr) problem.panels->begin_pass();
  ComputeOptions run = options;
  if (computing_multiply_adds(problem) < kWorthAThread) run.threads = 1;
  const auto own = problem.kind->compute;
  try {
    const auto result = own == nullptr ? compute_layer(problem, run) : own(problem, run);
    if (result == nullptr) return stopped();
    for (const AttentionInfo& info : attentions_of(problem)) {
      result->set_notes(info.at(), notes_on(*result, info.at(), run));
    }
    return ResultPtr(result);
  } catch (const std::bad_alloc&) {
    return out_of_memory(problem);
  }
}

}  // namespace attn
