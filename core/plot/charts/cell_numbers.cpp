// Numbers behind one weight, read from the stages.
#include "plot/charts/cell_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "base/special_numbers.h"
#include "engine/matrix/matrix.h"

namespace attn {
namespace {

constexpr double kLargestSafeExponent = 50.0;
constexpr std::array kRowStages = {Stage::Scores, Stage::Scaled, Stage::Softcapped, Stage::Masked,
                                   Stage::Weights};

std::vector<float> stage_row(const AttentionResult& result, Stage stage, const HeadAddress& head,
                             std::size_t row) {
  if (!result.has(stage, head)) return {};
  std::vector<float> values(result.stage_shape(stage, head).cols);
  if (!values.empty()) result.read(stage, head, {row, 0, 1, values.size()}, values.data());
  return values;
}

bool conceals(std::span<const float> numbers) {
  return std::ranges::any_of(numbers, [](float number) { return is_concealed(number); });
}

// A logit tells the scores before it.
void conceal_logits(std::vector<float>& logits, const std::vector<std::vector<float>>& steps) {
  for (const std::vector<float>& step : steps) {
    for (std::size_t k = 0; k < logits.size(); ++k) {
      if (is_concealed(step[k])) logits[k] = kConcealed;
    }
  }
}

void read_row(CellNumbers& numbers, const AttentionResult& result) {
  const HeadAddress& head = numbers.cell.matrix.head;
  std::vector<std::vector<float>> steps;
  for (const Stage stage : kRowStages) {
    std::vector<float> row = stage_row(result, stage, head, numbers.cell.row);
    if (row.empty()) continue;
    numbers.tells_row = numbers.tells_row && !conceals(row);
    const float own = row[numbers.cell.col];
    if (stage == Stage::Weights) {
      numbers.weights = std::move(row);
      continue;
    }
    numbers.tells_score = numbers.tells_score && !is_concealed(own);
    numbers.steps.push_back({stage, static_cast<double>(own)});
    steps.push_back(std::move(row));
    if (stage == Stage::Masked) numbers.logits = steps.back();
  }
  conceal_logits(numbers.logits, steps);
  numbers.hidden.resize(numbers.weights.size());
  const MatrixPtr weights = stage_matrix(borrowed(result), numbers.cell.matrix);
  weights->hidden_row(numbers.cell.row, numbers.hidden);
  if (has_scores(result.problem())) numbers.rules = numbers.hidden[numbers.cell.col];
}

void read_terms(CellNumbers& numbers, const AttentionResult& result) {
  const CellHit& cell = numbers.cell;
  const HeadAddress& head = cell.matrix.head;
  if (!has_scores(result.problem())) return;
  const auto is_told = [&](Stage stage, std::size_t row) {
    return !conceals(stage_row(result, stage, head, row));
  };
  const AttentionProblem& problem = result.problem();
  numbers.tells_score = numbers.tells_score && is_told(query_stage(problem, head), cell.row) &&
                        is_told(key_stage(problem, head), cell.col) &&
                        is_told(Stage::Query, cell.row) && is_told(Stage::Key, cell.col);
  numbers.terms = score_terms(result, head, cell.row, cell.col);
  std::ranges::stable_sort(numbers.terms, [](const ScoreTerm& a, const ScoreTerm& b) {
    return std::abs(a.product()) > std::abs(b.product());
  });
}

double value_at(const CellNumbers& numbers, Stage stage) {
  const auto step = std::ranges::find(numbers.steps, stage, &CellNumbers::Step::stage);
  return step == numbers.steps.end() ? 0.0 : step->value;
}

void add_without(CellNumbers& numbers, const AttentionResult& result) {
  const bool is_known = numbers.tells_score && numbers.tells_row && !numbers.is_hidden() &&
                        !numbers.logits.empty() && numbers.steps.front().stage == Stage::Scores;
  if (!is_known) return;
  const AttentionProblem& problem = result.problem();
  const HeadAddress& head = numbers.cell.matrix.head;
  const Stage before = result.has(Stage::Softcapped, head) ? Stage::Softcapped : Stage::Scaled;
  const RowOfLogits row{numbers.logits, numbers.hidden, numbers.cell.col,
                        value_at(numbers, Stage::Masked) - value_at(numbers, before)};
  for (const ScoreTerm& term :
       std::span(numbers.terms).first(std::min(numbers.terms.size(), kDimensionsShown))) {
    numbers.without.push_back(
        weight_with_score(problem, head, row, numbers.steps.front().value - term.product()));
  }
}

// The first cell that is not told, so that the largest one does not give it away.
std::size_t largest_key(const std::vector<float>& weights) {
  std::size_t largest = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (is_concealed(weights[k])) return k;
    if (weights[k] > weights[largest] || std::isnan(weights[largest])) largest = k;
  }
  return largest;
}

// The first pin between queries and keys, in the head in view.
std::optional<CellHit> pinned_cell(const FittedView& view) {
  const HeadAddress& at = view.options.at;
  if (view.options.pins.empty()) return std::nullopt;
  const CellHit& pin = view.options.pins.front();
  const StageShape shape = view.result.stage_shape(Stage::Weights, at);
  if (!is_token_by_token(pin.matrix) || pin.row >= shape.rows || pin.col >= shape.cols) {
    return std::nullopt;
  }
  return CellHit{{Stage::Weights, at}, pin.row, pin.col};
}

CellNumbers numbers_in_view(const AttentionResult& result, const HeadAddress& at,
                            const std::optional<CellHit>& pinned) {
  if (pinned) return cell_numbers(result, *pinned);
  const std::size_t last = result.stage_shape(Stage::Weights, at).rows - 1;
  const std::vector<float> row = stage_row(result, Stage::Weights, at, last);
  return cell_numbers(result, {{Stage::Weights, at}, last, largest_key(row)});
}

}  // namespace

CellNumbers cell_numbers(const AttentionResult& result, const CellHit& cell) {
  CellNumbers numbers;
  const HeadAddress& head = cell.matrix.head;
  numbers.cell = {{Stage::Weights, head}, cell.row, cell.col};
  numbers.is_softmax = has_scores(result.problem()) &&
                       normaliser_info(result.problem().scoring.normaliser).takes_sinks;
  read_row(numbers, result);
  read_terms(numbers, result);
  add_without(numbers, result);
  if (result.has(Stage::Value, head) && result.has(Stage::Output, head)) {
    numbers.value = stage_row(result, Stage::Value, head, cell.col);
    numbers.output = stage_row(result, Stage::Output, head, cell.row);
  }
  numbers.tells_output = numbers.tells_row && !conceals(numbers.value) && !conceals(numbers.output);
  return numbers;
}

double temperature_of(const AttentionProblem& problem) {
  return static_cast<double>(problem.scoring.temperature.value_or(1.0F));
}

Exponentials exponentials_of(const AttentionProblem& problem, const CellNumbers& numbers,
                             bool keeps) {
  const std::vector<float>& sinks = problem.scoring.sinks;
  const double temperature = temperature_of(problem);
  Exponentials exps;
  exps.has_sink = !sinks.empty();
  const std::size_t head = sinks.size() == 1 ? 0 : numbers.cell.matrix.head.head;
  const double sink = exps.has_sink ? static_cast<double>(sinks[head]) / temperature
                                    : -static_cast<double>(kInfinity);
  double largest = sink;
  for (std::size_t k = 0; k < numbers.logits.size(); ++k) {
    if (numbers.hidden[k] != kVisible) continue;
    largest = std::max(largest, static_cast<double>(numbers.logits[k]) / temperature);
  }
  const bool is_safe = std::abs(largest) <= kLargestSafeExponent;
  exps.subtracted = (keeps && is_safe) || !std::isfinite(largest) ? 0.0 : largest;
  for (std::size_t k = 0; k < numbers.logits.size(); ++k) {
    const double x = static_cast<double>(numbers.logits[k]) / temperature;
    exps.each.push_back(numbers.hidden[k] == kVisible ? std::exp(x - exps.subtracted) : 0.0);
    exps.sum += exps.each.back();
  }
  if (exps.has_sink) exps.sink = std::exp(sink - exps.subtracted);
  exps.sum += exps.sink;
  return exps;
}

std::vector<Need> why_needs(const FittedView& view) {
  const HeadAddress& at = view.options.at;
  if (!view.result.has(Stage::Weights, at) || is_materialised(view.result, Stage::Weights, at)) {
    return {};
  }
  const std::optional<CellHit> pinned = pinned_cell(view);
  const auto make = [at, pinned](const Sources& from, const Pass& /*pass*/) {
    return Result<std::shared_ptr<CellNumbers>>(
        std::make_shared<CellNumbers>(numbers_in_view(*from.result, at, pinned)));
  };
  const std::string cell =
      pinned ? std::to_string(pinned->row) + "," + std::to_string(pinned->col) : "largest of last";
  return needs_of<CellNumbers>(
      "numbers behind " + cell + " of " + text_of(MatrixId{Stage::Weights, at}),
      {{"", "Numbers of the cell",
        nanoseconds_to_read_weights(view.result, at, kRowStages.size())}},
      make);
}

Result<std::shared_ptr<const CellNumbers>> shown_numbers(const FittedView& view) {
  const std::vector<Need> needs = why_needs(view);
  if (!needs.empty()) return found<CellNumbers>(view, needs);
  return std::shared_ptr<const CellNumbers>(std::make_shared<CellNumbers>(
      numbers_in_view(view.result, view.options.at, pinned_cell(view))));
}

}  // namespace attn
