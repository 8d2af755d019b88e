// The factors of a scoring function, paired into summands.
#include "engine/score_terms.h"

#include "engine/kernels/score.h"

namespace attn {
namespace {

Doubles read_row(const AttentionResult& result, Stage stage, const HeadAddress& head,
                 std::size_t row) {
  std::vector<float> values(result.stage_shape(stage).cols);
  result.read(stage, head, {row, 0, 1, values.size()}, values.data());
  return doubles_of(values);
}

}  // namespace

std::vector<ScoreTerm> score_terms(const AttentionResult& result, const HeadAddress& head,
                                   std::size_t q, std::size_t k) {
  const AttentionProblem& problem = result.problem();
  const Stage queries = query_stage(problem), keys = key_stage(problem);
  if (!result.has(queries) || !result.has(keys)) return {};
  const QueryAndKey at{read_row(result, queries, head, q), read_row(result, keys, head, k), k};
  const VectorPair factors =
      scoring_kernels(problem.scoring.function).factors({problem.scoring, head.head}, at);
  std::vector<ScoreTerm> terms;
  for (Eigen::Index i = 0; i < factors.left.size(); ++i) {
    terms.push_back({static_cast<std::size_t>(i), factors.left[i], factors.right[i]});
  }
  return terms;
}

}  // namespace attn
