// Reading of rows and columns of several heads.
#include "plot/kit/token_lines.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/number_text.h"
#include "base/quotient_up.h"
#include "base/special_numbers.h"
#include "engine/matrix/matrix.h"
#include "engine/statistics.h"
#include "kinds/parts/vocabulary.h"
#include "view/fields.h"

namespace attn {
namespace {

struct LineOfHead {
  std::vector<float> values;
  std::vector<HiddenRules> hidden;
};

StageShape weights_shape(const AttentionResult& result, const LinesQuestion& q) {
  return result.stage_shape(Stage::Weights, q.heads.front());
}

std::size_t line_length(const AttentionResult& result, const LinesQuestion& q) {
  const StageShape shape = weights_shape(result, q);
  return q.side == Side::Query ? shape.cols : shape.rows;
}

// Adds the weight; a sum with a concealed weight is concealed.
void add_to(float& sum, float weight) {
  if (is_concealed(sum)) return;
  sum = is_concealed(weight) ? weight : sum + weight;
}

LineOfHead mean_row(const Matrix& matrix, const LinesQuestion& q) {
  const std::size_t cols = matrix.extents().cols;
  LineOfHead line{std::vector<float>(cols), std::vector<HiddenRules>(cols, 0xFF)};
  std::vector<float> row(cols);
  std::vector<HiddenRules> rules(cols);
  for (std::size_t i = 0; i < q.count; ++i) {
    matrix.read({q.first + i, 0, 1, cols}, row.data());
    matrix.hidden_row(q.first + i, rules);
    for (std::size_t k = 0; k < cols; ++k) {
      add_to(line.values[k], row[k]);
      line.hidden[k] &= rules[k];
    }
  }
  for (float& value : line.values) {
    if (q.count > 1 && !is_concealed(value)) value /= static_cast<float>(q.count);
  }
  return line;
}

// A few rows at a time, so that it can be cancelled.
LineOfHead column_sum(const Matrix& matrix, const LinesQuestion& q, Progress* progress) {
  const StageShape shape = matrix.extents();
  LineOfHead line{std::vector<float>(shape.rows), std::vector<HiddenRules>(shape.rows)};
  const std::size_t at_once = rows_at_once(shape.cols, shape.rows);
  std::vector<float> cells(at_once * q.count);
  std::vector<HiddenRules> rules(q.count);
  StepCount steps(progress, shape.rows);
  for (std::size_t first = 0; first < shape.rows; first += at_once) {
    const std::size_t rows = std::min(at_once, shape.rows - first);
    matrix.read({first, q.first, rows, q.count}, cells.data());
    for (std::size_t r = 0; r < rows; ++r) {
      matrix.hidden_row(first + r, rules, q.first);
      HiddenRules common = 0xFF;
      for (std::size_t c = 0; c < q.count; ++c) {
        add_to(line.values[first + r], cells[r * q.count + c]);
        common &= rules[c];
      }
      line.hidden[first + r] = common;
    }
    if (!steps.add(rows)) break;
  }
  return line;
}

// A maximum is concealed when one of its cells is.
void pool_into(TokenLines& lines, const LineOfHead& line) {
  for (std::size_t cell = 0; cell < lines.cells; ++cell) {
    const std::size_t first = cell * lines.step;
    const std::size_t end = std::min(first + lines.step, line.values.size());
    float most = kNaN;
    HiddenRules hidden = 0xFF;
    for (std::size_t i = first; i < end; ++i) {
      hidden &= line.hidden[i];
      if (is_concealed(most)) continue;
      const bool is_larger = std::isnan(most) || line.values[i] > most;
      if (is_larger || is_concealed(line.values[i])) most = line.values[i];
    }
    lines.values.push_back(most);
    lines.hidden.push_back(hidden);
  }
}

std::shared_ptr<TokenLines> read_lines(const ResultPtr& result, const LinesQuestion& q,
                                       Progress* progress) {
  auto lines = std::make_shared<TokenLines>();
  const std::size_t length = line_length(*result, q);
  lines->step = std::max<std::size_t>(quotient_up(length, q.most_cells), 1);
  lines->cells = quotient_up(length, lines->step);
  for (std::size_t h = 0; h < q.heads.size(); ++h) {
    const ProgressPart part(progress, h, q.heads.size());
    if (is_cancelled(progress)) break;
    const MatrixPtr matrix = stage_matrix(result, {Stage::Weights, q.heads[h]});
    pool_into(*lines,
              q.side == Side::Query ? mean_row(*matrix, q) : column_sum(*matrix, q, progress));
  }
  return lines;
}

std::string key_of(const LinesQuestion& q) {
  std::string key = q.side == Side::Query ? "rows " : "columns ";
  key += std::to_string(q.first) + "+" + std::to_string(q.count) + " of " +
         text_of(MatrixId{Stage::Weights, q.heads.front()}) + ", to " +
         std::to_string(q.most_cells) + " cells, heads";
  for (const HeadAddress& at : q.heads) {
    key += " " + std::to_string(at.layer) + "." + std::to_string(at.head);
  }
  return key;
}

Result<std::vector<std::size_t>> chosen_of(const std::string& one, const std::string& text,
                                           const AttentionShape& layers) {
  auto chosen = layers_named(text, layers);
  if (chosen && !chosen->empty()) return *std::move(chosen);
  Error error = usage_error("none of these " + one + "s is there");
  error.found = text;
  error.expected = "all, or " + one + "s " + layer_numbers_text(layers, 0) + " with commas between";
  return error;
}

}  // namespace

std::vector<float> TokenLines::line(std::size_t head) const {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(head * cells);
  return {begin, begin + static_cast<std::ptrdiff_t>(cells)};
}

std::vector<Need> lines_needs(const FittedView& view, const LinesQuestion& q) {
  const AttentionResult& result = view.result;
  if (q.heads.empty()) return {};
  const bool of_rows = q.side == Side::Query;
  const std::uint64_t cells = element_count({q.heads.size(), line_length(result, q), q.count});
  if (is_materialised(result, Stage::Weights, q.heads.front()) && cells <= kReadAtOnce) return {};
  const std::size_t rows = of_rows ? q.count : weights_shape(result, q).rows;
  const std::uint64_t nanoseconds = element_count(
      {q.heads.size(), nanoseconds_to_read_weights(result, q.heads.front(), rows) + 10 * rows});
  const auto make = [q](const Sources& from, const Pass& /*pass*/) {
    return Result<std::shared_ptr<TokenLines>>(read_lines(from.result, q, from.progress));
  };
  return needs_of<TokenLines>(key_of(q), {{"", "Weights of the token", nanoseconds}}, make,
                              element_count({q.heads.size(), sizeof(float) + 1,
                                             std::min(line_length(result, q), q.most_cells)}));
}

Result<std::shared_ptr<const TokenLines>> lines_of(const FittedView& view, const LinesQuestion& q) {
  const std::vector<Need> needs = lines_needs(view, q);
  if (!needs.empty()) return found<TokenLines>(view, needs);
  return std::shared_ptr<const TokenLines>(read_lines(borrowed(view.result), q, nullptr));
}

Result<ChosenHeads> chosen_heads(const FittedView& view, std::size_t most) {
  const AttentionShape shape = view.shape();
  const PlotOptions& options = view.options;
  const auto layers = chosen_of("layer", options.layers, shape);
  if (!layers) return layers.error();
  const auto of_layer = chosen_of("head", options.heads, {.layers = shape.heads});
  if (!of_layer) return of_layer.error();
  ChosenHeads heads;
  std::size_t in_view = 0;
  for (const std::size_t layer : *layers) {
    for (const std::size_t head : *of_layer) {
      heads.shown.push_back(options.at.moved_to(layer, options.at.sample, head));
      if (heads.shown.back() == options.at) in_view = heads.shown.size() - 1;
    }
  }
  heads.all = heads.shown.size();
  if (heads.all <= most) return heads;
  const auto first = heads.shown.begin() + static_cast<std::ptrdiff_t>(in_view);
  std::rotate(heads.shown.begin(), first, heads.shown.end());
  heads.shown.resize(most);
  heads.begins_at_chosen = true;
  return heads;
}

std::string words_of(const ChosenHeads& heads) {
  if (heads.shown.size() == heads.all) return "";
  return " " + grouped_text(heads.shown.size()) + " of " + grouped_text(heads.all) +
         " heads are shown" + (heads.begins_at_chosen ? ", from the chosen one on" : "") +
         ": name layers or heads to see others.";
}

std::size_t last_seeing_query(const FittedView& view) {
  const HeadAddress& at = view.options.at;
  const std::size_t last = view.result.stage_shape(Stage::Weights, at).rows - 1;
  for (std::size_t row = last + 1; row-- > 0;) {
    if (!view.result.sees_no_key(at, row)) return row;
  }
  return last;
}

TokenHit token_in_view(const FittedView& view, bool follows) {
  const PlotOptions& options = view.options;
  const StageShape shape = view.result.stage_shape(Stage::Weights, options.at);
  std::optional<TokenHit> token = token_chosen(options.token);
  if (follows && options.focus) token = options.focus;
  const bool has_pin = !options.pins.empty() && is_token_by_token(options.pins.front().matrix);
  if (!token && has_pin) token = TokenHit{Side::Query, 0, options.pins.front().row};
  if (!token) token = TokenHit{Side::Query, 0, last_seeing_query(view)};
  token->sample = options.at.sample;
  token->index = std::min(token->index, (token->side == Side::Query ? shape.rows : shape.cols) - 1);
  return *token;
}

std::optional<std::size_t> place_to_fill(const FittedView& view) {
  const TokenList& tokens = tokens_of(view.document, Side::Query, view.options.at);
  for (const TokenName& name : tokens.names()) {
    if (name.text == "[MASK]" || name.text == "<mask>") return name.index;
  }
  return std::nullopt;
}

std::size_t place_of_next(const FittedView& view) {
  const bool is_chosen = !view.options.token.empty() || !view.options.pins.empty();
  if (is_chosen || !view.result.problem().vocabulary->masked)
    return token_in_view(view, false).index;
  return place_to_fill(view).value_or(view.shape().n_q - 1);
}

std::string remark_on_place(const FittedView& view, std::size_t place) {
  if (!view.result.problem().vocabulary->masked) return "";
  const std::optional<std::size_t> mask = place_to_fill(view);
  if (!mask)
    return " The text has no mask such as [MASK]; such a model learns to write only there.";
  return place == *mask ? "" : " The model sees the token at this place, and mostly repeats it.";
}

}  // namespace attn
