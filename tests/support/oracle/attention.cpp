// Oracle of attention: plain loops in double, one function per stage, tables of scoring functions
// and normalisers. Positions follow the papers' formulas, independent of the engine.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include "base/enum_table.h"
#include "base/special_numbers.h"
#include "kinds/blocks/model.h"
#include "kinds/recurrent/model.h"
#include "support/oracle/reference.h"

namespace attn::reference {
namespace {

// Matrix number `index`, row-major, of a tensor of matrices.
Matrix matrix_of(const Tensor& tensor, std::size_t index, std::size_t rows, std::size_t cols) {
  Matrix matrix{rows, cols, {}};
  for (std::size_t i = 0; i < rows * cols; ++i) {
    matrix.values.push_back(static_cast<double>(tensor[index * rows * cols + i]));
  }
  return matrix;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix out{a.rows, b.cols, {}};
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < b.cols; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < a.cols; ++k) sum += a.at(i, k) * b.at(k, j);
      out.values.push_back(sum);
    }
  }
  return out;
}

Matrix transposed(const Matrix& a) {
  Matrix out{a.cols, a.rows, {}};
  for (std::size_t j = 0; j < a.cols; ++j) {
    for (std::size_t i = 0; i < a.rows; ++i) out.values.push_back(a.at(i, j));
  }
  return out;
}

Matrix columns(const Matrix& a, std::size_t first, std::size_t count) {
  Matrix out{a.rows, count, {}};
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < count; ++j) out.values.push_back(a.at(i, first + j));
  }
  return out;
}

// One head's part of a scoring matrix; a vector is one row.
Matrix scoring_part(const Tensor& tensor, std::size_t matrix_rank, std::size_t head) {
  const MatrixView part = scoring_matrix(tensor, matrix_rank, head);
  Matrix matrix{part.rows, part.cols, {}};
  for (std::size_t r = 0; r < part.rows; ++r) {
    for (const float value : part.row(r)) matrix.values.push_back(static_cast<double>(value));
  }
  return matrix;
}

// v·tanh(x + y + b) for row q of x and row k of y.
Matrix network_scores(const Scoring& scoring, std::size_t head, const Matrix& x, const Matrix& y) {
  const Matrix v = scoring_part(scoring.v, 1, head);
  Matrix b{1, x.cols, std::vector<double>(x.cols)};
  if (!scoring.b.empty()) b = scoring_part(scoring.b, 1, head);
  Matrix out{x.rows, y.rows, {}};
  for (std::size_t q = 0; q < x.rows; ++q) {
    for (std::size_t k = 0; k < y.rows; ++k) {
      double sum = 0.0;
      for (std::size_t a = 0; a < x.cols; ++a) {
        sum += v.at(0, a) * std::tanh(x.at(q, a) + y.at(k, a) + b.at(0, a));
      }
      out.values.push_back(sum);
    }
  }
  return out;
}

// Inputs of a scoring function for one head.
struct Scored {
  const Scoring& scoring;
  std::size_t head;
  const Matrix& queries;
  const Matrix& keys;

  Matrix part(Tensor Scoring::*tensor) const { return scoring_part(scoring.*tensor, 2, head); }
};

Matrix dot(const Scored& in) { return product(in.queries, transposed(in.keys)); }

Matrix general(const Scored& in) {
  return product(product(in.queries, in.part(&Scoring::w)), transposed(in.keys));
}

Matrix concat(const Scored& in) {
  const Matrix w = in.part(&Scoring::w);
  const Matrix for_query = columns(w, 0, in.queries.cols);
  const Matrix for_key = columns(w, in.queries.cols, in.keys.cols);
  return network_scores(in.scoring, in.head, product(in.queries, transposed(for_query)),
                        product(in.keys, transposed(for_key)));
}

Matrix additive(const Scored& in) {
  return network_scores(in.scoring, in.head,
                        product(in.queries, transposed(in.part(&Scoring::w_query))),
                        product(in.keys, transposed(in.part(&Scoring::w_key))));
}

Matrix location(const Scored& in) {
  return columns(product(in.queries, transposed(in.part(&Scoring::w))), 0, in.keys.rows);
}

struct ScoreOracle {
  ScoringFunction function;
  Matrix (*scores)(const Scored&);
};

constexpr std::array<ScoreOracle, count_of<ScoringFunction>()> kScoreOracles{{
    {ScoringFunction::ScaledDot, dot},
    {ScoringFunction::Dot, dot},
    {ScoringFunction::General, general},
    {ScoringFunction::Concat, concat},
    {ScoringFunction::Additive, additive},
    {ScoringFunction::Location, location},
}};
static_assert(is_indexed_by(kScoreOracles, &ScoreOracle::function));

Matrix scored(const Scoring& scoring, std::size_t head, const Matrix& queries, const Matrix& keys) {
  return row_of(kScoreOracles, scoring.function).scores({scoring, head, queries, keys});
}

std::vector<double> softmax_or_sink(const std::vector<double>& scores,
                                    const std::vector<std::uint8_t>& visible,
                                    std::optional<double> sink) {
  if (!sink) return softmax(scores, visible);
  std::vector<double> logits = scores;
  std::vector<std::uint8_t> with_sink = visible;
  logits.push_back(*sink);
  with_sink.push_back(1);
  std::vector<double> shares = softmax(logits, with_sink);
  shares.pop_back();
  return shares;
}

// Σ max(0, x − τ).
double mass_above(const std::vector<double>& values, double threshold) {
  double mass = 0.0;
  for (const double value : values) mass += std::max(0.0, value - threshold);
  return mass;
}

// Bisects the interval of the threshold to nothing. Uses distances from the largest score, so that
// large scores lose no digits.
std::vector<double> sparsemax(const std::vector<double>& scores,
                              const std::vector<std::uint8_t>& visible,
                              std::optional<double> /*none*/) {
  double largest = -static_cast<double>(kInfinity);
  bool has_nan = false;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (visible[k] == 0) continue;
    has_nan = has_nan || std::isnan(scores[k]);
    largest = std::max(largest, scores[k]);
  }
  std::vector<double> shares(scores.size(), 0.0);
  std::vector<double> below;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (visible[k] != 0) below.push_back(scores[k] - largest);
  }
  double low = -1.0;
  double high = 0.0;
  for (int step = 0; step < 200; ++step) {
    const double middle = 0.5 * (low + high);
    (mass_above(below, middle) > 1.0 ? low : high) = middle;
  }
  const bool has_shares = !has_nan && std::isfinite(largest);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (visible[k] == 0) continue;
    shares[k] = has_shares ? std::max(0.0, scores[k] - largest - low)
                           : std::numeric_limits<double>::quiet_NaN();
  }
  return shares;
}

std::vector<double> sigmoid(const std::vector<double>& scores,
                            const std::vector<std::uint8_t>& visible,
                            std::optional<double> /*none*/) {
  std::vector<double> shares;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    shares.push_back(visible[k] != 0 ? 1.0 / (1.0 + std::exp(-scores[k])) : 0.0);
  }
  return shares;
}

struct NormaliserOracle {
  Normaliser normaliser;
  std::vector<double> (*shares)(const std::vector<double>& scores,
                                const std::vector<std::uint8_t>& visible,
                                std::optional<double> sink);
};

constexpr std::array<NormaliserOracle, count_of<Normaliser>()> kNormaliserOracles{{
    {Normaliser::Softmax, softmax_or_sink},
    {Normaliser::Sigmoid, sigmoid},
    {Normaliser::Sparsemax, sparsemax},
}};
static_assert(is_indexed_by(kNormaliserOracles, &NormaliserOracle::normaliser));

// Frequency i of d columns: 1 / base^(2i/d) (Vaswani et al. 2017).
double frequency(double base, std::size_t i, std::size_t d) {
  return std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(d));
}

double sine_or_cosine(bool is_sine, double angle) {
  return is_sine ? std::sin(angle) : std::cos(angle);
}

double sinusoid(const Position& position, double at, std::size_t col, std::size_t d) {
  const auto base = static_cast<double>(position.base);
  if (position.layout == PositionLayout::Interleaved) {
    return sine_or_cosine(col % 2 == 0, at * frequency(base, col / 2, d));
  }
  const std::size_t sines = d - d / 2;
  const bool is_sine = col < sines;
  return sine_or_cosine(is_sine, at * frequency(base, is_sine ? col : col - sines, d));
}

double learned(const Position& position, std::size_t row, std::size_t col) {
  return static_cast<double>(position.table[row * position.table.extent(1) + col]);
}

// Share of the unscaled frequency by YaRN, as the paper's ramp between two wavelengths, in columns.
double yarn_share(const Position& position, double i, double d) {
  const auto length = static_cast<double>(position.original);
  const auto column_of = [&](double turns) {
    return d * std::log(length / turns / (2.0 * M_PI)) / 2.0 / std::log(double(position.base));
  };
  double from = column_of(position.high.value_or(32.0F));
  double to = column_of(position.low.value_or(1.0F));
  if (position.truncate) from = std::floor(from), to = std::ceil(to);
  from = std::max(from, 0.0);
  to = std::min(to, d - 1.0);
  if (from == to) to += 0.001;
  return 1.0 - std::min(1.0, std::max(0.0, (i - from) / (to - from)));
}

// Rotation angle of pair i of d columns.
double turn(const Position& position, double at, std::size_t i, std::size_t d) {
  const auto base = static_cast<double>(position.base);
  const auto factor = static_cast<double>(position.factor);
  const double plain = frequency(base, i, d);
  switch (position.scaling) {
    case RopeScaling::None:
      break;
    case RopeScaling::Linear:
      return at / factor * plain;
    case RopeScaling::Ntk:
      if (d == 2) break;
      return at * frequency(base * std::pow(factor, double(d) / double(d - 2)), i, d);
    case RopeScaling::Llama3: {
      const double wavelength = 2.0 * M_PI / plain, length = double(position.original);
      const double low = position.low.value_or(1.0F), high = position.high.value_or(4.0F);
      if (wavelength < length / high) break;
      if (wavelength > length / low) return at * plain / factor;
      const double smooth = (length / wavelength - low) / (high - low);
      return at * ((1.0 - smooth) * plain / factor + smooth * plain);
    }
    case RopeScaling::Yarn: {
      const double share = yarn_share(position, double(i), double(d));
      return at * (plain / factor * (1.0 - share) + plain * share);
    }
    case RopeScaling::Longrope:
      return at * plain / double(position.factors[i]);
  }
  return at * plain;
}

// Factor of rotated columns.
double enlarged(const Position& position) {
  const auto s = static_cast<double>(position.factor);
  if (position.gain) return static_cast<double>(*position.gain);
  if (s <= 1.0) return 1.0;
  if (position.scaling == RopeScaling::Yarn) return 0.1 * std::log(s) + 1.0;
  if (position.scaling != RopeScaling::Longrope) return 1.0;
  return std::sqrt(1.0 + std::log(s) / std::log(double(position.original)));
}

// Adds sinusoids or a learned table to rows at positions from `first` on; no effect for other
// kinds.
void add_positions(const Position& position, std::int64_t first, Matrix& x) {
  const bool is_learned = position.kind == PositionKind::Learned;
  if (!is_learned && position.kind != PositionKind::Sinusoidal) return;
  for (std::size_t r = 0; r < x.rows; ++r) {
    const std::int64_t at = position_of_row(first, r);
    for (std::size_t c = 0; c < x.cols; ++c) {
      x.values[r * x.cols + c] += is_learned
                                      ? learned(position, static_cast<std::size_t>(at), c)
                                      : sinusoid(position, static_cast<double>(at), c, x.cols);
    }
  }
}

// Rotates column pairs (Su et al. 2021) if positions are rotary; row r has position first + r.
Matrix rotated(const Position& position, Matrix x, std::int64_t first) {
  if (position.kind != PositionKind::Rope) return x;
  const std::size_t d = position.rotary_dim == 0 ? x.cols : position.rotary_dim;
  const bool beside = position.layout == PositionLayout::Interleaved;
  for (std::size_t r = 0; r < x.rows; ++r) {
    const auto at = static_cast<double>(position_of_row(first, r));
    double* row = &x.values[r * x.cols];
    for (std::size_t i = 0; i < d / 2; ++i) {
      double& a = row[beside ? 2 * i : i];
      double& b = row[beside ? 2 * i + 1 : i + d / 2];
      const double angle = turn(position, at, i, d), size = enlarged(position),
                   turned = a * std::cos(angle) - b * std::sin(angle);
      b = size * (a * std::sin(angle) + b * std::cos(angle));
      a = size * turned;
    }
  }
  return x;
}

// Queries, keys or values of one head: given, the inputs themselves, or the head's columns of their
// projection.
Matrix head_rows(const Layer& layer, Stage stage, const HeadAddress& at) {
  const AttentionShape& s = layer.problem.shape;
  const Projections& p = layer.projections;
  const bool of_queries = stage == Stage::Query, of_keys = stage == Stage::Key;
  const std::size_t heads = of_queries ? s.heads : s.kv_heads;
  const std::size_t head = at.head / (s.heads / heads);
  const std::size_t width = of_queries ? query_columns(s) : of_keys ? s.d_k : s.d_v;
  if (const Tensor* given = given_tensor(layer.problem, stage)) {
    const std::size_t index = (at.layer * s.samples + at.sample) * heads + head;
    return matrix_of(*given, index, of_queries ? s.n_q : s.n_k, width);
  }
  const Matrix& input = input_of(layer, stage, at.head);
  const Tensor& w = of_queries ? p.w_q : of_keys ? p.w_k : p.w_v;
  if (w.empty()) return input;
  const Tensor& b = of_queries ? p.b_q : of_keys ? p.b_k : p.b_v;
  return columns(mapped(input, w, b), head * width, width);
}

// Queries or keys over the root of the mean square of their head, or of all heads' numbers, times a
// weight.
Matrix normed_rows(const Layer& layer, bool of_queries, const HeadAddress& at) {
  const AttentionShape& s = layer.problem.shape;
  const Stack& stack = layer.problem.stack;
  const Stage stage = of_queries ? Stage::Query : Stage::Key;
  const Tensor& weight = of_queries ? layer.projections.q_norm : layer.projections.k_norm;
  Matrix own = head_rows(layer, stage, at);
  if (weight.empty()) return own;
  const std::size_t shared = s.heads / (of_queries ? s.heads : s.kv_heads);
  const std::size_t first = weight.size() == own.cols ? 0 : at.head / shared * own.cols;
  std::vector<Matrix> together;
  if (weight.size() == own.cols) together.push_back(own);
  for (std::size_t head = 0; head < s.heads && weight.size() > own.cols; head += shared) {
    together.push_back(head_rows(layer, stage, at.moved_to(at.layer, at.sample, head)));
  }
  for (std::size_t r = 0; r < own.rows; ++r) {
    double squares = 0.0;
    for (const Matrix& part : together) {
      for (std::size_t c = 0; c < own.cols; ++c) squares += part.at(r, c) * part.at(r, c);
    }
    const double mean = squares / static_cast<double>(weight.size());
    for (std::size_t c = 0; c < own.cols; ++c) {
      own.values[r * own.cols + c] *=
          (static_cast<double>(weight[first + c]) + static_cast<double>(stack.weight_offset)) /
          std::sqrt(mean + static_cast<double>(stack.eps));
    }
  }
  return own;
}

// Rules of an attention, with those that its block has in place of the document's.
const BlockRules* own_rules(const AttentionProblem& p, const HeadAddress& at) {
  const bool own = !p.stack.blocks.empty() && !attends_across(p, at);
  return own ? &p.stack.blocks[at.layer].rules : nullptr;
}

Mask rules_in(const AttentionProblem& p, const HeadAddress& at) {
  Mask mask = mask_of(p, at);
  const BlockRules* own = own_rules(p, at);
  if (own != nullptr && own->window) mask.window = own->window;
  return mask;
}

Matrix scores(const Layer& layer, const HeadAddress& at) {
  const AttentionProblem& p = layer.problem;
  return scored(p.scoring, at.head, compute_in(layer, Stage::RotatedQuery, at),
                compute_in(layer, Stage::RotatedKey, at));
}

Matrix scaled(const Layer& layer, const HeadAddress& at) {
  const AttentionProblem& p = layer.problem;
  Matrix out = compute_in(layer, Stage::Scores, at);
  const double usual = usual_scale(p.scoring.function, p.shape.d_k);
  const double scale = p.scoring.scale ? static_cast<double>(*p.scoring.scale) : usual;
  for (double& score : out.values) score *= scale;
  return out;
}

Matrix softcapped(const Layer& layer, const HeadAddress& at) {
  const AttentionProblem& p = layer.problem;
  Matrix out = compute_in(layer, Stage::Scaled, at);
  const auto cap = static_cast<double>(*p.scoring.softcap);
  for (double& score : out.values) score = cap * std::tanh(score / cap);
  return out;
}

Matrix masked(const Layer& layer, const HeadAddress& at) {
  const AttentionProblem& p = layer.problem;
  const Mask mask = rules_in(p, at);
  Matrix out = compute_in(layer, p.scoring.softcap ? Stage::Softcapped : Stage::Scaled, at);
  for (std::size_t q = 0; q < out.rows; ++q) {
    for (std::size_t k = 0; k < out.cols; ++k) {
      double& score = out.values[q * out.cols + k];
      score += static_cast<double>(bias_at(mask, at, q, k));
      if (hidden_by(mask, at, q, k) != kVisible) score = -static_cast<double>(kInfinity);
    }
  }
  return out;
}

std::vector<std::uint8_t> visible_keys(const AttentionProblem& p, const HeadAddress& at,
                                       std::size_t q) {
  const Mask mask = rules_in(p, at);
  std::vector<std::uint8_t> visible;
  for (std::size_t k = 0; k < shape_of(p, at).n_k; ++k)
    visible.push_back(hidden_by(mask, at, q, k) == kVisible ? 1 : 0);
  return visible;
}

Matrix weights(const Layer& layer, const HeadAddress& at) {
  const AttentionProblem& p = layer.problem;
  const AttentionShape s = shape_of(p, at);
  if (!has_scores(p)) {
    const std::size_t index = (at.layer * s.samples + at.sample) * s.heads + at.head;
    return matrix_of(given_weights(p, at), index, s.n_q, s.n_k);
  }
  if (const Tensor* pattern = pattern_of(p.what_if, among(attentions_of(p), at))) {
    Matrix out = matrix_of(*pattern, 0, s.n_q, s.n_k);
    for (std::size_t i = 0; i < out.values.size(); ++i)
      out.values[i] *= visible_keys(p, at, i / s.n_k)[i % s.n_k];
    return out;
  }
  const Matrix scores = compute_in(layer, Stage::Masked, at);
  Scoring scoring = p.scoring;
  if (const BlockRules* own = own_rules(p, at); own && !own->sinks.empty())
    scoring.sinks = own->sinks;
  Matrix out{s.n_q, s.n_k, {}};
  for (std::size_t q = 0; q < s.n_q; ++q) {
    const auto row = scores.values.begin() + static_cast<std::ptrdiff_t>(q * s.n_k);
    const std::vector<double> shares = normalised(
        scoring, at.head, {row, row + static_cast<std::ptrdiff_t>(s.n_k)}, visible_keys(p, at, q));
    out.values.insert(out.values.end(), shares.begin(), shares.end());
  }
  return out;
}

// Sums over visible keys only, so that hidden NaNs have no effect.
Matrix output(const Layer& layer, const HeadAddress& at) {
  const AttentionProblem& p = layer.problem;
  const Matrix shares = compute_in(layer, Stage::Weights, at);
  const Matrix values = compute_in(layer, Stage::Value, at);
  Matrix out{shares.rows, values.cols, {}};
  for (std::size_t q = 0; q < shares.rows; ++q) {
    const std::vector<std::uint8_t> visible = visible_keys(p, at, q);
    for (std::size_t c = 0; c < values.cols; ++c) {
      double sum = 0.0;
      for (std::size_t k = 0; k < values.rows; ++k) {
        if (visible[k] != 0) sum += shares.at(q, k) * values.at(k, c);
      }
      out.values.push_back(sum);
    }
  }
  return out;
}

Matrix concat(const Layer& layer, const HeadAddress& at) {
  const AttentionProblem& p = layer.problem;
  const AttentionShape& s = p.shape;
  std::vector<Matrix> heads;
  for (std::size_t head = 0; head < s.heads; ++head) {
    heads.push_back(compute_in(layer, Stage::Output, at.moved_to(at.layer, at.sample, head)));
  }
  Matrix out{s.n_q, s.heads * s.d_v, {}};
  for (std::size_t q = 0; q < s.n_q; ++q) {
    for (const Matrix& head : heads) {
      for (std::size_t c = 0; c < s.d_v; ++c) out.values.push_back(head.at(q, c));
    }
  }
  return out;
}

struct StageOracle {
  Stage stage;
  Matrix (*matrix)(const Layer&, const HeadAddress&);
};

constexpr StageOracle kStageOracles[] = {
    {Stage::QueryInput, [](const Layer& layer, const HeadAddress&) { return layer.query_input; }},
    {Stage::KeyInput, [](const Layer& layer, const HeadAddress&) { return layer.key_input; }},
    {Stage::ValueInput, [](const Layer& layer, const HeadAddress&) { return layer.value_input; }},
    {Stage::Scores, scores},
    {Stage::Scaled, scaled},
    {Stage::Softcapped, softcapped},
    {Stage::Masked, masked},
    {Stage::Weights, weights},
    {Stage::Output, output},
    {Stage::Concat, concat},
    {Stage::Projected, projected},
};

}  // namespace

std::vector<double> softmax(const std::vector<double>& scores,
                            const std::vector<std::uint8_t>& visible) {
  double largest = -static_cast<double>(kInfinity);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (visible[k] != 0 && scores[k] > largest) largest = scores[k];
  }
  double sum = 0.0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (visible[k] != 0) sum += std::exp(scores[k] - largest);
  }
  std::vector<double> shares;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    shares.push_back(visible[k] != 0 ? std::exp(scores[k] - largest) / sum : 0.0);
  }
  return shares;
}

std::vector<double> normalised(const Scoring& scoring, std::size_t head,
                               const std::vector<double>& scores,
                               const std::vector<std::uint8_t>& visible) {
  const auto temperature = static_cast<double>(scoring.temperature.value_or(1.0F));
  std::vector<double> logits = scores;
  for (double& logit : logits) logit /= temperature;
  std::optional<double> sink;
  if (!scoring.sinks.empty()) {
    const float logit = scoring.sinks[scoring.sinks.size() == 1 ? 0 : head];
    sink = static_cast<double>(logit) / temperature;
  }
  return row_of(kNormaliserOracles, scoring.normaliser).shares(logits, visible, sink);
}

Matrix mapped(const Matrix& x, const Tensor& w, const Tensor& b) {
  Matrix out = product(x, matrix_of(w, 0, w.extent(0), w.extent(1)));
  for (std::size_t i = 0; !b.empty() && i < out.values.size(); ++i) {
    out.values[i] += static_cast<double>(b[i % out.cols]);
  }
  return out;
}

Matrix positioned(const Position& position, const Tensor& x, std::size_t sample,
                  std::int64_t first) {
  Matrix input = matrix_of(x, sample, x.extent(1), x.extent(2));
  add_positions(position, first, input);
  return input;
}

Matrix compute_in(const Layer& layer, Stage stage, const HeadAddress& at) {
  if (stage == Stage::Query || stage == Stage::Key || stage == Stage::Value) {
    return head_rows(layer, stage, at);
  }
  const bool of_queries = stage == Stage::NormedQuery || stage == Stage::RotatedQuery;
  if (stage == Stage::NormedQuery || stage == Stage::NormedKey) {
    return normed_rows(layer, of_queries, at);
  }
  if (stage == Stage::RotatedQuery || stage == Stage::RotatedKey) {
    const std::int64_t offset = mask_of(layer.problem, at).offset_of(at.sample);
    const BlockRules* own = own_rules(layer.problem, at);
    const Position& position =
        own != nullptr && own->position ? *own->position : position_of(layer.problem, at);
    return rotated(position, normed_rows(layer, of_queries, at), of_queries ? offset : 0);
  }
  const auto* oracle = std::ranges::find(kStageOracles, stage, &StageOracle::stage);
  return oracle == std::end(kStageOracles) ? Matrix{} : oracle->matrix(layer, at);
}

Matrix compute(const AttentionProblem& problem, Stage stage, const HeadAddress& head) {
  if (problem.kind == &kBlockProblems) return compute_in_blocks(problem, stage, head);
  if (problem.kind == &kRecurrentProblems) return compute_in_cells(problem, stage, head);
  Layer layer{problem, problem.projections, {}, {}, {}};
  if (makes_projections(problem)) {
    layer.query_input = positioned(problem.position, problem.query_embeddings, head.sample,
                                   problem.mask.offset_of(head.sample));
    layer.key_input = positioned(problem.position, problem.key_embeddings, head.sample, 0);
    layer.value_input = positioned(problem.position, problem.value_embeddings, head.sample, 0);
  }
  return compute_in(layer, stage, head);
}

}  // namespace attn::reference
