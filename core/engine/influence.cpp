#include "engine/influence.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/parallel.h"
#include "engine/recurrent_cell.h"
#include "engine/recurrent_compute.h"
#include "engine/score.h"

namespace attn {
namespace {

using Doubles = std::vector<double>;

// Rows of doubles, one after another.
struct Rows {
  std::size_t cols = 0;
  Doubles values;
  Rows(std::size_t rows, std::size_t columns) : cols(columns), values(rows * columns) {}
  std::span<double> row(std::size_t r) { return {values.data() + r * cols, cols}; }
  std::span<const double> row(std::size_t r) const { return {values.data() + r * cols, cols}; }
};

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double dot(std::span<const double> a, std::span<const float> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * static_cast<double>(b[i]);
  return sum;
}

void add_scaled(double factor, std::span<const float> row, std::span<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * static_cast<double>(row[i]);
}

// One sample, with everything that its derivatives are taken at.
struct Sample {
  const DenseResult& result;
  HeadAddress at;
  MatrixView sources, targets, keys;
  std::vector<float> initial;                // s_0
  std::vector<CellGates> forward, backward;  // by source token; none where it is not read
  std::vector<CellGates> attending, fixed;   // of both decoders, by step

  const AttentionProblem& problem() const { return result.problem(); }
  const Recurrent& model() const { return problem().recurrent; }
  MatrixView matrix(Stage stage) const { return result.matrix(stage, at); }
};

// States of `stage` (and of `cell`, for an LSTM) as what comes before a step.
class States {
 public:
  States(const Sample& sample, Stage stage, Stage cell, std::size_t first, std::size_t hidden)
      : h_(sample.matrix(stage)), first_(first), hidden_(hidden), zero_(hidden) {
    if (sample.model().cell == CellKind::Lstm) c_ = sample.matrix(cell);
  }
  CellState at(std::size_t row) const {
    return {h_.row(row).subspan(first_, hidden_),
            c_.data == nullptr ? std::span<const float>{} : c_.row(row).subspan(first_, hidden_)};
  }
  // Before the first step: from `h`, or from 0.
  CellState start(std::span<const float> h = {}) const {
    return {h.empty() ? std::span<const float>(zero_) : h,
            c_.data == nullptr ? std::span<const float>{} : std::span<const float>(zero_)};
  }

 private:
  MatrixView h_, c_;
  std::size_t first_, hidden_;
  std::vector<float> zero_;
};

std::vector<CellGates> encoder_gates(const Sample& sample, const RecurrentCell& cell,
                                     std::size_t first, bool backwards) {
  const std::size_t n = sample.sources.rows;
  const States states(sample, Stage::Key, Stage::EncoderCell, first, hidden_columns(cell));
  std::vector<CellGates> gates(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = backwards ? n - 1 - i : i;
    if (!reads_token(sample.problem(), sample.at.sample, j)) continue;
    const CellState before = i == 0 ? states.start() : states.at(backwards ? j + 1 : j - 1);
    gates[j] = gates_of(sample.model().cell, cell, sample.sources.row(j), before);
  }
  return gates;
}

std::vector<CellGates> decoder_gates(const Sample& sample, Stage stage, Stage cell,
                                     const std::vector<float>& fixed) {
  const Recurrent& model = sample.model();
  const States states(sample, stage, cell, 0, hidden_columns(model.decoder));
  std::vector<CellGates> gates;
  for (std::size_t t = 0; t < sample.targets.rows; ++t) {
    std::vector<float> read(sample.targets.row(t).begin(), sample.targets.row(t).end());
    if (model.asks == AskingState::Previous) {
      const std::span<const float> context =
          fixed.empty() ? sample.matrix(Stage::Output).row(t) : std::span<const float>(fixed);
      read.insert(read.end(), context.begin(), context.end());
    }
    const CellState before = t == 0 ? states.start(sample.initial) : states.at(t - 1);
    gates.push_back(gates_of(model.cell, model.decoder, read, before));
  }
  return gates;
}

Sample sample_of(const DenseResult& result, std::size_t index) {
  const AttentionProblem& problem = result.problem();
  const Recurrent& model = problem.recurrent;
  const std::vector<float> fixed = fixed_vector(result, index);
  Sample sample{result,
                {0, index, 0},
                matrix_at(problem.key_embeddings, index),
                matrix_at(problem.query_embeddings, index),
                result.matrix(Stage::Key, {0, index, 0}),
                initial_state(model, fixed),
                {},
                {},
                {},
                {}};
  sample.forward = encoder_gates(sample, model.encoder, 0, false);
  if (is_bidirectional(model)) {
    sample.backward = encoder_gates(sample, model.backward, hidden_columns(model.encoder), true);
  }
  sample.attending = decoder_gates(sample, Stage::DecoderState, Stage::DecoderCell, {});
  sample.fixed = decoder_gates(sample, Stage::FixedState, Stage::FixedCell, fixed);
  return sample;
}

// Attention, backwards.

// Through the normaliser of row t: derivatives by the weights become those by what goes into it.
void back_through_normaliser(const Scoring& scoring, std::span<const float> weights,
                             std::span<double> by) {
  double mean = 0.0;
  if (scoring.normaliser == Normaliser::Softmax) mean = dot(by, weights);
  if (scoring.normaliser == Normaliser::Sparsemax) {
    double support = 0.0;
    for (std::size_t i = 0; i < by.size(); ++i) {
      if (weights[i] <= 0.0F) continue;
      mean += by[i];
      support += 1.0;
    }
    if (support > 0.0) mean /= support;
  }
  const auto temperature = static_cast<double>(scoring.temperature.value_or(1.0F));
  for (std::size_t i = 0; i < by.size(); ++i) {
    const auto w = static_cast<double>(weights[i]);
    const double slope = scoring.normaliser == Normaliser::Softmax   ? w
                         : scoring.normaliser == Normaliser::Sigmoid ? w * (1.0 - w)
                         : w > 0.0                                   ? 1.0
                                                                     : 0.0;
    by[i] = slope * (by[i] - mean) / temperature;
  }
}

// Through soft cap and scale, to the derivatives by the scores of row t.
void back_to_scores(const Sample& sample, std::size_t t, std::span<double> by) {
  const AttentionProblem& problem = sample.problem();
  const auto scale = static_cast<double>(scale_of(problem));
  if (problem.scoring.softcap) {
    const auto cap = static_cast<double>(*problem.scoring.softcap);
    const std::span<const float> capped = sample.matrix(Stage::Softcapped).row(t);
    for (std::size_t i = 0; i < by.size(); ++i) {
      if (by[i] == 0.0) continue;  // a hidden score may be no number
      const double share = static_cast<double>(capped[i]) / cap;
      by[i] *= 1.0 - share * share;
    }
  }
  for (double& value : by) value *= scale;
}

// v · (1 − tanh²) of the hidden units of one query and key.
void hidden_slopes(const HiddenUnits& units, std::span<const float> query,
                   std::span<const float> key, std::span<double> slopes) {
  for (std::size_t a = 0; a < slopes.size(); ++a) {
    double sum = units.b == nullptr ? 0.0 : static_cast<double>(units.b[a]);
    for (std::size_t c = 0; c < query.size(); ++c) {
      sum += static_cast<double>(units.w_query.at(a, c)) * static_cast<double>(query[c]);
    }
    for (std::size_t c = 0; c < key.size(); ++c) {
      sum += static_cast<double>(units.w_key.at(a, c)) * static_cast<double>(key[c]);
    }
    const double unit = std::tanh(sum);
    slopes[a] = static_cast<double>(units.v[a]) * (1.0 - unit * unit);
  }
}

// The derivatives of all scores by their query and their keys, read off at each step.
class ScoreSlopes {
 public:
  explicit ScoreSlopes(const Sample& sample)
      : sample_(sample),
        network_(by_network(sample) ? units_of(sample) : HiddenUnits{}),
        d_a_(network_.w_query.rows),
        slopes_(by_network(sample) ? cells(sample) : 0, d_a_) {
    for (std::size_t cell = 0; d_a_ > 0 && cell < cells(sample); ++cell) {
      const std::size_t i = cell % sample.keys.rows;
      hidden_slopes(network_, sample.matrix(Stage::Query).row(cell / sample.keys.rows),
                    sample.keys.row(i), slopes_.row(cell));
    }
  }

  // Adds what `by_scores` of row t hands on to the query and the keys.
  void back(std::size_t t, std::span<const double> by_scores, std::span<double> by_query,
            Rows& by_keys) const {
    const Scoring& scoring = sample_.problem().scoring;
    const std::span<const float> query = sample_.matrix(Stage::Query).row(t);
    const MatrixView w =
        scoring.w.empty() ? MatrixView{} : scoring_matrix(scoring.w, 2, sample_.at.head);
    for (std::size_t i = 0; i < by_scores.size(); ++i) {
      if (by_scores[i] == 0.0) continue;
      const std::span<const float> key = sample_.keys.row(i);
      switch (scoring.function) {
        case ScoringFunction::ScaledDot:
        case ScoringFunction::Dot:
          add_scaled(by_scores[i], key, by_query);
          add_scaled(by_scores[i], query, by_keys.row(i));
          break;
        case ScoringFunction::Location:
          add_scaled(by_scores[i], w.row(i), by_query);
          break;
        case ScoringFunction::General:
          back_through_map(w, by_scores[i], query, key, by_query, by_keys.row(i));
          break;
        case ScoringFunction::Concat:
        case ScoringFunction::Additive:
          back_through_network(slopes_.row(t * by_scores.size() + i), by_scores[i], by_query,
                               by_keys.row(i));
          break;
      }
    }
  }

 private:
  static bool by_network(const Sample& sample) {
    const ScoringFunction function = sample.problem().scoring.function;
    return function == ScoringFunction::Concat || function == ScoringFunction::Additive;
  }
  static HiddenUnits units_of(const Sample& sample) {
    const MatrixView queries = sample.matrix(Stage::Query);
    return hidden_units_of(sample.problem().scoring, sample.at.head, queries.cols,
                           sample.keys.cols);
  }
  static std::size_t cells(const Sample& sample) { return sample.targets.rows * sample.keys.rows; }

  static void back_through_map(const MatrixView& w, double by_score, std::span<const float> query,
                               std::span<const float> key, std::span<double> by_query,
                               std::span<double> by_key) {
    for (std::size_t r = 0; r < w.rows; ++r) {
      double sum = 0.0;
      const double from_query = by_score * static_cast<double>(query[r]);
      for (std::size_t c = 0; c < w.cols; ++c) {
        const auto weight = static_cast<double>(w.at(r, c));
        sum += weight * static_cast<double>(key[c]);
        by_key[c] += weight * from_query;
      }
      by_query[r] += by_score * sum;
    }
  }

  void back_through_network(std::span<const double> slopes, double by_score,
                            std::span<double> by_query, std::span<double> by_key) const {
    for (std::size_t a = 0; a < d_a_; ++a) {
      const double by_unit = by_score * slopes[a];
      add_scaled(by_unit, network_.w_query.row(a), by_query);
      add_scaled(by_unit, network_.w_key.row(a), by_key);
    }
  }

  const Sample& sample_;
  HiddenUnits network_;
  std::size_t d_a_;
  Rows slopes_;
};

// What c_t hands on to the query and to the keys, which are the values too.
void back_through_context(const Sample& sample, const ScoreSlopes& slopes, std::size_t t,
                          std::span<const double> by_context, std::span<double> by_query,
                          Rows& by_keys) {
  const std::span<const float> weights = sample.matrix(Stage::Weights).row(t);
  Doubles by(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0.0F) continue;
    by[i] = dot(by_context, sample.keys.row(i));
    const std::span<double> by_value = by_keys.row(i);
    for (std::size_t c = 0; c < by_context.size(); ++c) {
      by_value[c] += static_cast<double>(weights[i]) * by_context[c];
    }
  }
  back_through_normaliser(sample.problem().scoring, weights, by);
  back_to_scores(sample, t, by);
  slopes.back(t, by, by_query, by_keys);
}

// Decoder, backwards.

// What one number of o_t (or s_t) hands on to its state and its context.
void back_from_output(const Sample& sample, Stage output, std::size_t t, std::size_t unit,
                      std::span<double> by_state, std::span<double> by_context) {
  const Tensor& w = sample.model().w_output;
  if (w.empty()) {
    by_state[unit] = 1.0;
    return;
  }
  const std::size_t d_out = w.extent(1);
  const auto o = static_cast<double>(sample.matrix(output).at(t, unit));
  for (std::size_t r = 0; r < w.extent(0); ++r) {
    const double by = static_cast<double>(w[r * d_out + unit]) * (1.0 - o * o);
    (r < by_state.size() ? by_state[r] : by_context[r - by_state.size()]) = by;
  }
}

// Derivatives of one number of the output at step t by the encoder's states and by its fixed
// vector. `slopes` null: of the decoder with the fixed vector.
struct ByEncoder {
  Rows keys;
  Doubles fixed;
};

ByEncoder back_through_decoder(const Sample& sample, const ScoreSlopes* slopes, std::size_t t,
                               std::size_t unit) {
  const Recurrent& model = sample.model();
  const std::size_t hidden = hidden_columns(model.decoder);
  const std::size_t width = sample.keys.cols;
  const bool before_step = model.asks == AskingState::Previous;
  ByEncoder by{Rows(sample.keys.rows, width), Doubles(width)};
  CellGradient state{Doubles(hidden), Doubles(model.cell == CellKind::Lstm ? hidden : 0)};
  Doubles by_context(width);
  const auto leave_context = [&](std::size_t step) {
    if (slopes != nullptr) {
      back_through_context(sample, *slopes, step, by_context, state.h, by.keys);
    } else {
      for (std::size_t c = 0; c < width; ++c) by.fixed[c] += by_context[c];
    }
    std::ranges::fill(by_context, 0.0);
  };
  back_from_output(sample, slopes != nullptr ? Stage::DecoderOutput : Stage::FixedOutput, t, unit,
                   state.h, by_context);
  if (!before_step) leave_context(t);
  for (std::size_t step = t + 1; step-- > 0;) {
    Doubles by_input(model.decoder.w_x.extent(0));
    const auto& gates = slopes != nullptr ? sample.attending : sample.fixed;
    step_back(model.cell, model.decoder, gates[step], state, by_input);
    if (!before_step) continue;
    const std::size_t d_target = by_input.size() - width;
    for (std::size_t c = 0; c < width; ++c) by_context[c] += by_input[d_target + c];
    leave_context(step);
  }
  if (model.w_initial.empty()) {
    for (std::size_t c = 0; c < hidden; ++c) by.fixed[c] += state.h[c];
    return by;
  }
  for (std::size_t c = 0; c < hidden; ++c) {
    const auto s = static_cast<double>(sample.initial[c]);
    state.h[c] *= 1.0 - s * s;
  }
  add_back_through(model.w_initial, state.h, by.fixed);
  return by;
}

// Encoder, backwards.

// One direction: derivatives by its states (columns from `first`) become those by the embeddings.
void back_through_direction(const Sample& sample, const RecurrentCell& cell,
                            const std::vector<CellGates>& gates, const Rows& by_states,
                            std::size_t first, bool backwards, Rows& by_sources) {
  const std::size_t n = sample.sources.rows;
  const std::size_t hidden = hidden_columns(cell);
  CellGradient state{Doubles(hidden), Doubles(sample.model().cell == CellKind::Lstm ? hidden : 0)};
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = backwards ? i : n - 1 - i;
    for (std::size_t c = 0; c < hidden; ++c) state.h[c] += by_states.row(j)[first + c];
    if (gates[j].empty()) continue;
    step_back(sample.model().cell, cell, gates[j], state, by_sources.row(j));
  }
}

// The fixed vector is two of the states.
Rows back_through_encoder(const Sample& sample, ByEncoder by) {
  const Recurrent& model = sample.model();
  const std::size_t forward = hidden_columns(model.encoder);
  const std::size_t last = sample.keys.rows - 1;
  for (std::size_t c = 0; c < by.fixed.size(); ++c) {
    by.keys.row(c < forward ? last : 0)[c] += by.fixed[c];
  }
  Rows by_sources(sample.sources.rows, sample.sources.cols);
  back_through_direction(sample, model.encoder, sample.forward, by.keys, 0, false, by_sources);
  if (is_bidirectional(model)) {
    back_through_direction(sample, model.backward, sample.backward, by.keys, forward, true,
                           by_sources);
  }
  return by_sources;
}

// Norms.

// G_j = M_j M_jᵀ with M_j = ∂ fixed vector / ∂x_j, one row of width² numbers for each token: with
// A = ∂o / ∂ fixed vector, ‖A M_j‖² is the sum of AᵀA and G_j multiplied cell by cell.
Rows products_of_fixed(const Sample& sample) {
  const std::size_t n = sample.sources.rows;
  const std::size_t width = sample.keys.cols;
  std::vector<Rows> jacobian;
  for (std::size_t c = 0; c < width; ++c) {
    ByEncoder unit{Rows(n, width), Doubles(width)};
    unit.fixed[c] = 1.0;
    jacobian.push_back(back_through_encoder(sample, std::move(unit)));
  }
  Rows products(n, width * width);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t a = 0; a < width; ++a) {
      for (std::size_t b = 0; b < width; ++b) {
        products.row(j)[a * width + b] = dot(jacobian[a].row(j), jacobian[b].row(j));
      }
    }
  }
  return products;
}

std::size_t outputs_of(const Sample& sample) {
  const Tensor& w = sample.model().w_output;
  return w.empty() ? hidden_columns(sample.model().decoder) : w.extent(1);
}

void write_norms(const Doubles& squares, float* out) {
  for (std::size_t j = 0; j < squares.size(); ++j) {
    out[j] = static_cast<float>(std::sqrt(std::max(squares[j], 0.0)));
    if (std::isnan(squares[j])) out[j] = static_cast<float>(squares[j]);
  }
}

void influence_row(const Sample& sample, const ScoreSlopes& slopes, std::size_t t, float* out) {
  Doubles squares(sample.sources.rows);
  for (std::size_t unit = 0; unit < outputs_of(sample); ++unit) {
    const Rows by = back_through_encoder(sample, back_through_decoder(sample, &slopes, t, unit));
    for (std::size_t j = 0; j < squares.size(); ++j) squares[j] += dot(by.row(j), by.row(j));
  }
  write_norms(squares, out);
}

void fixed_influence_row(const Sample& sample, const Rows& products, std::size_t t, float* out) {
  const std::size_t width = sample.keys.cols;
  Doubles product(width * width);
  for (std::size_t unit = 0; unit < outputs_of(sample); ++unit) {
    const Doubles by = back_through_decoder(sample, nullptr, t, unit).fixed;
    for (std::size_t a = 0; a < width; ++a) {
      for (std::size_t b = 0; b < width; ++b) product[a * width + b] += by[a] * by[b];
    }
  }
  Doubles squares(sample.sources.rows);
  for (std::size_t j = 0; j < squares.size(); ++j) squares[j] = dot(product, products.row(j));
  write_norms(squares, out);
}

void survival_column(const Rows& products, std::size_t width, float* out) {
  Doubles squares(products.values.size() / products.cols);
  for (std::size_t j = 0; j < squares.size(); ++j) {
    for (std::size_t c = 0; c < width; ++c) squares[j] += products.row(j)[c * width + c];
  }
  write_norms(squares, out);
}

}  // namespace

bool add_influence(DenseResult& result, unsigned threads, Progress* progress) {
  for (std::size_t index = 0; index < result.shape().samples; ++index) {
    const float share = 1.0F / static_cast<float>(result.shape().samples);
    const ProgressPart part(progress, share * static_cast<float>(index), share);
    const Sample sample = sample_of(result, index);
    const ScoreSlopes slopes(sample);
    const Rows products = products_of_fixed(sample);
    survival_column(products, sample.keys.cols,
                    result.mutable_matrix(Stage::Survival, sample.at).data);
    const MutableMatrix with = result.mutable_matrix(Stage::Influence, sample.at);
    const MutableMatrix without = result.mutable_matrix(Stage::FixedInfluence, sample.at);
    const bool done = parallel_for(result.shape().n_q, threads, progress, [&](std::size_t t) {
      influence_row(sample, slopes, t, with.row(t));
      fixed_influence_row(sample, products, t, without.row(t));
    });
    if (!done) return false;
    for (const Stage stage : {Stage::Influence, Stage::FixedInfluence, Stage::Survival}) {
      result.summary(stage, sample.at).merge(summary_of_matrix(sample.matrix(stage)));
    }
  }
  return true;
}

}  // namespace attn
