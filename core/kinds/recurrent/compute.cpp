// Encoder and both decoders, step by step.
#include "kinds/recurrent/compute.h"

#include <algorithm>
#include <cmath>

#include "engine/kernels/block_rows.h"
#include "engine/kernels/parallel.h"
#include "engine/kernels/recurrent_cell.h"

namespace attn {
namespace {

HeadAddress of_sample(std::size_t sample) { return {0, sample, 0}; }

// The memory of an LSTM before the first step, of a GRU none.
std::vector<float> no_memory(CellKind kind, std::size_t hidden) {
  return std::vector<float>(cell_info(kind).has_memory ? hidden : 0);
}

// One direction of the encoder, into columns [first, first + hidden) of Key and EncoderCell.
void encode(LayerResult& result, std::size_t sample, const RecurrentCell& cell, std::size_t first,
            bool backwards) {
  const AttentionProblem& problem = result.problem();
  const CellKind kind = problem.recurrent.cell;
  const MatrixView x = matrix_at(problem.key_embeddings, sample);
  const SteppingCell steps = stepping(kind, cell);
  std::vector<float> h(hidden_columns(cell)), c = no_memory(kind, h.size());
  for (std::size_t i = 0; i < x.rows; ++i) {
    const std::size_t j = backwards ? x.rows - 1 - i : i;
    if (reads_token(problem, sample, j)) step_cell(steps, x.row(j), h, c);
    const HeadAddress at = of_sample(sample);
    std::ranges::copy(h, result.mutable_matrix(Stage::Key, at).row(j) + first);
    if (!c.empty()) {
      std::ranges::copy(c, result.mutable_matrix(Stage::EncoderCell, at).row(j) + first);
    }
  }
}

void encode(LayerResult& result, std::size_t sample) {
  const Recurrent& model = result.problem().recurrent;
  const HeadAddress at = of_sample(sample);
  encode(result, sample, model.encoder, 0, false);
  if (is_bidirectional(model)) {
    encode(result, sample, model.backward, hidden_columns(model.encoder), true);
  }
  const MatrixView states = result.matrix(Stage::Key, at);
  const MutableMatrix values = result.mutable_matrix(Stage::Value, at);
  for (std::size_t j = 0; j < states.rows; ++j) std::ranges::copy(states.row(j), values.row(j));
  summarize(result, sample, {Stage::EncoderCell, Stage::Key, Stage::Value});
}

std::vector<float> beside(std::span<const float> a, std::span<const float> b) {
  std::vector<float> both(a.begin(), a.end());
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

void tanh_of_map(std::span<const float> x, const Tensor& w, const Tensor& b, std::span<float> out) {
  map_rows({x.data(), 1, x.size(), x.size()}, w, b, {out.data(), 1, out.size(), out.size()});
  for (float& value : out) value = static_cast<float>(std::tanh(static_cast<double>(value)));
}

// Attention with query `state` at step t: fills its row of Query and of all stages of the
// attention. Returns c_t.
std::span<const float> ask(LayerResult& result, std::size_t sample, std::size_t t,
                           std::span<const float> state) {
  const HeadAddress at = of_sample(sample);
  std::ranges::copy(state, result.mutable_matrix(Stage::Query, at).row(t));
  const StageSummaries summaries = attend_rows(result, {at, t, 1});
  for (const Stage stage : result.stages()) {
    if (stage_info(stage).place != StagePlace::Attention) continue;
    result.summary(stage, at).merge(summaries[index_of(stage)]);
  }
  return result.matrix(Stage::Output, at).row(t);
}

// Steps are sequential, so one sample may take long: each step checks for cancellation and, for a
// single sample, reports progress.
bool continues(const AttentionShape& shape, std::size_t t, bool attends, Progress* progress) {
  // The decoder with the fixed vector takes negligible time.
  if (attends && shape.samples == 1) report(progress, t, shape.n_q);
  return !is_cancelled(progress);
}

// Runs all steps of one decoder. `fixed`: the context of every step; empty: attention. False if
// cancelled.
bool decode(LayerResult& result, std::size_t sample, const DecoderStages& stages,
            std::span<const float> fixed, Progress* progress) {
  const AttentionProblem& problem = result.problem();
  const Recurrent& model = problem.recurrent;
  const HeadAddress at = of_sample(sample);
  const MatrixView targets = matrix_at(problem.query_embeddings, sample);
  const bool before_step = model.asks == QueryState::Previous;
  const SteppingCell steps = stepping(model.cell, model.decoder);
  std::vector<float> h = initial_state(model, fixed_vector(result, sample));
  std::vector<float> c = no_memory(model.cell, h.size());
  for (std::size_t t = 0; t < targets.rows; ++t) {
    if (!continues(problem.shape, t, fixed.empty(), progress)) return false;
    std::span<const float> context = fixed;
    if (fixed.empty() && before_step) context = ask(result, sample, t, h);
    const std::vector<float> read = beside(targets.row(t), before_step ? context : fixed.first(0));
    step_cell(steps, read, h, c);
    if (fixed.empty() && !before_step) context = ask(result, sample, t, h);
    std::ranges::copy(h, result.mutable_matrix(stages.state, at).row(t));
    if (!c.empty()) std::ranges::copy(c, result.mutable_matrix(stages.cell, at).row(t));
    if (!model.w_output.empty()) {
      const MutableMatrix outputs = result.mutable_matrix(stages.output, at);
      tanh_of_map(beside(h, context), model.w_output, model.b_output,
                  {outputs.row(t), outputs.cols});
    }
  }
  summarize(result, sample, {stages.state, stages.cell, stages.output});
  return true;
}

bool compute_steps(LayerResult& result, unsigned threads, Progress* progress) {
  const bool done =
      parallel_for(result.shape().samples, threads, progress, [&](std::size_t sample) {
        encode(result, sample);
        if (!decode(result, sample, kAttending, {}, progress)) return;
        if (!decode(result, sample, kFixed, fixed_vector(result, sample), progress)) return;
        summarize(result, sample, {Stage::Query});
      });
  return done && !is_cancelled(progress);
}

bool compute_all(LayerResult& result, unsigned threads, Progress* progress) {
  if (!result.has(Stage::Influence)) return compute_steps(result, threads, progress);
  {
    const ProgressPart steps(progress, 0.0F, 0.1F);
    if (!compute_steps(result, threads, progress)) return false;
  }
  // Derivatives take nearly all of the time.
  const ProgressPart derivatives(progress, 0.1F, 0.9F);
  return add_influence(result, threads, progress);
}

}  // namespace

void summarize(LayerResult& result, std::size_t sample, std::initializer_list<Stage> stages) {
  const HeadAddress at = of_sample(sample);
  for (const Stage stage : stages) {
    if (!result.has(stage)) continue;
    result.summary(stage, at).merge(summary_of_matrix(result.matrix(stage, at)));
  }
}

bool reads_token(const AttentionProblem& problem, std::size_t sample, std::size_t j) {
  const auto* padding = list_of(problem.mask.key_padding, sample);
  return padding == nullptr || (*padding)[j] != 0;
}

std::vector<float> fixed_vector(const LayerResult& result, std::size_t sample) {
  const Recurrent& model = result.problem().recurrent;
  const MatrixView states = result.matrix(Stage::Key, of_sample(sample));
  const std::size_t forward = hidden_columns(model.encoder);
  return beside(states.row(states.rows - 1).first(forward), states.row(0).subspan(forward));
}

std::vector<float> initial_state(const Recurrent& model, std::span<const float> fixed) {
  const std::size_t hidden = hidden_columns(model.decoder);
  std::vector<float> state(hidden);
  if (model.w_initial.empty()) {
    std::ranges::copy(fixed.first(hidden), state.begin());
  } else {
    tanh_of_map(fixed, model.w_initial, model.b_initial, state);
  }
  return state;
}

std::shared_ptr<AttentionResult> compute_recurrent(const AttentionProblem& problem,
                                                   const ComputeOptions& run) {
  auto result = std::make_shared<LayerResult>(problem);
  result->allocate();
  return compute_all(*result, run.threads, run.progress) ? result : nullptr;
}

}  // namespace attn
