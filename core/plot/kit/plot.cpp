// Clamping of options to a result, errors of missing references, and requests for derivations.
#include "plot/kit/plot.h"

#include <cmath>
#include <cstdlib>

#include "base/number_text.h"
#include "base/quotient_up.h"
#include "base/row_sample.h"
#include "base/tensor.h"
#include "engine/measures.h"
#include "engine/statistics.h"

namespace attn {
namespace {

std::size_t clamped(std::size_t index, std::size_t count) {
  return std::min(index, count > 0 ? count - 1 : 0);
}

// The available stage nearest in the order of computation; of two the later one.
Stage nearest_stage(Stage wanted, const std::vector<Stage>& stages) {
  const auto distance = [&](Stage s) {
    return std::abs(static_cast<int>(s) - static_cast<int>(wanted));
  };
  const auto best = std::ranges::min_element(stages.rbegin(), stages.rend(), {}, distance);
  return best == stages.rend() ? wanted : *best;
}

// Predicted nanoseconds; saturates.
std::uint64_t reading_time(const FittedView& view, std::size_t heads, std::size_t row_step) {
  const std::size_t rows = quotient_up(view.result.shape(view.options.at).n_q, row_step);
  return element_count({heads, nanoseconds_to_measure(view.result, view.options.at, rows)});
}

std::size_t row_step_within(const FittedView& view, std::size_t heads, std::uint64_t nanoseconds) {
  constexpr std::uint64_t kLeastRows = 64;
  const AttentionResult& result = view.result;
  const std::size_t rows = result.shape(view.options.at).n_q;
  const bool is_quick = is_materialised(result, Stage::Weights, view.options.at) ||
                        reading_time(view, heads, 1) <= nanoseconds;
  if (is_quick) return 1;
  const std::uint64_t row = std::max<std::uint64_t>(reading_time(view, heads, rows), 1);
  return quotient_up(rows, std::clamp<std::size_t>(nanoseconds / row, kLeastRows, rows));
}

constexpr float kSlack = 1e-6F;  // beyond 0 and 1

// Weights of an attention that are given: all of them, or patterns of some heads.
std::vector<Tensor> weights_given(const AttentionProblem& problem, const HeadAddress& of) {
  std::vector<Tensor> given;
  if (!given_weights(problem, of).empty()) given.push_back(given_weights(problem, of));
  for (const HeadPattern& pattern : problem.what_if.patterns) {
    if (pattern.at.same_attention(of)) given.push_back(pattern.weights);
  }
  return given;
}

// Ends of given weights, of a sample of their rows if there are many; nothing for others.
std::shared_ptr<const Statistics> given_ends(const AttentionResult& result, const HeadAddress& of) {
  const std::vector<Tensor> given = weights_given(result.problem(), of);
  if (given.empty()) return nullptr;
  const std::string key = "ends of attention " + std::to_string(of.attention);
  return cached<Statistics>(result, key, [&] {
    auto ends = std::make_shared<Statistics>();
    const auto add_row = [&](std::size_t, std::span<const float> row) {
      for (const float weight : row) {
        if (std::isinf(weight)) continue;
        ends->low = std::min(ends->low, weight);
        ends->high = std::max(ends->high, weight);
      }
      return true;
    };
    for (const Tensor& weights : given) visit_rows(weights, sample_of_rows(weights), add_row);
    return ends;
  });
}

}  // namespace

FittedView::FittedView(const PlotInput& input, const PlotOptions& wanted)
    : PlotInput(input), options(fitted_to(wanted, input.result)) {
  if (options.colormap != kAutomaticColormap) return;
  const auto given = given_ends(result, options.at);
  if (given != nullptr && given->low < -kSlack) options.colormap = "redblue";
}

bool gives_shares(const AttentionResult& result, const HeadAddress& of) {
  const auto given = given_ends(result, of);
  return given == nullptr || (given->low >= -kSlack && given->high <= 1.0F + kSlack);
}

PlotOptions fitted_to(const PlotOptions& options, const AttentionResult& result) {
  PlotOptions fitted = options;
  fitted.at = among(attentions_of(result.problem()), options.at);
  const AttentionShape& shape = result.shape();
  if (!result.has(fitted.stage, fitted.at)) {
    fitted.stage = nearest_stage(fitted.stage, result.stages(fitted.at));
  }
  HeadAddress& head = fitted.at;
  head.layer = clamped(head.layer, shape.layers);
  head.sample = clamped(head.sample, shape.samples);
  head.head = clamped(head.head, shape.heads);
  return fitted;
}

bool has_parts_of_rows(const ViewOptions& options) {
  const ColorMap* map = colormap_named(options.colormap);
  const bool diverging = map != nullptr && map->diverging;
  return options.stage == Stage::Weights && !diverging && options.range == ColorSpan::Rows;
}

Status check_index(const std::string& what, std::size_t index, std::size_t count) {
  if (index < count) return ok_status();
  Error error = usage_error("there is no such " + what);
  error.found = std::to_string(index);
  error.expected = "at most " + std::to_string(count - 1) + ", counted from 0";
  return error;
}

std::string moved_stage(const PlotOptions& options, const AttentionResult& result) {
  const Stage shown = fitted_to(options, result).stage;
  if (shown == options.stage) return "";
  return "There is no stage “" + std::string(stage_info(options.stage).label) + "” here; “" +
         std::string(stage_info(shown).label) + "” is shown";
}

NoReference awaited_reference(const std::string& path) {
  return std::make_shared<const Error>(
      usage_error("the reference " + path + " is still being opened and computed"));
}

NoReference missing_reference(const std::string& path, const Error& why) {
  Error error =
      usage_error("the reference " + path + " cannot be compared with: " + why.message,
                  "put the file back, choose another reference, or compare within the document");
  error.file = why.file;
  error.found = why.found;
  error.expected = why.expected;
  return std::make_shared<const Error>(std::move(error));
}

std::vector<Pass> passes_by_rows(const FittedView& view, std::size_t heads, std::string_view label,
                                 std::string_view label_of_some) {
  const bool is_file = view.options.is_file();
  const auto pass = [&](std::size_t row_step) {
    const bool is_whole = row_step == 1;
    return Pass{std::string(is_whole ? "" : kSomeRows),
                std::string(is_whole || label_of_some.empty() ? label : label_of_some),
                reading_time(view, heads, row_step), row_step};
  };
  const std::size_t step = row_step_within(view, heads, is_file ? kMinute : kShortTime);
  std::vector<Pass> passes = {pass(step)};
  if (step > 1 && !is_file) passes.push_back(pass(1));
  for (std::size_t i = 1; i < passes.size(); ++i) passes[i].awaited = false;
  return passes;
}

std::string rows_of_all(std::size_t read, std::size_t rows, std::string_view noun) {
  if (read >= rows) return "";
  return grouped_text(read) + " of " + grouped_text(rows) + " " + std::string(noun);
}

std::string rows_so_far(std::size_t read, std::size_t rows) {
  return read < rows ? ", " + rows_of_all(read, rows) + " so far" : "";
}

std::string rows_measured_words(std::size_t read, std::size_t rows, const PlotOptions& options,
                                std::string_view noun) {
  const std::string words = rows_of_all(read, rows, noun);
  return words.empty() || options.is_file() ? words : words + " so far";
}

MatrixPtr matrix_in(const PlotInput& input, const MatrixId& id) {
  if (is_computed(id)) return stage_matrix(borrowed(input.result), id);
  return input.derivations != nullptr ? input.derivations->get<Matrix>(text_of(id)) : nullptr;
}

const Error* error_of(const Derivations* known, std::string_view key) {
  const Result<DerivationPtr>* made = known != nullptr ? known->find(key) : nullptr;
  return made != nullptr && !*made ? &made->error() : nullptr;
}

Error why_missing(const PlotInput& input, std::string_view key) {
  const Error* error = error_of(input.derivations, key);
  return error != nullptr ? *error : usage_error("This is not computed yet");
}

Need need_for(const MatrixId& id, std::string label, std::uint64_t nanoseconds, std::uint64_t bytes,
              const MatrixSource& make) {
  const auto derive = [make](const Sources& from, const Pass& /*pass*/) { return make(from); };
  return needs_of<const Matrix>(text_of(id), {{"", std::move(label), nanoseconds}}, derive, bytes)
      .front();
}

}  // namespace attn
