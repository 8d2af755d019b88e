// Derivatives of outputs by embeddings, back through decoder, attention and encoder.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/kernels/linear_algebra.h"
#include "engine/kernels/normalise.h"
#include "engine/kernels/parallel.h"
#include "engine/kernels/recurrent_cell.h"
#include "engine/kernels/score.h"
#include "kinds/recurrent/compute.h"

namespace attn {
namespace {

using Eigen::Index;

Index as_index(std::size_t value) { return static_cast<Index>(value); }

// One sample with all values needed by its derivatives.
struct Sample {
  const LayerResult& result;
  HeadAddress at;
  MatrixView sources, targets, keys;
  std::vector<float> initial;  // s_0
  DoubleRows key_rows;
  SteppingCell encoder, decoder;
  SteppingCell backward{};                                   // if there is one
  std::vector<CellGates> forward_gates{}, backward_gates{};  // by source token that is read
  std::vector<CellGates> attending{}, fixed{};               // of both decoders, by step

  const AttentionProblem& problem() const { return result.problem(); }
  const Recurrent& model() const { return problem().recurrent; }
  MatrixView matrix(Stage stage) const { return result.matrix(stage, at); }
};

bool has_memory(const Sample& sample) { return cell_info(sample.model().cell).has_memory; }

// A state of `stage` (and of `cell`, for an LSTM), in columns [first, first + hidden).
CellState state_at(const Sample& sample, Stage stage, Stage cell, std::size_t row,
                   std::size_t first, std::size_t hidden) {
  const auto part = [&](Stage of) { return sample.matrix(of).row(row).subspan(first, hidden); };
  return {part(stage), has_memory(sample) ? part(cell) : std::span<const float>{}};
}

// Returns the state before the first step.
CellState first_state(const Sample& sample, std::span<const float> h,
                      const std::vector<float>& zero) {
  return {h, has_memory(sample) ? std::span<const float>(zero) : std::span<const float>{}};
}

std::vector<CellGates> encoder_gates(const Sample& sample, const SteppingCell& cell,
                                     std::size_t first, bool backwards) {
  const std::size_t n = sample.sources.rows;
  const auto hidden = static_cast<std::size_t>(cell.w_h.rows());
  const std::vector<float> zero(hidden);
  std::vector<CellGates> gates(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = backwards ? n - 1 - i : i;
    if (!reads_token(sample.problem(), sample.at.sample, j)) continue;
    const std::size_t from = backwards ? j + 1 : j - 1;
    const CellState before =
        i == 0 ? first_state(sample, zero, zero)
               : state_at(sample, Stage::Key, Stage::EncoderCell, from, first, hidden);
    gates[j] = gates_of(cell, sample.sources.row(j), before);
  }
  return gates;
}

std::vector<CellGates> decoder_gates(const Sample& sample, const DecoderStages& stages,
                                     const std::vector<float>& fixed) {
  const Recurrent& model = sample.model();
  const std::vector<float> zero(hidden_columns(model.decoder));
  std::vector<CellGates> gates;
  for (std::size_t t = 0; t < sample.targets.rows; ++t) {
    std::vector<float> read(sample.targets.row(t).begin(), sample.targets.row(t).end());
    if (model.asks == QueryState::Previous) {
      const std::span<const float> context =
          fixed.empty() ? sample.matrix(Stage::Output).row(t) : std::span<const float>(fixed);
      read.insert(read.end(), context.begin(), context.end());
    }
    const CellState before =
        t == 0 ? first_state(sample, sample.initial, zero)
               : state_at(sample, stages.state, stages.cell, t - 1, 0, zero.size());
    gates.push_back(gates_of(sample.decoder, read, before));
  }
  return gates;
}

Sample sample_of(const LayerResult& result, std::size_t number) {
  const AttentionProblem& problem = result.problem();
  const Recurrent& model = problem.recurrent;
  const std::vector<float> fixed = fixed_vector(result, number);
  const MatrixView keys = result.matrix(Stage::Key, {0, number, 0});
  Sample sample{result,
                {0, number, 0},
                matrix_at(problem.key_embeddings, number),
                matrix_at(problem.query_embeddings, number),
                keys,
                initial_state(model, fixed),
                doubles_of(keys),
                stepping(model.cell, model.encoder),
                stepping(model.cell, model.decoder)};
  sample.forward_gates = encoder_gates(sample, sample.encoder, 0, false);
  if (is_bidirectional(model)) {
    sample.backward = stepping(model.cell, model.backward);
    sample.backward_gates =
        encoder_gates(sample, sample.backward, hidden_columns(model.encoder), true);
  }
  sample.attending = decoder_gates(sample, kAttending, {});
  sample.fixed = decoder_gates(sample, kFixed, fixed);
  return sample;
}

// Attention, backward.

// Backpropagates through softcap and scale to the scores of row t.
void back_to_scores(const Sample& sample, std::size_t t, std::span<double> by) {
  const AttentionProblem& problem = sample.problem();
  const auto scale = static_cast<double>(scale_of(problem));
  if (problem.scoring.softcap) {
    const auto cap = static_cast<double>(*problem.scoring.softcap);
    const std::span<const float> capped = sample.matrix(Stage::Softcapped).row(t);
    for (std::size_t i = 0; i < by.size(); ++i) {
      if (by[i] == 0.0) continue;  // hidden scores may be NaN
      const double share = static_cast<double>(capped[i]) / cap;
      by[i] *= 1.0 - share * share;
    }
  }
  for (double& value : by) value *= scale;
}

// Derivatives of all scores by query and key, indexed by t · n_k + i.
struct ScoreSlopes {
  DoubleRows by_query, by_key;
};

// False if cancelled.
bool find_slopes(const Sample& sample, unsigned threads, Progress* progress, ScoreSlopes& all) {
  const Scoring& scoring = sample.problem().scoring;
  const ScoringKernels& kernels = scoring_kernels(scoring.function);
  const MatrixView queries = sample.matrix(Stage::Query);
  const Index cells = as_index(queries.rows * sample.keys.rows);
  all = {DoubleRows(cells, as_index(queries.cols)), DoubleRows(cells, as_index(sample.keys.cols))};
  return parallel_for(queries.rows, threads, progress, [&](std::size_t t) {
    for (std::size_t i = 0; i < sample.keys.rows; ++i) {
      const VectorPair slopes = kernels.slopes(
          {scoring, sample.at.head, i}, doubles_of(queries.row(t)), doubles_of(sample.keys.row(i)));
      const Index cell = as_index(t * sample.keys.rows + i);
      all.by_query.row(cell) = slopes.left;
      all.by_key.row(cell) = slopes.right;
    }
  });
}

// Derivatives of c_t by the query and by the keys, which are also the values.
void back_through_context(const Sample& sample, const ScoreSlopes& slopes, std::size_t t,
                          const Doubles& by_context, Doubles& by_query, DoubleRows& by_keys) {
  const std::span<const float> weights = sample.matrix(Stage::Weights).row(t);
  std::vector<double> by(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0.0F) continue;
    by[i] = by_context.dot(sample.key_rows.row(as_index(i)));
    by_keys.row(as_index(i)) += static_cast<double>(weights[i]) * by_context;
  }
  back_through_normaliser(sample.problem().scoring, weights, by);
  back_to_scores(sample, t, by);
  for (std::size_t i = 0; i < by.size(); ++i) {
    if (by[i] == 0.0) continue;
    const Index cell = as_index(t * by.size() + i);
    by_query += by[i] * slopes.by_query.row(cell);
    by_keys.row(as_index(i)) += by[i] * slopes.by_key.row(cell);
  }
}

// Decoder, backward.

// Derivatives of one number of o_t (or s_t) by its state and its context.
void back_from_output(const Sample& sample, Stage output, std::size_t t, std::size_t unit,
                      Doubles& by_state, Doubles& by_context) {
  const Tensor& w = sample.model().w_output;
  if (w.empty()) {
    by_state[as_index(unit)] = 1.0;
    return;
  }
  const auto o = static_cast<double>(sample.matrix(output).at(t, unit));
  const Doubles by = map_of(matrix_at(w, 0)).col(as_index(unit)).cast<double>() * (1.0 - o * o);
  by_state = by.head(by_state.size());
  by_context = by.tail(by_context.size());
}

// Derivatives of one number of the output at step t by the encoder's states and by its fixed
// vector. `slopes` null: decoder with the fixed vector.
struct ByEncoder {
  DoubleRows keys;
  Doubles fixed;
};

ByEncoder zero_by_encoder(const Sample& sample) {
  return {DoubleRows::Zero(sample.key_rows.rows(), sample.key_rows.cols()),
          Doubles::Zero(sample.key_rows.cols())};
}

// Backpropagates from s_0 to the fixed vector.
void back_from_initial(const Sample& sample, Doubles by_state, Doubles& by_fixed) {
  const Tensor& w = sample.model().w_initial;
  if (w.empty()) {
    by_fixed.head(by_state.size()) += by_state;
    return;
  }
  by_state.array() *= 1.0 - doubles_of(sample.initial).array().square();
  by_fixed += doubles_of(matrix_at(w, 0)) * by_state;
}

ByEncoder back_through_decoder(const Sample& sample, const ScoreSlopes* slopes, std::size_t t,
                               std::size_t unit) {
  const Recurrent& model = sample.model();
  const Index width = sample.key_rows.cols();
  const bool before_step = model.asks == QueryState::Previous;
  ByEncoder by = zero_by_encoder(sample);
  CellVectors state = zero_gradient(model.cell, hidden_columns(model.decoder));
  Doubles by_context = Doubles::Zero(width);
  const auto leave_context = [&](std::size_t step) {
    if (slopes != nullptr) {
      back_through_context(sample, *slopes, step, by_context, state.h, by.keys);
    } else {
      by.fixed += by_context;
    }
    by_context.setZero();
  };
  back_from_output(sample, (slopes != nullptr ? kAttending : kFixed).output, t, unit, state.h,
                   by_context);
  if (!before_step) leave_context(t);
  for (std::size_t step = t + 1; step-- > 0;) {
    const auto& gates = slopes != nullptr ? sample.attending : sample.fixed;
    const Doubles by_input = step_back(sample.decoder, gates[step], state);
    if (!before_step) continue;
    by_context += by_input.tail(width);
    leave_context(step);
  }
  back_from_initial(sample, state.h, by.fixed);
  return by;
}

// Encoder, backward.

// One direction: turns derivatives by its states (columns from `first`) into those by the
// embeddings.
void back_through_direction(const SteppingCell& cell, const std::vector<CellGates>& gates,
                            const DoubleRows& by_states, Index first, bool backwards,
                            DoubleRows& by_sources) {
  const Index n = by_sources.rows(), hidden = cell.w_h.rows();
  CellVectors state = zero_gradient(cell.kind, static_cast<std::size_t>(hidden));
  for (Index i = 0; i < n; ++i) {
    const Index j = backwards ? i : n - 1 - i;
    state.h += by_states.row(j).segment(first, hidden);
    const CellGates& at = gates[static_cast<std::size_t>(j)];
    if (at.size() == 0) continue;
    by_sources.row(j) += step_back(cell, at, state);
  }
}

// The fixed vector consists of two states.
DoubleRows back_through_encoder(const Sample& sample, ByEncoder by) {
  const Index forward = sample.encoder.w_h.rows();
  const Index other = by.fixed.size() - forward;
  by.keys.bottomRows(1).leftCols(forward) += by.fixed.head(forward).transpose();
  by.keys.topRows(1).rightCols(other) += by.fixed.tail(other).transpose();
  DoubleRows by_sources =
      DoubleRows::Zero(as_index(sample.sources.rows), as_index(sample.sources.cols));
  back_through_direction(sample.encoder, sample.forward_gates, by.keys, 0, false, by_sources);
  if (other > 0) {
    back_through_direction(sample.backward, sample.backward_gates, by.keys, forward, true,
                           by_sources);
  }
  return by_sources;
}

// Norms.

// G_j = M_j M_jᵀ with M_j = ∂ fixed vector / ∂x_j, one per token: with A = ∂o / ∂ fixed vector, ‖A
// M_j‖² is the sum over the cell-wise product of AᵀA and G_j.
std::vector<DoubleRows> products_of_fixed(const Sample& sample) {
  const Index width = sample.key_rows.cols();
  std::vector<DoubleRows> jacobians(sample.sources.rows,
                                    DoubleRows(width, as_index(sample.sources.cols)));
  for (Index c = 0; c < width; ++c) {
    ByEncoder unit = zero_by_encoder(sample);
    unit.fixed[c] = 1.0;
    const DoubleRows by_sources = back_through_encoder(sample, std::move(unit));
    for (Index j = 0; j < by_sources.rows(); ++j) {
      jacobians[static_cast<std::size_t>(j)].row(c) = by_sources.row(j);
    }
  }
  for (DoubleRows& jacobian : jacobians) jacobian = product(jacobian, jacobian.transpose());
  return jacobians;
}

std::size_t outputs_of(const Sample& sample) {
  const Tensor& w = sample.model().w_output;
  return w.empty() ? hidden_columns(sample.model().decoder) : w.extent(1);
}

void write_norms(const Doubles& squares, float* out) {
  for (Index j = 0; j < squares.size(); ++j) {
    out[j] = static_cast<float>(std::sqrt(std::max(squares[j], 0.0)));
    if (std::isnan(squares[j])) out[j] = static_cast<float>(squares[j]);
  }
}

void influence_row(const Sample& sample, const ScoreSlopes& slopes, std::size_t t, float* out) {
  Doubles squares = Doubles::Zero(as_index(sample.sources.rows));
  for (std::size_t unit = 0; unit < outputs_of(sample); ++unit) {
    squares += back_through_encoder(sample, back_through_decoder(sample, &slopes, t, unit))
                   .rowwise()
                   .squaredNorm();
  }
  write_norms(squares, out);
}

void fixed_influence_row(const Sample& sample, const std::vector<DoubleRows>& products,
                         std::size_t t, float* out) {
  const Index width = sample.key_rows.cols();
  DoubleRows by_outputs = DoubleRows::Zero(width, width);
  for (std::size_t unit = 0; unit < outputs_of(sample); ++unit) {
    const Doubles by = back_through_decoder(sample, nullptr, t, unit).fixed;
    by_outputs += by * by.transpose();
  }
  Doubles squares(as_index(products.size()));
  for (Index j = 0; j < squares.size(); ++j) {
    squares[j] = by_outputs.cwiseProduct(products[static_cast<std::size_t>(j)]).sum();
  }
  write_norms(squares, out);
}

// The three stages of one sample. False if cancelled.
bool fill_influence(LayerResult& result, const Sample& sample, const ScoreSlopes& slopes,
                    unsigned threads, Progress* progress) {
  const std::vector<DoubleRows> products = products_of_fixed(sample);
  Doubles traces(as_index(products.size()));
  for (Index j = 0; j < traces.size(); ++j) {
    traces[j] = products[static_cast<std::size_t>(j)].trace();
  }
  write_norms(traces, result.mutable_matrix(Stage::Survival, sample.at).data);
  const MutableMatrix with = result.mutable_matrix(Stage::Influence, sample.at);
  const MutableMatrix without = result.mutable_matrix(Stage::FixedInfluence, sample.at);
  return parallel_for(result.shape().n_q, threads, progress, [&](std::size_t t) {
    influence_row(sample, slopes, t, with.row(t));
    fixed_influence_row(sample, products, t, without.row(t));
  });
}

bool add_influence(LayerResult& result, std::size_t number, unsigned threads, Progress* progress) {
  const Sample sample = sample_of(result, number);
  ScoreSlopes slopes;
  {
    const ProgressPart part(progress, 0.0F, 0.1F);
    if (!find_slopes(sample, threads, progress, slopes)) return false;
  }
  const ProgressPart part(progress, 0.1F, 0.9F);
  if (!fill_influence(result, sample, slopes, threads, progress)) return false;
  summarize(result, number, {Stage::Influence, Stage::FixedInfluence, Stage::Survival});
  return true;
}

}  // namespace

bool add_influence(LayerResult& result, unsigned threads, Progress* progress) {
  const std::size_t samples = result.shape().samples;
  for (std::size_t number = 0; number < samples; ++number) {
    const ProgressPart part(progress, number, samples);
    if (!add_influence(result, number, threads, progress)) return false;
  }
  return true;
}

}  // namespace attn
