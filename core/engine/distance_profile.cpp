// Sums of weights along diagonals.
#include "engine/distance_profile.h"

#include <algorithm>
#include <cmath>

#include "base/quotient_up.h"
#include "engine/kernels/parallel.h"
#include "engine/measures.h"
#include "engine/read/result.h"

namespace attn {
namespace {

void add_diagonals(DistanceProfile& profile, const WeightRow& row) {
  if (row.seen == 0) return;
  if (!std::ranges::all_of(row.weights, [](float weight) { return std::isfinite(weight); })) {
    ++profile.rows_left_out;
    return;
  }
  const double equal = 1.0 / static_cast<double>(row.seen);
  for (std::size_t k = 0; k < row.weights.size(); ++k) {
    if (row.rules[k] != kVisible) continue;
    const std::size_t at = row.query + profile.tokens - 1 - (row.first + k);
    profile.weight[at] += static_cast<double>(row.weights[k]);
    profile.equal[at] += equal;
    ++profile.cells[at];
  }
}

}  // namespace

std::string nothing_at_distances(const AttentionProblem& problem, const HeadAddress& at) {
  const AttentionShape s = shape_of(problem, at);
  if (!joins_two_sequences(problem, at) && s.n_q == s.n_k) return "";
  return "There are no distances between queries and keys: they are tokens of different sequences";
}

DistanceProfile distance_profile(const AttentionResult& result, const HeadAddress& head,
                                 std::size_t row_step, Progress* progress) {
  const std::size_t n = result.shape().n_q;
  DistanceProfile profile;
  profile.tokens = n;
  profile.offset = measured_offset(mask_of(result.problem(), head), head.sample);
  if (n == 0) return profile;
  profile.weight.resize(2 * n - 1);
  profile.equal.resize(2 * n - 1);
  profile.cells.resize(2 * n - 1);
  profile.rows_read = quotient_up(n, row_step);
  const std::size_t at_once = rows_at_once(result.shape(head), profile.rows_read);
  WeightRows rows(result, head);
  for (std::size_t done = 0; done < profile.rows_read; done += at_once) {
    if (is_cancelled(progress)) break;
    report(progress, done, profile.rows_read);
    const std::size_t some = std::min(at_once, profile.rows_read - done);
    rows.read(done * row_step, some, row_step);
    for (std::size_t r = 0; r < some; ++r) add_diagonals(profile, rows.row(r));
  }
  return profile;
}

}  // namespace attn
