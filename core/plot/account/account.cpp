// Reads the numbers behind one weight from the stages.
#include "plot/account/account.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/special_numbers.h"
#include "engine/matrix/matrix.h"
#include "plot/kit/token_lines.h"
#include "view/fields.h"

namespace attn {
namespace {

// Beyond these the row's maximum is subtracted from all its logits.
constexpr double kLeastExponent = -2.0, kLargestExponent = 9.0;
constexpr std::array kRowStages = {Stage::Scores, Stage::Scaled, Stage::Softcapped, Stage::Masked,
                                   Stage::Weights};

std::vector<float> known_row(const AttentionResult& result, Stage stage, const HeadAddress& head,
                             std::size_t row) {
  return result.has(stage, head) ? row_of_stage(result, stage, head, row) : std::vector<float>();
}

bool conceals(std::span<const float> numbers) {
  return std::ranges::any_of(numbers, [](float number) { return is_concealed(number); });
}

void read_row(Account& account, const AttentionResult& result) {
  const HeadAddress& head = account.cell.matrix.head;
  for (const Stage stage : kRowStages) {
    if (stage != Stage::Weights && !account.has_scores) continue;
    std::vector<float> row = known_row(result, stage, head, account.cell.row);
    if (row.empty()) continue;
    const auto value = static_cast<double>(row[account.cell.col]);
    account.reveals_row = account.reveals_row && !conceals(row);
    if (stage == Stage::Scores) account.reveals_terms = !is_concealed(value);
    if (stage == Stage::Weights) {
      account.weight = value;
      account.weights = std::move(row);
      continue;
    }
    account.reveals_score = account.reveals_score && !is_concealed(value);
    account.steps.push_back({stage, value, std::move(row)});
  }
  account.weights_sum = std::accumulate(account.weights.begin(), account.weights.end(), 0.0);
  account.hidden.resize(account.weights.size());
  const MatrixPtr weights = stage_matrix(borrowed(result), account.cell.matrix);
  weights->hidden_row(account.cell.row, account.hidden);
  account.rules = account.hidden[account.cell.col];
}

// Chooses the keys of the largest weights, or the first keys if the row has a concealed number.
void choose_largest(Account& account) {
  std::vector<std::size_t> keys(account.weights.size());
  std::iota(keys.begin(), keys.end(), std::size_t{0});
  account.seen = static_cast<std::size_t>(
      std::ranges::count_if(keys, [&](std::size_t k) { return account.sees(k); }));
  const auto rank = [&](std::size_t k) {
    const float weight = account.weights[k];
    const bool counts = account.reveals_row && std::isfinite(weight);
    return std::tuple(!account.sees(k), counts ? -weight : 0.0F, k);
  };
  const auto end = keys.begin() + static_cast<std::ptrdiff_t>(std::min(keys.size(), kLargestKeys));
  std::ranges::partial_sort(keys, end, {}, rank);
  account.largest.assign(keys.begin(), end);
}

// Conceals the sum with the weights, as it would give them away by a division.
void read_exponentials(Account& account, const AttentionProblem& problem) {
  if (!account.exponentials || account.logits().empty()) return;
  account.softmax =
      softmax_sum(problem, account.cell.matrix.head, account.step(Stage::Masked)->row);
  if (conceals(account.weights)) account.softmax.sum = static_cast<double>(kConcealed);
}

void read_terms(Account& account, const AttentionResult& result) {
  const CellHit& cell = account.cell;
  account.terms = score_terms(result, cell.matrix.head, cell.row, cell.col);
  sort_largest_first(account.terms);
}

// Returns the key of the largest weight, or of the first concealed one, so as not to give it away.
std::size_t largest_key(const std::vector<float>& weights) {
  std::size_t largest = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (is_concealed(weights[k])) return k;
    if (weights[k] > weights[largest] || std::isnan(weights[largest])) largest = k;
  }
  return largest;
}

// Returns the cell of the first pin, if it is one between queries and keys, in the head in view.
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

// The query of options.token, else the last one that sees a key.
std::size_t row_in_view(const FittedView& view) {
  const std::size_t last = view.result.stage_shape(Stage::Weights, view.options.at).rows - 1;
  const std::optional<TokenHit> token = token_chosen(view.options.token);
  return token && token->side == Side::Query ? std::min(token->index, last)
                                             : last_seeing_query(view);
}

Account account_in_view(const AttentionResult& result, const HeadAddress& at,
                        const std::optional<CellHit>& pinned, std::size_t row) {
  const auto largest = [&] { return largest_key(known_row(result, Stage::Weights, at, row)); };
  Account account =
      account_of(result, pinned ? *pinned : CellHit{{Stage::Weights, at}, row, largest()});
  add_without(account, result);
  return account;
}

}  // namespace

void sort_largest_first(std::vector<ScoreTerm>& terms) {
  std::ranges::stable_sort(terms, std::greater(), [](const ScoreTerm& term) {
    const double size = std::abs(term.product());
    return std::isnan(size) ? std::numeric_limits<double>::infinity() : size;
  });
}

void add_without(Account& account, const AttentionResult& result) {
  const bool is_known = account.reveals_score && account.reveals_row && !account.is_hidden() &&
                        !account.lacks_number() && !account.logits().empty() &&
                        account.steps.front().stage == Stage::Scores;
  if (!is_known) return;
  const RowOfLogits row{account.logits(), account.hidden, account.cell.col,
                        bias_of(result.problem(), account, account.cell.col)};
  const double score = account.steps.front().value;
  for (const ScoreTerm& term :
       std::span(account.terms).first(std::min(account.terms.size(), kDimensionsShown))) {
    account.without.push_back(
        weight_with_score(result.problem(), account.cell.matrix.head, row, score - term.product()));
  }
}

Account account_of(const AttentionResult& result, const CellHit& cell) {
  Account account;
  const AttentionProblem& problem = result.problem();
  const HeadAddress& head = cell.matrix.head;
  account.cell = {{Stage::Weights, head}, cell.row, cell.col};
  account.has_scores = weighs_scores(problem, head);
  account.exponentials =
      account.has_scores && normaliser_info(problem.scoring.normaliser).exponentials;
  read_row(account, result);
  choose_largest(account);
  read_exponentials(account, problem);
  if (account.has_scores) read_terms(account, result);
  if (result.has(Stage::Value, head) && result.has(Stage::Output, head)) {
    account.value = known_row(result, Stage::Value, head, cell.col);
    account.output = known_row(result, Stage::Output, head, cell.row);
  }
  account.reveals_output = !conceals(account.value) && !conceals(account.output);
  return account;
}

const Account::Step* Account::step(Stage stage) const {
  const auto found = std::ranges::find(steps, stage, &Step::stage);
  return found == steps.end() ? nullptr : &*found;
}

double Account::number(Stage stage, std::size_t key) const {
  if (stage == Stage::Weights) return static_cast<double>(weights[key]);
  const Step* const found = step(stage);
  return found == nullptr ? 0.0 : static_cast<double>(found->row[key]);
}

double Account::exponential(std::size_t key) const {
  if (!exponentials || logits().empty()) return 0.0;
  if (is_concealed(weights[key])) return static_cast<double>(kConcealed);
  return std::isfinite(softmax.sum) ? softmax.exponential(number(Stage::Masked, key))
                                    : softmax.sum - softmax.sum;
}

std::vector<std::size_t> Account::keys_with_own(std::size_t most) const {
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

double temperature_of(const AttentionProblem& problem) {
  return static_cast<double>(problem.scoring.temperature.value_or(1.0F));
}

std::optional<double> threshold_of(const AttentionProblem& problem, const Account& account) {
  const NormaliserInfo& info = normaliser_info(problem.scoring.normaliser);
  if (!info.shares || info.exponentials || account.logits().empty() || account.largest.empty())
    return std::nullopt;
  const std::size_t key = account.largest.front();
  const double weight = static_cast<double>(account.weights[key]);
  if (!(weight > 0.0)) return std::nullopt;
  return static_cast<double>(account.logits()[key]) / temperature_of(problem) - weight;
}

SoftmaxSum softmax_sum(const AttentionProblem& problem, const HeadAddress& head,
                       std::span<const float> logits) {
  const std::vector<float>& sinks = sinks_of(problem, head);
  SoftmaxSum sum{.temperature = temperature_of(problem)};
  const double sink =
      static_cast<double>(sinks.empty() ? -kInfinity : sinks[sinks.size() == 1 ? 0 : head.head]);
  double largest = sink;
  for (const float logit : logits) largest = std::max(largest, static_cast<double>(logit));
  largest /= sum.temperature;
  const bool is_needed = largest < kLeastExponent || largest > kLargestExponent;
  if (is_needed && std::isfinite(largest)) sum.subtracted = largest;
  for (const float logit : logits) sum.sum += sum.exponential(static_cast<double>(logit));
  sum.sink = sum.exponential(sink);
  sum.sum += sum.sink;
  return sum;
}

double bias_of(const AttentionProblem& problem, const Account& account, std::size_t key) {
  const HeadAddress& at = account.cell.matrix.head;
  return static_cast<double>(bias_at(mask_of(problem, at), at, account.cell.row, key));
}

std::size_t key_without_number(const Account& account) {
  const std::span<const float> logits = account.logits();
  const std::span<const float> row = logits.empty() ? account.weights : logits;
  const auto bad = std::ranges::find_if(row, [](float x) { return !(x < kInfinity); });
  return static_cast<std::size_t>(bad == row.end() ? 0 : bad - row.begin());
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

std::vector<ScoreTerm> output_terms(const AttentionResult& result, const CellHit& cell) {
  if (!is_computed(cell.matrix) || cell.matrix.stage != Stage::Output || !result.has(Stage::Value))
    return {};
  const std::vector<float> weights =
      row_of_stage(result, Stage::Weights, cell.matrix.head, cell.row);
  const std::vector<float> values =
      cells_of_stage(result, Stage::Value, cell.matrix.head, {0, cell.col, weights.size(), 1});
  std::vector<ScoreTerm> terms;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    terms.push_back({k, static_cast<double>(weights[k]), static_cast<double>(values[k])});
  }
  return terms;
}

std::optional<WeightsRow> weights_row(const AttentionResult& result, const CellHit& cell) {
  const HeadAddress& head = cell.matrix.head;
  const bool weights_cell = is_computed(cell.matrix) && cell.matrix.stage == Stage::Weights;
  if (!weights_cell || !result.has(Stage::Weights)) return std::nullopt;
  const std::vector<float> weights = row_of_stage(result, Stage::Weights, head, cell.row);
  const auto unusable = [](float w) { return !std::isfinite(w) || w < 0.0F; };
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (std::ranges::any_of(weights, unusable) || !(total > 0.0)) return std::nullopt;
  std::vector<HiddenRules> hidden(weights.size());
  stage_matrix(borrowed(result), cell.matrix)->hidden_row(cell.row, hidden);
  WeightsRow row;
  std::size_t larger = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double share = static_cast<double>(weights[k]) / total;
    if (share > 0.0) row.entropy -= share * std::log(share);
    if (hidden[k] != kVisible) continue;
    ++row.visible;
    if (weights[k] > weights[cell.col]) ++larger;
  }
  const bool given = !weighs_scores(result.problem(), cell.matrix.head);
  if (row.visible > 0 && !given) row.most = std::log(static_cast<double>(row.visible));
  if (hidden[cell.col] == kVisible) row.rank = larger + 1;
  return row;
}

std::vector<Need> account_needs(const FittedView& view) {
  const HeadAddress& at = view.options.at;
  const std::optional<CellHit> pinned = pinned_cell(view);
  const std::size_t row = row_in_view(view);
  const auto make = [at, pinned, row](const Sources& from, const Pass& /*pass*/) {
    return std::make_shared<Account>(account_in_view(*from.result, at, pinned, row));
  };
  const std::string cell = pinned ? std::to_string(pinned->row) + "," + std::to_string(pinned->col)
                                  : "largest of row " + std::to_string(row);
  return needs_of<Account>(
      "numbers behind " + cell + " of " + text_of(MatrixId{Stage::Weights, at}),
      {{"", "Numbers of the cell",
        nanoseconds_to_read_weights(view.result, at, kRowStages.size())}},
      make, 64 * view.result.shape(at).n_k);
}

std::vector<Need> why_needs(const FittedView& view) {
  const HeadAddress& at = view.options.at;
  const bool is_at_hand = is_materialised(view.result, Stage::Weights, at);
  return is_at_hand ? std::vector<Need>() : account_needs(view);
}

Result<std::shared_ptr<const Account>> shown_account(const FittedView& view) {
  const std::vector<Need> needs = why_needs(view);
  if (!needs.empty()) return found<Account>(view, needs);
  return std::shared_ptr<const Account>(std::make_shared<Account>(
      account_in_view(view.result, view.options.at, pinned_cell(view), row_in_view(view))));
}

}  // namespace attn
