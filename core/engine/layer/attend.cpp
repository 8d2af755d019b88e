// Takes a few rows of queries from scores to output and keeps the stages on the way.
#include "engine/layer/attend.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/quotient_up.h"
#include "engine/kernels/matmul.h"
#include "engine/kernels/normalise.h"
#include "engine/kernels/row_kernels.h"

namespace attn {
namespace {

// The part of each stage that one batch computes.
struct BatchStages {
  MutableMatrix scores, scaled, softcapped, masked, weights, output;
};

BatchStages stages_of_batch(LayerResult& result, const RowBatch& batch) {
  const auto part = [&](Stage stage) {
    return rows_of(result.mutable_matrix(stage, batch.head), batch.row, batch.rows);
  };
  BatchStages stages{part(Stage::Scores), part(Stage::Scaled),  {},
                     part(Stage::Masked), part(Stage::Weights), part(Stage::Output)};
  if (result.has(Stage::Softcapped)) stages.softcapped = part(Stage::Softcapped);
  return stages;
}

std::span<float> row_of(const MutableMatrix& matrix, std::size_t r) {
  return {matrix.row(r), matrix.cols};
}

// The row's stages from Scaled to Weights.
void weigh_row(const AttentionProblem& problem, std::size_t head, const BatchStages& stages,
               std::size_t r, std::span<const float> bias, std::span<const HiddenRules> rules) {
  std::span<float> unmasked = row_of(stages.scaled, r);
  scale_row(row_of(stages.scores, r), scale_of(problem), unmasked);
  if (problem.scoring.softcap) {
    const std::span<float> softcapped = row_of(stages.softcapped, r);
    softcap_row(unmasked, *problem.scoring.softcap, softcapped);
    unmasked = softcapped;
  }
  mask_row(unmasked, bias, rules, row_of(stages.masked, r));
  normalise_row(problem.scoring, head, row_of(stages.masked, r), rules, row_of(stages.weights, r));
}

CellSummary& of(StageSummaries& summaries, Stage stage) {
  return summaries[static_cast<std::size_t>(stage)];
}

// Hidden cells of Masked hold -inf by definition: they do not count as non-finite.
void summarize_row(const BatchStages& stages, std::size_t r, std::span<const HiddenRules> rules,
                   std::size_t visible, StageSummaries& summaries) {
  const auto add = [&](Stage stage, const MutableMatrix& matrix) {
    if (matrix.data == nullptr) return;
    const std::span<float> row = row_of(matrix, r);
    of(summaries, stage)
        .merge(visible == row.size() ? summary_of(row) : summary_of_visible(row, rules));
  };
  add(Stage::Scores, stages.scores);
  add(Stage::Scaled, stages.scaled);
  add(Stage::Softcapped, stages.softcapped);
  add(Stage::Masked, stages.masked);
  add(Stage::Weights, stages.weights);
  of(summaries, Stage::Masked).non_finite -= rules.size() - visible;
}

}  // namespace

StageSummaries attend_rows(LayerResult& result, const RowBatch& batch) {
  const AttentionProblem& problem = result.problem();
  const BatchStages stages = stages_of_batch(result, batch);
  const HeadInputs head = result.inputs_of(batch.head);
  const CellRange all{batch.row, 0, batch.rows, problem.shape.n_k};
  score_cells(head, all, stages.scores);

  StageSummaries summaries;
  std::vector<HiddenRules> rules(problem.shape.n_k);
  std::vector<float> bias(has_bias(problem.mask) ? problem.shape.n_k : 0);
  for (std::size_t r = 0; r < batch.rows; ++r) {
    const std::size_t q = batch.row + r;
    const std::size_t visible = hidden_row(problem.mask, batch.head, q, rules);
    if (!bias.empty()) bias_row(problem.mask, batch.head, q, bias);
    weigh_row(problem, batch.head.head, stages, r, bias, rules);
    summarize_row(stages, r, rules, visible, summaries);
  }
  multiply_values(head, all, view_of(stages.weights), stages.output);
  for (std::size_t r = 0; r < batch.rows; ++r) {
    of(summaries, Stage::Output).merge(summary_of(row_of(stages.output, r)));
  }
  return summaries;
}

}  // namespace attn
