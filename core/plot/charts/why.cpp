// Why a weight is what it is: its score by dimension, its row's normalisation, what its key adds.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/number_text.h"
#include "base/utf8.h"
#include "plot/account/equation.h"
#include "plot/account/steps.h"
#include "plot/charts/charts.h"
#include "plot/kit/bar_table.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"

namespace attn {
namespace {

constexpr std::size_t kKeysShown = 8;
constexpr double kWidestTable = 52.0;  // font sizes
constexpr std::string_view kNotRevealed =
    "Not shown until revealed: it would give away a concealed number.";

struct WhyScene : Drawing {
  const Account& account;

  const CellHit& cell() const { return account.cell; }
  const AttentionProblem& problem() const { return result.problem(); }
  std::string number(double value) const { return story_number(value, options.decimals); }
  std::string weight(double value) const { return story_number(value, options.decimals + 1); }
  std::string number(float value) const { return number(static_cast<double>(value)); }
  std::string token(Side side) const {
    return placed_token(*this, side, side == Side::Query ? cell().row : cell().col);
  }
};

double table_width(const Page& page) {
  return std::min(page.width(), kWidestTable * page.drawing().font());
}

void drop_column(BarTable& table, std::ptrdiff_t column) {
  table.heads.erase(table.heads.begin() + column);
  for (BarTableRow& row : table.rows) row.texts.erase(row.texts.begin() + column);
}

std::string more_words(std::size_t count) { return "… " + grouped_text(count) + " more"; }

std::string headline(const WhyScene& scene) {
  const Account& account = scene.account;
  const std::string place = which_attention(scene.problem(), scene.options.at, ", ") +
                            place_words(scene.shape(), scene.options.at, scene.shape().layers > 1,
                                        scene.shape().heads > 1);
  const std::string key = scene.token(Side::Key);
  std::string words = scene.token(Side::Query);
  if (account.is_hidden()) {
    words += " cannot see " + key + ": " + hidden_sentence(account.rules);
  } else {
    const std::string share =
        std::isnan(account.weight) ? "no number (NaN)" : percent_text(account.weight) + " %";
    words += " takes " + (account.reveals_row ? share : "?") + " from " + key;
  }
  return as_sentence(words) + place;
}

// --- the score by dimension

// Returns one row for the summands after the shown ones.
BarTableRow rest_of_terms(const WhyScene& scene, std::size_t shown, double so_far) {
  double rest = 0.0;
  const std::vector<ScoreTerm>& terms = scene.account.terms;
  for (std::size_t i = shown; i < terms.size(); ++i) rest += terms[i].product();
  return {.texts = {more_words(terms.size() - shown), "", "", scene.number(rest),
                    scene.number(so_far + rest), ""},
          .to = rest,
          .color = scene.theme.muted};
}

BarTable score_table(const WhyScene& scene) {
  const Account& account = scene.account;
  const ScoringFunctionInfo& info = scoring_info(scene.problem().scoring.function);
  const std::string word(word_for_terms(scene.problem()));
  BarTable table{.heads = {word == "unit" ? word : "dim.", std::string(info.left),
                           std::string(info.right), "product", "sum so far", "weight without"},
                 .bars = 3};
  const std::size_t shown = std::min(account.terms.size(), kDimensionsShown);
  double sum = 0.0;
  for (std::size_t i = 0; i < shown; ++i) {
    const ScoreTerm& term = account.terms[i];
    sum += term.product();
    const std::string name = name_of_term(scene, term.index);
    const bool has_without = i < account.without.size();
    table.rows.push_back(
        {.texts = {name, scene.number(term.left), scene.number(term.right),
                   scene.number(term.product()), scene.number(sum),
                   has_without ? scene.weight(static_cast<double>(account.without[i])) : ""},
         .to = term.product(),
         .color = term.product() < 0.0 ? scene.theme.muted : scene.theme.accent,
         .hit = ReadingHit{word + " " + name, scene.number(term.product())}});
  }
  if (shown < account.terms.size()) table.rows.push_back(rest_of_terms(scene, shown, sum));
  if (account.without.empty()) drop_column(table, 5);
  return table;
}

// "Score 2.83 → scaled score 2.00 → masked score 1.50"
std::string steps_words(const WhyScene& scene) {
  std::string words;
  for (const Account::Step& step : scene.account.steps) {
    std::string name = value_name(step.stage);
    if (!words.empty()) name.front() = static_cast<char>(std::tolower(name.front()));
    words += (words.empty() ? "" : " → ") + name + " " + scene.number(step.row[scene.cell().col]);
  }
  return words;
}

void add_score(Page& page, const WhyScene& scene) {
  const Account& account = scene.account;
  if (account.terms.empty() && account.steps.empty()) return;
  const ScoringFunctionInfo& info = scoring_info(scene.problem().scoring.function);
  page.add_heading(account.terms.empty() ? "The score" : "The score: " + std::string(info.terms),
                   0.3);
  if (!account.reveals_score) return page.add_words(std::string(kNotRevealed));
  if (!account.terms.empty()) {
    page.add_part(draw_bar_table(scene, score_table(scene), table_width(page)));
  } else {
    page.add_words("These scores were given: no queries and keys are behind them.");
  }
  page.add_words(steps_words(scene));
  if (account.without.empty()) return;
  page.add_note(
      "Largest products first. Weight without: the weight if this product were left out "
      "of the score, the weights of the row computed anew.");
}

// --- the row

// Returns the keys to show, in order of the sentence; of many the largest first, and the cell's.
std::vector<std::size_t> keys_shown(const Account& account) {
  std::vector<std::size_t> keys = account.keys_with_own(kKeysShown);
  if (keys.size() == account.seen) std::ranges::sort(keys);
  return keys;
}

struct RowTable {
  const WhyScene& scene;
  bool sums_up;      // weights are shares of one whole
  BarTable table{};  // of names, logits, exponentials and weights
  double end = 0.0, rest_exp = 0.0, rest_weight = 0.0;

  std::string number(double value) const {
    return scene.account.reveals_row ? scene.number(value) : "?";
  }
  std::string weight(double value) const {
    return scene.account.reveals_row ? scene.weight(value) : "?";
  }
  void add(std::vector<std::string> texts, double share, Color color) {
    const double from = sums_up ? end : 0.0;
    end = from + share;
    table.rows.push_back({.texts = std::move(texts), .from = from, .to = end, .color = color});
  }
};

void add_key(RowTable& row, std::size_t k) {
  const WhyScene& scene = row.scene;
  const Account& account = scene.account;
  const bool is_own = k == account.cell.col;
  const double weight = static_cast<double>(account.weights[k]);
  const bool has_bar = account.reveals_row && std::isfinite(weight);
  const bool reveals_logit = account.reveals_score || !is_own;
  std::string logit = reveals_logit ? "" : "?";
  if (reveals_logit && !account.logits().empty()) logit = scene.number(account.logits()[k]);
  const double exponential = account.exponential(k);
  row.add({token_label(scene.document, Side::Key, scene.options.at, k) +
               number_if_repeated(scene.document, Side::Key, scene.options.at, k),
           logit, row.number(exponential), row.weight(weight)},
          has_bar ? weight : 0.0, is_own ? scene.theme.accent : scene.theme.muted);
  row.table.rows.back().strong = is_own;
  row.table.rows.back().hit = CellHit{scene.cell().matrix, scene.cell().row, k};
  row.rest_weight -= weight;
  row.rest_exp -= exponential;
}

void add_totals(RowTable& row, std::size_t shown) {
  const WhyScene& scene = row.scene;
  const SoftmaxSum& softmax = scene.account.softmax;
  const bool is_revealed = scene.account.reveals_row;
  const bool has_sink = scene.account.exponentials &&
                        !sinks_of(scene.problem(), scene.account.cell.matrix.head).empty();
  const double share =
      is_revealed && std::isfinite(row.rest_weight) ? std::max(row.rest_weight, 0.0) : 0.0;
  if (scene.account.seen > shown) {
    row.add({more_words(scene.account.seen - shown), "", row.number(std::max(row.rest_exp, 0.0)),
             row.weight(row.rest_weight)},
            share, scene.theme.grid);
  }
  const double part = has_sink ? softmax.sink / softmax.sum : 0.0;
  if (has_sink && is_revealed) {
    row.add({"sink, no key", "", row.number(softmax.sink), row.weight(part)}, part,
            scene.theme.grid);
  }
  if (!row.sums_up) return;
  row.add({"sum", "", row.number(softmax.sum), row.weight(scene.account.weights_sum + part)}, 0.0,
          scene.theme.muted);
}

// "e^(x)" or "e^(x − 10.50)"
std::string name_of_exponentials(const WhyScene& scene) {
  const Account& account = scene.account;
  const double temperature = temperature_of(scene.problem());
  const double by = account.softmax.subtracted;
  const std::string x = temperature == 1.0 ? "x" : "x/" + scene.number(temperature);
  if (by == 0.0) return "e^(" + x + ")";
  if (!account.reveals_row || account.lacks_number()) return "e^(" + x + " − max)";
  return "e^(" + x + (by < 0.0 ? " + " : " − ") + scene.number(std::abs(by)) + ")";
}

BarTable row_table(const WhyScene& scene) {
  const Account& account = scene.account;
  const bool sums_up =
      !account.has_scores || normaliser_info(scene.problem().scoring.normaliser).shares;
  RowTable row{scene, sums_up};
  row.rest_exp = account.softmax.sum - account.softmax.sink;
  row.rest_weight = account.weights_sum;
  row.table.heads = {"key", "logit x", name_of_exponentials(scene), "weight"};
  const std::vector<std::size_t> keys = keys_shown(account);
  for (const std::size_t k : keys) add_key(row, k);
  add_totals(row, keys.size());
  if (!account.exponentials) drop_column(row.table, 2);
  if (account.logits().empty()) drop_column(row.table, 1);
  row.table.bars = row.table.heads.size() - 1;
  return std::move(row.table);
}

void add_row_of_weights(Page& page, const WhyScene& scene) {
  const Account& account = scene.account;
  const std::size_t hidden = account.weights.size() - account.seen;
  const std::string query = quoted_token(scene, Side::Query, scene.cell().row);
  page.add_heading(account.has_scores
                       ? "The row of " + query + ": " +
                             std::string(normaliser_info(scene.problem().scoring.normaliser).label)
                       : "The row of " + query + ", as it was given",
                   0.3);
  if (account.seen > 0) page.add_part(draw_bar_table(scene, row_table(scene), table_width(page)));
  std::string words = account.reveals_row ? "" : std::string(kNotRevealed);
  if (account.lacks_number()) words = without_number(scene.document, account);
  if (hidden > 0) {
    words += (words.empty() ? "" : " ") + counted(hidden, "key is", "keys are") + " hidden and " +
             (hidden == 1 ? "has" : "have") + " no weight.";
  }
  if (!words.empty()) page.add_words(words);
}

// --- what the key adds to the output

std::string share_text(double part, double whole) {
  const double share = part / whole;
  return std::isfinite(share) && std::abs(share) < 10.0 ? percent_text(share) + " %" : "–";
}

BarTable output_table(const WhyScene& scene) {
  const Account& account = scene.account;
  const FeatureColumns columns = feature_columns(scene.shape(), Extent::ValueWidth);
  BarTable table{.heads = {"dim.", "value v", "weight · v", "output", "share"}, .bars = 2};
  for (const std::size_t d : places_of_largest(account.value, kDimensionsShown)) {
    const double output = static_cast<double>(account.output[d]);
    const double added = account.weight * static_cast<double>(account.value[d]);
    const std::string name = feature_label(scene.document, columns, d);
    table.rows.push_back({.texts = {name, scene.number(account.value[d]), scene.number(added),
                                    scene.number(output), share_text(added, output)},
                          .to = added,
                          .behind = output,
                          .color = scene.theme.value,
                          .hit = ReadingHit{"dimension " + name, scene.number(added)}});
  }
  return table;
}

void add_output(Page& page, const WhyScene& scene) {
  const Account& account = scene.account;
  if (account.value.empty() || account.value.size() != account.output.size()) return;
  const std::string key = quoted_token(scene, Side::Key, scene.cell().col);
  page.add_heading("What " + key + " adds to the output", 0.3);
  if (!account.reveals_output) return page.add_words(std::string(kNotRevealed));
  page.add_part(draw_bar_table(scene, output_table(scene), table_width(page)));
  std::string words = "Faint bars: the whole output.";
  if (account.value.size() > kDimensionsShown) {
    words += " The largest " + std::to_string(kDimensionsShown) + " of " +
             grouped_text(account.value.size()) + " dimensions.";
  }
  page.add_note(words);
}

}  // namespace

Result<Figure> why_plot(const Drawing& drawing) {
  const StageShape shape = drawing.result.stage_shape(Stage::Weights, drawing.options.at);
  if (!drawing.result.has(Stage::Weights, drawing.options.at) || shape.rows * shape.cols == 0) {
    return usage_error("There is no weight to explain");
  }
  const auto account = shown_account(drawing);
  if (!account) return account.error();
  const WhyScene scene{{drawing}, **account};
  Page page(scene);
  page.add_heading(headline(scene));
  const int decimals = drawing.options.decimals;
  const std::string equation = equation_of(drawing, **account, EquationFormat::Text, decimals);
  page.add_words(equation, 6);
  add_score(page, scene);
  add_row_of_weights(page, scene);
  add_output(page, scene);
  Figure figure = page.finished("Why: " + headline(scene) + ". " + equation);
  const std::string latex = equation_of(drawing, **account, EquationFormat::Latex, decimals);
  figure.equation = {equation, latex, in_markdown(latex)};
  return figure;
}

}  // namespace attn
