// Requests for derivations, and look-up of their results.
#include "plot/kit/ask.h"

#include <algorithm>

#include "base/number_text.h"
#include "base/quotient_up.h"
#include "base/tensor.h"
#include "engine/measures.h"

namespace attn {
namespace {

// Predicted nanoseconds; saturates.
std::uint64_t reading_time(const FittedView& view, std::size_t heads, std::size_t row_step) {
  const std::size_t rows = quotient_up(view.result.shape().n_q, row_step);
  return element_count({heads, nanoseconds_to_measure(view.result, view.options.at, rows)});
}

std::size_t row_step_within(const FittedView& view, std::size_t heads, std::uint64_t nanoseconds) {
  constexpr std::uint64_t kLeastRows = 64;
  const AttentionResult& result = view.result;
  const std::size_t rows = result.shape().n_q;
  const bool is_materialised =
      !result.has(Stage::Weights) || result.range(Stage::Weights, view.options.at);
  if (is_materialised || reading_time(view, heads, 1) <= nanoseconds) return 1;
  const std::uint64_t row = std::max<std::uint64_t>(reading_time(view, heads, rows), 1);
  return quotient_up(rows, std::clamp<std::size_t>(nanoseconds / row, kLeastRows, rows));
}

}  // namespace

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

std::string rows_measured_words(std::size_t read, std::size_t rows, const Target& target) {
  const std::string words = rows_of_all(read, rows, "queries");
  return words.empty() || target.is_file() ? words : words + " so far";
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

Error why_missing(const PlotInput& input, const MatrixId& id) {
  return why_missing(input, text_of(id));
}

Need need_for(const MatrixId& id, std::string label, std::uint64_t nanoseconds, std::uint64_t bytes,
              std::function<Result<MatrixPtr>(const Document&, const ResultPtr&, Progress*)> make) {
  Need need{text_of(id), std::move(label), nanoseconds, {}, bytes};
  need.derive = [make = std::move(make)](const Document& document, const ResultPtr& result,
                                         Progress* progress) -> Result<DerivationPtr> {
    Result<MatrixPtr> made = make(document, result, progress);
    if (!made) return made.error();
    return DerivationPtr(*std::move(made));
  };
  return need;
}

}  // namespace attn
