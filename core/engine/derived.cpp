// Rollout, flow, means of heads and lengths of values, from any weights.
#include "engine/derived.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/enum_table.h"
#include "base/number_text.h"
#include "engine/layer_flow.h"
#include "engine/linear_algebra.h"
#include "engine/row_kernels.h"

namespace attn {
namespace {

constexpr std::array<DerivedInfo, 4> kDerived = {{
    {Derived::Rollout, "rollout", "Attention rollout", "Share of the input",
     "What each token holds of each token of the input: the product of all layers", true},
    {Derived::Flow, "flow", "Attention flow", "Largest flow",
     "How much can flow from each token back to each token of the input through all layers", true},
    {Derived::HeadMean, "head_mean", "Mean of the heads", "Mean weight",
     "Attention weights averaged over the heads of a layer", false},
    {Derived::ValueNorm, "value_norm", "Weights × length of values", "Weight × ‖v‖",
     "How long a vector each key contributes: its weight times the length of its value", false},
}};
static_assert(is_indexed_by(kDerived, &DerivedInfo::derived));

using ReadBlock = std::function<void(const Block&, float*)>;

// Any matrix in the place of the weights.
class DerivedResult final : public AttentionResult {
 public:
  DerivedResult(AttentionProblem problem, HeadAddress at, ReadBlock read)
      : problem_(std::move(problem)), read_(std::move(read)) {
    const AttentionShape& s = problem_.shape;
    std::vector<float> row(s.n_k);
    std::vector<HiddenRules> rules(s.n_k);
    for (std::size_t q = 0; q < s.n_q; ++q) {
      read_({q, 0, 1, s.n_k}, row.data());
      hidden_row(problem_.mask, at, q, rules);
      summary_.merge(summary_of_visible(row, rules));
    }
  }

  const AttentionProblem& problem() const override { return problem_; }
  const std::vector<Stage>& stages() const override { return stages_; }
  void read(Stage /*only*/, const HeadAddress& /*any*/, const Block& block,
            float* out) const override {
    read_(block, out);
  }
  std::uint64_t non_finite_count(Stage /*only*/) const override { return summary_.non_finite; }
  Range range(Stage /*only*/, const HeadAddress& /*any*/) const override {
    if (summary_.low > summary_.high) return {};
    return {summary_.low, summary_.high};
  }
  const std::vector<ResultNote>& notes() const override { return notes_; }

 private:
  AttentionProblem problem_;
  ReadBlock read_;
  CellSummary summary_;
  std::vector<Stage> stages_{Stage::Weights};
  std::vector<ResultNote> notes_;
};

// --- one layer -------------------------------------------------------------------------------

void read_head_mean(const AttentionResult& result, HeadAddress at, const Block& block, float* out) {
  const std::size_t heads = result.shape().heads;
  std::vector<float> weights(block.rows * block.cols);
  std::vector<double> sums(weights.size(), 0.0);
  for (at.head = 0; at.head < heads; ++at.head) {
    result.read(Stage::Weights, at, block, weights.data());
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<double>(weights[i]);
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    out[i] = static_cast<float>(sums[i] / static_cast<double>(heads));
  }
}

void read_value_norm(const AttentionResult& result, const HeadAddress& at,
                     const std::vector<double>& norms, const Block& block, float* out) {
  std::vector<HiddenRules> rules(result.shape().n_k);
  result.read(Stage::Weights, at, block, out);
  for (std::size_t r = 0; r < block.rows; ++r) {
    hidden_row(result.problem().mask, at, block.row + r, rules);
    for (std::size_t c = 0; c < block.cols; ++c) {
      float& cell = out[r * block.cols + c];
      const std::size_t key = block.col + c;
      if (rules[key] != kVisible) continue;  // is 0, whatever its value
      cell = static_cast<float>(static_cast<double>(cell) * norms[key]);
    }
  }
}

// --- all layers ------------------------------------------------------------------------------

// residual · 1 + (1 − residual) · A of one layer, (n, n). A query that sees no key keeps itself.
DoubleRows layer_matrix(const AttentionResult& result, std::size_t layer, std::size_t sample,
                        double residual) {
  const std::size_t n = result.shape().n_q;
  std::vector<float> mean(n * n);
  read_head_mean(result, {layer, sample, 0}, {0, 0, n, n}, mean.data());
  DoubleRows matrix = doubles_of(MatrixView{mean.data(), n, n, n});
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    const bool unseeing = (matrix.row(i).array() == 0.0).all();
    matrix.row(i) *= 1.0 - residual;
    matrix(i, i) = unseeing ? 1.0 : matrix(i, i) + residual;
  }
  return matrix;
}

std::vector<double> capacities_of(const AttentionResult& result, std::size_t sample,
                                  double residual) {
  std::vector<double> all;
  for (std::size_t layer = 0; layer < result.shape().layers; ++layer) {
    const DoubleRows matrix = layer_matrix(result, layer, sample, residual);
    all.insert(all.end(), matrix.data(), matrix.data() + matrix.size());
  }
  return all;
}

// --- what can be derived ---------------------------------------------------------------------

Error refusal(ErrorKind kind, Derived derived, const std::string& why, std::string found,
              std::string hint) {
  Error error;
  error.kind = kind;
  error.message = std::string(derived_info(derived).label) + " " + why;
  error.found = std::move(found);
  error.hint = std::move(hint);
  return error;
}

Status check_layers(const AttentionProblem& problem, Derived derived,
                    const DerivedOptions& options) {
  const AttentionShape& s = problem.shape;
  if (attends_across(problem)) {
    return refusal(ErrorKind::Usage, derived, "follows attention within one sequence",
                   "cross-attention of a decoder", "choose its self-attention");
  }
  if (problem.cross && problem.part == AttentionPart::Cross) {
    return refusal(ErrorKind::Usage, derived, "follows attention within one sequence",
                   "queries and keys are different sequences",
                   "choose the mean of the heads or weights × length of values");
  }
  if (s.n_q != s.n_k) {
    return refusal(ErrorKind::Usage, derived, "needs as many queries as keys",
                   std::to_string(s.n_q) + " queries, " + std::to_string(s.n_k) + " keys", "");
  }
  const std::uint64_t steps = predicted_steps(s, derived);
  if (steps <= options.most_steps) return ok_status();
  return refusal(ErrorKind::OverMemoryLimit, derived, "of so many tokens takes too long",
                 std::to_string(s.n_q) + " tokens, " + std::to_string(s.layers) +
                     (s.layers == 1 ? " layer: " : " layers: ") +
                     short_text(static_cast<double>(steps), 2) + " steps, at most " +
                     short_text(static_cast<double>(options.most_steps), 2),
                 derived == Derived::Flow ? "rollout takes less time" : "use fewer tokens");
}

Status check_capacities(const AttentionResult& result, std::size_t sample) {
  const std::vector<double> cells = capacities_of(result, sample, 0.0);
  const auto bad = [](double cell) { return !std::isfinite(cell) || cell < 0.0; };
  if (std::none_of(cells.begin(), cells.end(), bad)) return ok_status();
  return refusal(ErrorKind::BadInput, Derived::Flow,
                 "needs weights that are finite and not negative", "", "");
}

// True when no head of a sample sees what another one does not.
bool hides_alike(const Mask& mask) {
  const auto alike = [](const Shape& shape) {
    return shape.size() < 3 || shape[shape.size() - 3] == 1;
  };
  return alike(mask.visible.shape()) && alike(mask.bias.shape());
}

// The problem as the derived matrix shows it: without the mask where hidden cells may be reached.
AttentionProblem seen_as(const AttentionProblem& problem, Derived derived) {
  AttentionProblem seen = problem;
  const bool hides =
      derived == Derived::ValueNorm || (derived == Derived::HeadMean && hides_alike(problem.mask));
  if (!hides) seen.mask = {};
  return seen;
}

ResultPtr stored(const AttentionResult& from, Derived derived, const HeadAddress& at,
                 const Tensor& matrix) {
  const auto read = [matrix](const Block& block, float* out) {
    for (std::size_t r = 0; r < block.rows; ++r) {
      const float* row = matrix.data() + (block.row + r) * matrix.extent(1) + block.col;
      out = std::copy_n(row, block.cols, out);
    }
  };
  return std::make_shared<DerivedResult>(seen_as(from.problem(), derived), at, read);
}

ResultPtr on_demand(const AttentionResult& from, Derived derived, const HeadAddress& at,
                    ReadBlock read) {
  return std::make_shared<DerivedResult>(seen_as(from.problem(), derived), at, std::move(read));
}

}  // namespace

std::span<const DerivedInfo> all_derived() { return kDerived; }

const DerivedInfo& derived_info(Derived derived) {
  return kDerived[static_cast<std::size_t>(derived)];
}

std::uint64_t predicted_steps(const AttentionShape& shape, Derived derived) {
  constexpr std::size_t kVisitsOfAnEdge = 8;
  const std::size_t n = shape.n_q;
  if (derived == Derived::Rollout) return element_count({shape.layers, n, n, n});
  if (derived == Derived::Flow) return element_count({kVisitsOfAnEdge, shape.layers, n, n, n, n});
  return 0;
}

Tensor rollout(const AttentionResult& result, std::size_t sample, double residual) {
  DoubleRows total = layer_matrix(result, 0, sample, residual);
  for (std::size_t layer = 1; layer < result.shape().layers; ++layer) {
    total = product(layer_matrix(result, layer, sample, residual), total);
  }
  return rounded(total);
}

Tensor attention_flow(const AttentionResult& result, std::size_t sample, double residual) {
  const std::size_t n = result.shape().n_q;
  LayerFlow graph(result.shape().layers, n, capacities_of(result, sample, residual));
  std::vector<float> flow(n * n);
  for (std::size_t q = 0; q < n; ++q) {
    for (std::size_t k = 0; k < n; ++k) flow[q * n + k] = static_cast<float>(graph.largest(q, k));
  }
  return Tensor({n, n}, std::move(flow));
}

std::vector<double> value_norms(const AttentionResult& result, const HeadAddress& head) {
  const AttentionShape& s = result.shape();
  const Tensor& w_o = projections_of(result.problem(), head.layer).w_o;
  std::vector<float> values(s.n_k * s.d_v);
  result.read(Stage::Value, head, {0, 0, s.n_k, s.d_v}, values.data());
  DoubleRows carried = doubles_of(MatrixView{values.data(), s.n_k, s.d_v, s.d_v});
  if (!w_o.empty()) {
    const DoubleRows all = doubles_of(matrix_at(w_o, 0));
    const auto first = static_cast<Eigen::Index>(head.head * s.d_v);
    carried = product(carried, all.middleRows(first, carried.cols()));
  }
  const Doubles norms = carried.rowwise().norm();
  return {norms.begin(), norms.end()};
}

Result<ResultPtr> derive(const AttentionResult& from, Derived derived, const HeadAddress& at,
                         const DerivedOptions& options) {
  if (derived_info(derived).of_all_layers) {
    if (const Status sound = check_layers(from.problem(), derived, options); !sound) {
      return sound.error();
    }
  }
  switch (derived) {
    case Derived::Rollout:
      return stored(from, derived, at, rollout(from, at.sample, options.residual));
    case Derived::Flow:
      if (const Status sound = check_capacities(from, at.sample); !sound) return sound.error();
      return stored(from, derived, at, attention_flow(from, at.sample, options.residual));
    case Derived::HeadMean:
      return on_demand(from, derived, at, [&from, at](const Block& block, float* out) {
        read_head_mean(from, at, block, out);
      });
    case Derived::ValueNorm:
      break;
  }
  if (!from.has(Stage::Value)) {
    return refusal(ErrorKind::Usage, derived, "needs values", "weights computed elsewhere", "");
  }
  return on_demand(from, derived, at,
                   [&from, at, norms = value_norms(from, at)](const Block& block, float* out) {
                     read_value_norm(from, at, norms, block, out);
                   });
}

}  // namespace attn
