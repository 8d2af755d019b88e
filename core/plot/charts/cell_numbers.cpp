// Numbers behind one weight, read from the stages.
#include "plot/charts/cell_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>

#include "base/special_numbers.h"
#include "engine/matrix/matrix.h"
#include "plot/kit/names.h"

namespace attn {
namespace {

constexpr std::array kRowStages = {Stage::Scores, Stage::Scaled, Stage::Softcapped, Stage::Masked,
                                   Stage::Weights};

std::vector<float> known_row(const AttentionResult& result, Stage stage, const HeadAddress& head,
                             std::size_t row) {
  return result.has(stage, head) ? row_of_stage(result, stage, head, row) : std::vector<float>();
}

bool conceals(std::span<const float> numbers) {
  return std::ranges::any_of(numbers, [](float number) { return is_concealed(number); });
}

// A logit tells the scores before it.
void read_logits(CellNumbers& numbers) {
  if (numbers.steps.empty() || numbers.steps.back().stage != Stage::Masked) return;
  numbers.logits = numbers.steps.back().row;
  for (const CellNumbers::Step& step : numbers.steps) {
    for (std::size_t k = 0; k < numbers.logits.size(); ++k) {
      if (is_concealed(step.row[k])) numbers.logits[k] = kConcealed;
    }
  }
}

void read_row(CellNumbers& numbers, const AttentionResult& result) {
  const HeadAddress& head = numbers.cell.matrix.head;
  for (const Stage stage : kRowStages) {
    std::vector<float> row = known_row(result, stage, head, numbers.cell.row);
    if (row.empty()) continue;
    numbers.tells_row = numbers.tells_row && !conceals(row);
    if (stage == Stage::Weights) {
      numbers.weights = std::move(row);
      continue;
    }
    numbers.tells_score = numbers.tells_score && !is_concealed(row[numbers.cell.col]);
    numbers.steps.push_back({stage, std::move(row)});
  }
  read_logits(numbers);
  numbers.weights_sum = std::accumulate(numbers.weights.begin(), numbers.weights.end(), 0.0);
  numbers.hidden.resize(numbers.weights.size());
  const MatrixPtr weights = stage_matrix(borrowed(result), numbers.cell.matrix);
  weights->hidden_row(numbers.cell.row, numbers.hidden);
  if (has_scores(result.problem())) numbers.rules = numbers.hidden[numbers.cell.col];
}

// The order does not tell weights that are concealed.
void choose_largest(CellNumbers& numbers) {
  std::vector<std::size_t> keys(numbers.weights.size());
  std::iota(keys.begin(), keys.end(), std::size_t{0});
  numbers.seen = static_cast<std::size_t>(
      std::ranges::count_if(keys, [&](std::size_t k) { return numbers.sees(k); }));
  const auto rank = [&](std::size_t k) {
    const float weight = numbers.weights[k];
    const bool counts = numbers.tells_row && std::isfinite(weight);
    return std::tuple(!numbers.sees(k), counts ? -weight : 0.0F, k);
  };
  const auto end = keys.begin() + static_cast<std::ptrdiff_t>(std::min(keys.size(), kLargestKeys));
  std::ranges::partial_sort(keys, end, {}, rank);
  numbers.largest.assign(keys.begin(), end);
}

// An exponential is one division away from a weight that a lesson asks about.
void read_exponentials(CellNumbers& numbers, const AttentionProblem& problem) {
  if (!numbers.is_softmax || numbers.logits.empty()) return;
  numbers.softmax =
      softmax_sum(problem, numbers.cell.matrix.head, numbers.steps.back().row, Subtracts::Largest);
  if (conceals(numbers.weights)) numbers.softmax.sum = static_cast<double>(kConcealed);
}

void read_terms(CellNumbers& numbers, const AttentionResult& result) {
  const CellHit& cell = numbers.cell;
  const HeadAddress& head = cell.matrix.head;
  if (!has_scores(result.problem())) return;
  const auto is_told = [&](Stage stage, std::size_t row) {
    return !conceals(known_row(result, stage, head, row));
  };
  const AttentionProblem& problem = result.problem();
  numbers.tells_score = numbers.tells_score && is_told(query_stage(problem, head), cell.row) &&
                        is_told(key_stage(problem, head), cell.col) &&
                        is_told(Stage::Query, cell.row) && is_told(Stage::Key, cell.col);
  numbers.terms = score_terms(result, head, cell.row, cell.col);
  std::ranges::stable_sort(numbers.terms, std::greater(), [](const ScoreTerm& term) {
    const double size = std::abs(term.product());
    return std::isnan(size) ? std::numeric_limits<double>::infinity() : size;
  });
}

void add_without(CellNumbers& numbers, const AttentionResult& result) {
  const bool is_known = numbers.tells_score && numbers.tells_row && !numbers.is_hidden() &&
                        !numbers.lacks_number() && !numbers.logits.empty() &&
                        numbers.steps.front().stage == Stage::Scores;
  if (!is_known) return;
  const AttentionProblem& problem = result.problem();
  const HeadAddress& head = numbers.cell.matrix.head;
  const Stage before = result.has(Stage::Softcapped, head) ? Stage::Softcapped : Stage::Scaled;
  const std::size_t col = numbers.cell.col;
  const RowOfLogits row{numbers.logits, numbers.hidden, col,
                        numbers.number(Stage::Masked, col) - numbers.number(before, col)};
  for (const ScoreTerm& term :
       std::span(numbers.terms).first(std::min(numbers.terms.size(), kDimensionsShown))) {
    numbers.without.push_back(
        weight_with_score(problem, head, row, numbers.number(Stage::Scores, col) - term.product()));
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
  if (!is_token_by_token(pin.matrix) || !pin.matrix.head.same_attention(at) ||
      pin.row >= shape.rows || pin.col >= shape.cols) {
    return std::nullopt;
  }
  return CellHit{{Stage::Weights, at}, pin.row, pin.col};
}

CellNumbers numbers_in_view(const AttentionResult& result, const HeadAddress& at,
                            const std::optional<CellHit>& pinned) {
  if (pinned) return cell_numbers(result, *pinned);
  const std::size_t last = result.stage_shape(Stage::Weights, at).rows - 1;
  const std::vector<float> row = known_row(result, Stage::Weights, at, last);
  return cell_numbers(result, {{Stage::Weights, at}, last, largest_key(row)});
}

}  // namespace

CellNumbers cell_numbers(const AttentionResult& result, const CellHit& cell) {
  CellNumbers numbers;
  const HeadAddress& head = cell.matrix.head;
  numbers.cell = {{Stage::Weights, head}, cell.row, cell.col};
  numbers.is_softmax = has_scores(result.problem()) &&
                       normaliser_info(result.problem().scoring.normaliser).exponentials;
  read_row(numbers, result);
  choose_largest(numbers);
  read_exponentials(numbers, result.problem());
  read_terms(numbers, result);
  add_without(numbers, result);
  if (result.has(Stage::Value, head) && result.has(Stage::Output, head)) {
    numbers.value = known_row(result, Stage::Value, head, cell.col);
    numbers.output = known_row(result, Stage::Output, head, cell.row);
  }
  numbers.tells_output = numbers.tells_row && !conceals(numbers.value) && !conceals(numbers.output);
  return numbers;
}

double CellNumbers::number(Stage stage, std::size_t key) const {
  if (stage == Stage::Weights) return static_cast<double>(weights[key]);
  const auto step = std::ranges::find(steps, stage, &Step::stage);
  return step == steps.end() ? 0.0 : static_cast<double>(step->row[key]);
}

double CellNumbers::exponential(std::size_t key) const {
  if (!is_softmax || logits.empty()) return 0.0;
  if (is_concealed(weights[key])) return static_cast<double>(kConcealed);
  return std::isfinite(softmax.sum) ? softmax.exponential(number(Stage::Masked, key))
                                    : softmax.sum - softmax.sum;
}

std::vector<std::size_t> CellNumbers::keys_with_own(std::size_t most) const {
  std::vector<std::size_t> keys;
  for (const std::size_t k : largest) {
    if (k != cell.col && sees(k)) keys.push_back(k);
  }
  keys.resize(std::min(keys.size(), most - 1));
  if (is_hidden()) return keys;
  const auto rank = std::ranges::find(largest, cell.col) - largest.begin();
  keys.insert(keys.begin() + std::min(rank, std::ssize(keys)), cell.col);
  return keys;
}

std::string_view word_for_terms(const AttentionProblem& problem) {
  return has_hidden_units(problem.scoring.function) ? "unit" : "dimension";
}

std::string name_of_term(const FittedView& view, std::size_t index) {
  if (has_hidden_units(view.result.problem().scoring.function)) return std::to_string(index + 1);
  return feature_label(view.document, feature_columns(view.shape(), Extent::KeyWidth), index);
}

std::string no_number_reason(const Document& document, const CellNumbers& numbers) {
  const std::vector<float>& row = numbers.logits.empty() ? numbers.weights : numbers.logits;
  const auto bad = std::ranges::find_if(row, [](float x) { return !(x < kInfinity); });
  const auto key = static_cast<std::size_t>(bad == row.end() ? 0 : bad - row.begin());
  return std::string("the ") + (numbers.logits.empty() ? "weight" : "logit") + " of " +
         quoted_token(document, Side::Key, numbers.cell.matrix.head, key) + " is " +
         (std::isnan(row[key]) ? "NaN" : "infinite");
}

std::vector<std::size_t> places_of_largest(std::span<const float> numbers, std::size_t most) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() <= most) return order;
  const auto size = [&](std::size_t i) {
    return std::isnan(numbers[i]) ? -1.0F : std::abs(numbers[i]);
  };
  std::ranges::stable_sort(order, std::ranges::greater{}, size);
  order.resize(most);
  return order;
}

std::vector<Need> numbers_needs(const FittedView& view) {
  const HeadAddress& at = view.options.at;
  const std::optional<CellHit> pinned = pinned_cell(view);
  const auto make = [at, pinned](const Sources& from, const Pass& /*pass*/) {
    return std::make_shared<CellNumbers>(numbers_in_view(*from.result, at, pinned));
  };
  const std::string cell =
      pinned ? std::to_string(pinned->row) + "," + std::to_string(pinned->col) : "largest of last";
  return needs_of<CellNumbers>(
      "numbers behind " + cell + " of " + text_of(MatrixId{Stage::Weights, at}),
      {{"", "Numbers of the cell",
        nanoseconds_to_read_weights(view.result, at, kRowStages.size())}},
      make, 64 * view.result.shape(at).n_k);
}

std::vector<Need> why_needs(const FittedView& view) {
  const HeadAddress& at = view.options.at;
  const bool is_at_hand = is_materialised(view.result, Stage::Weights, at);
  return is_at_hand ? std::vector<Need>() : numbers_needs(view);
}

Result<std::shared_ptr<const CellNumbers>> shown_numbers(const FittedView& view) {
  const std::vector<Need> needs = why_needs(view);
  if (!needs.empty()) return found<CellNumbers>(view, needs);
  return std::shared_ptr<const CellNumbers>(std::make_shared<CellNumbers>(
      numbers_in_view(view.result, view.options.at, pinned_cell(view))));
}

}  // namespace attn
