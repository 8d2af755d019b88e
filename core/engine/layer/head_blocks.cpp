// Tells blocks the rules of a problem.
#include "engine/layer/head_blocks.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/special_numbers.h"

namespace attn {
namespace {

void add_bias(const HeadInputs& head, std::size_t q, std::size_t first, std::span<float> logits) {
  thread_local std::vector<float> bias;
  bias.resize(logits.size());
  bias_row(head.problem.mask, head.at, q, bias, first);
  for (std::size_t k = 0; k < logits.size(); ++k) logits[k] += bias[k];
}

LogitRules rules_for(const HeadInputs& head) {
  const Scoring& scoring = head.problem.scoring;
  LogitRules rules;
  rules.scale = scale_of(head.problem);
  rules.softcap = scoring.softcap;
  rules.temperature = scoring.temperature.value_or(1.0F);
  rules.sink = sink_of(scoring, head.at.head);
  if (can_hide(head.problem.mask)) {
    rules.seen = [&head](std::size_t q) { return head.reach.of({q, q + 1}); };
  }
  if (has_bias(head.problem.mask)) {
    rules.add_bias = [&head](std::size_t q, std::size_t first, std::span<float> logits) {
      add_bias(head, q, first, logits);
    };
  }
  if (!head.reach.is_exact()) {
    rules.hidden = [&head](std::size_t q, std::size_t first, std::span<HiddenRules> hidden) {
      hidden_row(head.problem.mask, head.at, q, hidden, first);
    };
  }
  return rules;
}

RowNorm norm_of(const RowSum& sum) {
  return {sum.shift, sum.is_undefined() ? static_cast<double>(kNaN) : sum.total};
}

// Sums of some rows on their way to norms.
template <class Fill>
void fill_norms(std::span<RowNorm> norms, Fill fill) {
  std::vector<RowSum> sums(norms.size());
  fill(std::span(sums));
  std::ranges::transform(sums, norms.begin(), norm_of);
}

}  // namespace

bool goes_by_blocks(const HeadInputs& head) {
  return head.packed_keys != nullptr && sums_exponentials(head.problem.scoring);
}

BlockHead::BlockHead(const HeadInputs& head) : head_(head), rules_(rules_for(head)) {}

void BlockHead::masked_cells(const CellRange& range, float* out) const {
  LogitRules undivided = rules_;
  undivided.temperature = 1.0F;
  logits_of({undivided, head_.queries, *head_.packed_keys}, rows_in(range), range.col,
            {out, range.rows, range.cols, range.cols});
}

void BlockHead::logits(const CellRange& range, float* out) const {
  logits_of(scored(), rows_in(range), range.col, {out, range.rows, range.cols, range.cols});
}

void BlockHead::norms(const HeadRows& rows, std::span<RowNorm> norms, const LogitBins& bins) const {
  fill_norms(norms, [&](std::span<RowSum> sums) { sums_of_rows(scored(), rows, sums, bins); });
}

void BlockHead::weights(const CellRange& range, std::span<const RowNorm> norms, float* out) const {
  std::vector<RowSum> sums(norms.size());
  std::ranges::transform(norms, sums.begin(), [](const RowNorm& norm) {
    return RowSum{norm.shift, norm.total};
  });
  weights_of(scored(), rows_in(range), sums, range.col, {out, range.rows, range.cols, range.cols});
}

void BlockHead::weights_and_norms(const HeadRows& rows, std::span<RowNorm> norms,
                                  float* out) const {
  const std::size_t n_k = head_.keys.rows;
  fill_norms(norms, [&](std::span<RowSum> sums) {
    attend_block(scored(), {}, rows, {{out, rows.count, n_k, n_k}, {}, false, false, sums});
  });
}

void BlockHead::outputs(const HeadRows& rows, const MutableMatrix& out) const {
  attend_block(scored(), {head_.packed_values, head_.values_are_finite}, rows,
               {{}, out, false, false, {}});
}

}  // namespace attn
