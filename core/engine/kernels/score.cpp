// The table of scoring functions of the engine, and those of one line.
#include "engine/kernels/score.h"

#include <array>

#include "base/enum_table.h"
#include "engine/kernels/score_network.h"

namespace attn {
namespace {

namespace dot {

void scores(const HeadScoring& in, const MatrixView& queries, const MatrixView& keys,
            const MutableMatrix& scores) {
  multiply_by_transposed(queries, keys, scores, in.sums);
}

VectorPair factors(const HeadScoring& /*no matrices*/, const QueryAndKey& at) {
  return {at.query, at.key};
}

VectorPair slopes(const HeadScoring& /*no matrices*/, const QueryAndKey& at) {
  return {at.key, at.query};
}

}  // namespace dot

namespace general {

void scores(const HeadScoring& in, const MatrixView& queries, const MatrixView& keys,
            const MutableMatrix& scores) {
  const MatrixView w = in.matrix(&Scoring::w);
  std::vector<float> values(queries.rows * w.cols);
  const MutableMatrix mapped{values.data(), queries.rows, w.cols, w.cols};
  multiply(queries, w, mapped, in.sums);
  multiply_by_transposed(view_of(mapped), keys, scores, in.sums);
}

VectorPair factors(const HeadScoring& in, const QueryAndKey& at) {
  return {doubles_of(in.matrix(&Scoring::w)).transpose() * at.query, at.key};
}

VectorPair slopes(const HeadScoring& in, const QueryAndKey& at) {
  const DoubleRows w = doubles_of(in.matrix(&Scoring::w));
  return {w * at.key, w.transpose() * at.query};
}

}  // namespace general

namespace location {

void scores(const HeadScoring& in, const MatrixView& queries, const MatrixView& keys,
            const MutableMatrix& scores) {
  multiply_by_transposed(queries, rows_of(in.matrix(&Scoring::w), in.first_key, keys.rows), scores,
                         in.sums);
}

VectorPair factors(const HeadScoring& in, const QueryAndKey& at) {
  return {at.query, doubles_of(in.matrix(&Scoring::w).row(at.position))};
}

VectorPair slopes(const HeadScoring& in, const QueryAndKey& at) {
  return {doubles_of(in.matrix(&Scoring::w).row(at.position)), Doubles::Zero(at.key.size())};
}

}  // namespace location

constexpr std::array<ScoringKernels, kScoringFunctions> kScoringKernels{{
    {ScoringFunction::ScaledDot, dot::scores, dot::factors, dot::slopes},
    {ScoringFunction::Dot, dot::scores, dot::factors, dot::slopes},
    {ScoringFunction::General, general::scores, general::factors, general::slopes},
    {ScoringFunction::Concat, concat::scores, concat::factors, concat::slopes},
    {ScoringFunction::Additive, additive::scores, additive::factors, additive::slopes},
    {ScoringFunction::Location, location::scores, location::factors, location::slopes},
}};
static_assert(is_indexed_by(kScoringKernels, &ScoringKernels::function));

}  // namespace

MatrixView HeadScoring::matrix(Tensor Scoring::*tensor) const {
  return scoring_matrix(scoring.*tensor, 2, head);
}

std::span<const float> HeadScoring::vector(Tensor Scoring::*tensor) const {
  if ((scoring.*tensor).empty()) return {};
  return scoring_matrix(scoring.*tensor, 1, head).row(0);
}

const ScoringKernels& scoring_kernels(ScoringFunction function) {
  return row_of(kScoringKernels, function);
}

bool scores_are_products(ScoringFunction function) {
  return scoring_kernels(function).scores == dot::scores;
}

void score_rows(const HeadScoring& by, const MatrixView& queries, const MatrixView& keys,
                const MutableMatrix& scores) {
  scoring_kernels(by.scoring.function).scores(by, queries, keys, scores);
}

}  // namespace attn
