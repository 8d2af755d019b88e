// Rollout, flow, means of heads and value norms, from weights however stored.
#include "engine/matrix/derived.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "engine/kernels/linear_algebra.h"
#include "engine/kernels/parallel.h"
#include "engine/matrix/layer_flow.h"

namespace attn {
namespace {

// --- one layer -------------------------------------------------------------------------------

void read_head_mean(const AttentionResult& result, HeadAddress at, const CellRange& range,
                    float* out) {
  const std::size_t heads = result.shape().heads;
  std::vector<float> weights(range.rows * range.cols);
  std::vector<double> sums(weights.size(), 0.0);
  for (at.head = 0; at.head < heads; ++at.head) {
    result.read(Stage::Weights, at, range, weights.data());
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<double>(weights[i]);
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    out[i] = static_cast<float>(sums[i] / static_cast<double>(heads));
  }
}

// ‖v‖ of each key of a head (n_k), or ‖v · W_O‖ with the head's rows of the output projection if
// there is one (Kobayashi et al. 2020).
std::vector<double> value_norms(const AttentionResult& result, const HeadAddress& head) {
  const AttentionShape s = result.shape(head);
  const Tensor& w_o = projections_of(result.problem(), head).w_o;
  std::vector<float> values(s.n_k * s.d_v);
  result.read(Stage::Value, head, {0, 0, s.n_k, s.d_v}, values.data());
  DoubleRows carried = doubles_of(MatrixView{values.data(), s.n_k, s.d_v, s.d_v});
  if (!w_o.empty()) {
    const DoubleRows all = doubles_of(matrix_at(w_o, 0));
    const auto first = static_cast<Eigen::Index>(head.head * s.d_v);
    carried = product(carried, all.middleRows(first, carried.cols())) *
              static_cast<double>(gate_of(result.problem().what_if, head));
  }
  const Doubles norms = carried.rowwise().norm();
  return {norms.begin(), norms.end()};
}

void read_value_norm(const AttentionResult& result, const HeadAddress& at,
                     const std::vector<double>& norms, const CellRange& range, float* out) {
  std::vector<HiddenRules> rules(result.shape(at).n_k);
  result.read(Stage::Weights, at, range, out);
  for (std::size_t r = 0; r < range.rows; ++r) {
    hidden_row(mask_of(result.problem(), at), at, range.row_at(r), rules);
    for (std::size_t c = 0; c < range.cols; ++c) {
      float& cell = out[r * range.cols + c];
      const std::size_t key = range.col + c;
      if (rules[key] != kVisible) continue;  // weight is 0, whatever the value
      cell = static_cast<float>(static_cast<double>(cell) * norms[key]);
    }
  }
}

// --- all layers ------------------------------------------------------------------------------

// residual · 1 + (1 − residual) · A of one layer, (n, n). Rows without visible keys: identity.
DoubleRows layer_matrix(const AttentionResult& result, const HeadAddress& at, double residual) {
  const std::size_t n = result.shape(at).n_q;
  std::vector<float> mean(n * n);
  read_head_mean(result, at, {0, 0, n, n}, mean.data());
  DoubleRows matrix = doubles_of(MatrixView{mean.data(), n, n, n});
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    const bool unseeing = (matrix.row(i).array() == 0.0).all();
    matrix.row(i) *= 1.0 - residual;
    matrix(i, i) = unseeing ? 1.0 : matrix(i, i) + residual;
  }
  return matrix;
}

// a · b, some rows at a time. Incomplete after cancellation.
DoubleRows product_of(const DoubleRows& a, const DoubleRows& b, Progress* progress) {
  constexpr Eigen::Index kRowsAtOnce = 256;
  DoubleRows out = DoubleRows::Zero(a.rows(), b.cols());
  for (Eigen::Index row = 0; row < a.rows() && !is_cancelled(progress); row += kRowsAtOnce) {
    report(progress, static_cast<std::size_t>(row), static_cast<std::size_t>(a.rows()));
    const Eigen::Index rows = std::min(kRowsAtOnce, a.rows() - row);
    out.middleRows(row, rows) = product(a.middleRows(row, rows), b);
  }
  return out;
}

std::vector<double> capacities_of(const AttentionResult& result, HeadAddress at, double residual) {
  const AttentionShape shape = result.shape(at);
  std::vector<double> all;
  all.reserve(shape.layers * shape.n_q * shape.n_k);
  for (at.layer = 0; at.layer < shape.layers; ++at.layer) {
    const DoubleRows matrix = layer_matrix(result, at, residual);
    all.insert(all.end(), matrix.data(), matrix.data() + matrix.size());
  }
  return all;
}

// Attention rollout (Abnar & Zuidema 2020): product of all layers of a sample and an attention, the
// last layer leftmost. A token without visible keys maps to itself. A weight of 0 transfers
// nothing, not even NaN.
Tensor rollout(const AttentionResult& result, HeadAddress at, double residual, Progress* progress) {
  const std::size_t layers = result.shape().layers;
  at.layer = 0;
  DoubleRows total = layer_matrix(result, at, residual);
  for (++at.layer; at.layer < layers && !is_cancelled(progress); ++at.layer) {
    const ProgressPart part(progress, at.layer, layers);
    total = product_of(layer_matrix(result, at, residual), total, progress);
  }
  return rounded(total);
}

// Attention flow (Abnar & Zuidema 2020): maximum flow from each token of the last layer to each
// token of the input through a graph whose capacities are the layers, finite and not negative.
Tensor attention_flow(const AttentionResult& result, const HeadAddress& at, double residual,
                      Progress* progress) {
  const std::size_t n = result.shape(at).n_q;
  const std::vector<double> capacities = capacities_of(result, at, residual);
  std::vector<float> flow(n * n);
  constexpr std::size_t kMostJobs = 64;
  const std::size_t jobs = std::min(n, kMostJobs);
  parallel_for(jobs, kFlowThreads, progress, [&](std::size_t job) {
    LayerFlow graph(result.shape().layers, n, capacities);
    for (std::size_t i = job; i < n; i += jobs) {
      for (std::size_t j = 0; j < n && !is_cancelled(progress); ++j) {
        flow[i * n + j] = static_cast<float>(graph.largest(i, j));
      }
    }
  });
  return Tensor({n, n}, std::move(flow));
}

// --- what can be derived ---------------------------------------------------------------------

Error refusal(ErrorKind kind, Derived derived, const std::string& why, std::string found,
              std::string hint) {
  return {.kind = kind,
          .message = std::string(derived_info(derived).label) + " " + why,
          .found = std::move(found),
          .hint = std::move(hint)};
}

Status check_layers(const AttentionProblem& problem, Derived derived, const HeadAddress& at) {
  const AttentionShape s = shape_of(problem, at);
  if (joins_two_sequences(problem, at)) {
    const bool has_another = attentions_of(problem).size() > 1;
    return refusal(
        ErrorKind::Usage, derived, "follows attention within one sequence",
        has_another ? "cross-attention of a decoder" : "queries and keys of different sequences",
        has_another ? "choose its self-attention"
                    : "choose the mean of the heads (head_mean) or weights × length of values "
                      "(value_norm)");
  }
  if (s.n_q != s.n_k) {
    return refusal(ErrorKind::Usage, derived, "needs as many queries as keys",
                   grouped_text(s.n_q) + " queries, " + grouped_text(s.n_k) + " keys", "");
  }
  return ok_status();
}

// Mask through all layers, with residuals: rules that compose to themselves, and the extended
// window.
Mask through_layers(const AttentionProblem& problem, const HeadAddress& at) {
  const Mask& mask = mask_of(problem, at);
  const std::int64_t offset = mask.offset_of(at.sample);
  Mask through;
  through.causal = mask.causal && offset <= 0;
  through.prefix = mask.prefix;
  if (mask.key_segments.empty()) through.query_segments = mask.query_segments;
  through.key_padding = mask.key_padding;
  through.query_padding = mask.query_padding;
  const bool sinks_end_paths =
      mask.sink_tokens == 0 || (through.causal && mask.prefix_of(at.sample) == 0);
  if (mask.window && offset == 0 && sinks_end_paths) {
    through.window = mask.window;
    through.sink_tokens = mask.sink_tokens;
    for (std::optional<std::uint64_t>* side : {&through.window->left, &through.window->right}) {
      if (*side) *side = element_count({static_cast<std::size_t>(**side), problem.shape.layers});
    }
  }
  return through;
}

// Mask of the cells that are certainly hidden in the derived matrix.
Mask derived_mask(const AttentionProblem& problem, Derived derived, const HeadAddress& at) {
  if (derived_info(derived).of_all_layers) return through_layers(problem, at);
  const auto of_all_heads = [](const Shape& shape) {
    return shape.size() < 3 || shape[shape.size() - 3] == 1;
  };
  const Mask& mask = mask_of(problem, at);
  const bool alike = of_all_heads(mask.visible.shape()) && of_all_heads(mask.bias.shape());
  return alike || derived == Derived::ValueNorm ? mask : Mask{};
}

// Sets column 0 of (n, n) shares to 0 and renormalises rows with a remainder.
Tensor without_first(const Tensor& shares) {
  const std::size_t n = shares.extent(0);
  std::vector<float> cells(shares.values().begin(), shares.values().end());
  for (auto row = cells.begin(); row != cells.end(); row += static_cast<std::ptrdiff_t>(n)) {
    const auto end = row + static_cast<std::ptrdiff_t>(n);
    const double rest = std::accumulate(row + 1, end, 0.0);
    *row = 0.0F;
    if (rest == 0.0) continue;
    std::transform(row, end, row, [rest](float share) {
      return static_cast<float>(static_cast<double>(share) / rest);
    });
  }
  return Tensor(shares.shape(), std::move(cells));
}

const made::FromWeights& making_of(const MatrixId& id) {
  return std::get<made::FromWeights>(id.making);
}

Result<MatrixPtr> made_of(const AttentionResult& from, const MatrixId& id, const Tensor& cells) {
  const AttentionShape s = from.shape(id.head);
  Mask mask = derived_mask(from.problem(), making_of(id).derived, id.head);
  if (making_of(id).without_first) {
    mask.visible = BoolTensor({s.n_k}, std::vector<std::uint8_t>(s.n_k, 1)).with(0, 0);
  }
  return stored_matrix(
      id, {s.n_q, s.n_k, {cells.values().begin(), cells.values().end()}, std::move(mask)});
}

bool holds_weights(const AttentionResult& result, const HeadAddress& at) {
  return result.range(Stage::Weights, at).has_value();
}

// Made of weights when it is read.
class ReadFromWeights final : public Matrix {
 public:
  using Read = std::function<void(const CellRange&, float*)>;

  ReadFromWeights(ResultPtr from, const MatrixId& id, std::optional<Mask> mask, Read read)
      : from_(std::move(from)), id_(id), mask_(std::move(mask)), read_(std::move(read)) {
    if (holds_weights(*from_, id.head)) summary_ = summarised(*this);
  }

  const MatrixId& id() const override { return id_; }
  StageShape extents() const override { return from_->stage_shape(Stage::Weights, id_.head); }
  void read(const CellRange& range, float* out) const override { read_(range, out); }
  std::optional<Summary> summary() const override { return summary_; }
  const Mask* mask() const override { return mask_ ? &*mask_ : nullptr; }
  // Size of at most one number for each key.
  std::uint64_t bytes() const override { return extents().cols * sizeof(double); }

 private:
  ResultPtr from_;
  MatrixId id_;
  std::optional<Mask> mask_;
  Read read_;
  std::optional<Summary> summary_;
};

MatrixPtr value_norm_matrix(const ResultPtr& from, const MatrixId& id) {
  const auto read = [from, at = id.head, norms = value_norms(*from, id.head)](
                        const CellRange& range, float* out) {
    read_value_norm(*from, at, norms, range, out);
  };
  return std::make_shared<ReadFromWeights>(from, id, mask_of(from->problem(), id.head), read);
}

MatrixPtr head_mean_matrix(const ResultPtr& from, const MatrixId& id) {
  std::optional<Mask> mask = derived_mask(from->problem(), Derived::HeadMean, id.head);
  if (!can_hide(*mask)) mask.reset();
  const auto read = [from, at = id.head](const CellRange& range, float* out) {
    read_head_mean(*from, at, range, out);
  };
  return std::make_shared<ReadFromWeights>(from, id, std::move(mask), read);
}

// Precondition: checked.
Result<MatrixPtr> made_from(const ResultPtr& from, const MatrixId& id, Progress* progress) {
  const AttentionShape s = from->shape(id.head);
  const made::FromWeights& how = making_of(id);
  switch (how.derived) {
    case Derived::Rollout: {
      const Tensor shares = rollout(*from, id.head, how.residual, progress);
      return made_of(*from, id, how.without_first ? without_first(shares) : shares);
    }
    case Derived::Flow:
      return made_of(*from, id, attention_flow(*from, id.head, how.residual, progress));
    case Derived::HeadMean: {
      if (!holds_weights(*from, id.head)) return head_mean_matrix(from, id);
      std::vector<float> mean(s.n_q * s.n_k);
      read_head_mean(*from, id.head, {0, 0, s.n_q, s.n_k}, mean.data());
      return made_of(*from, id, Tensor({s.n_q, s.n_k}, std::move(mean)));
    }
    case Derived::ValueNorm:
      break;
  }
  return value_norm_matrix(from, id);
}

Status check(const AttentionResult& from, const made::FromWeights& how, const HeadAddress& at) {
  const Derived derived = how.derived;
  if (derived_info(derived).of_all_layers) {
    if (Status sound = check_layers(from.problem(), derived, at); !sound) return sound;
  }
  if (derived == Derived::Rollout && how.without_first && from.shape(at).n_q < 2) {
    return refusal(ErrorKind::Usage, derived, "without the first token needs another one",
                   "1 token", "");
  }
  const auto bad = [](double cell) { return !std::isfinite(cell) || cell < 0.0; };
  if (derived == Derived::Flow && std::ranges::any_of(capacities_of(from, at, 0.0), bad)) {
    return refusal(ErrorKind::BadInput, derived, "needs weights that are finite and not negative",
                   "", "");
  }
  if (derived == Derived::ValueNorm && !from.has(Stage::Value)) {
    return refusal(
        ErrorKind::Usage, derived, "needs values",
        has_scores(from.problem()) ? "queries and keys alone" : "weights computed elsewhere", "");
  }
  return ok_status();
}

}  // namespace

DerivedInfo derived_info(const AttentionProblem& problem, Derived derived, const HeadAddress& at) {
  DerivedInfo info = derived_info(derived);
  if (derived == Derived::ValueNorm && !projections_of(problem, at).w_o.empty()) {
    info.label = "Weights × length of projected values";
    info.quantity = "Weight × ‖v W_O‖";
  }
  return info;
}

MatrixId derived_id(made::FromWeights how, HeadAddress at) {
  const bool of_all_layers = derived_info(how.derived).of_all_layers;
  if (how.derived != Derived::ValueNorm) at.head = 0;
  if (of_all_layers) at.layer = 0;
  if (!of_all_layers) how.residual = 0.0;
  how.without_first = how.without_first && how.derived == Derived::Rollout;
  return {Stage::Weights, at, how};
}

std::string hidden_words(const MatrixId& id, HiddenRules rules) {
  const auto* made = std::get_if<made::FromWeights>(&id.making);
  const bool is_first = made != nullptr && made->without_first && (rules & kHiddenByHand) != 0;
  return is_first ? "the first token is left out" : hidden_sentence(rules);
}

std::uint64_t predicted_nanoseconds(const AttentionShape& shape, Derived derived) {
  const std::size_t n = shape.n_q;
  switch (derived) {
    case Derived::Rollout:
      return element_count({shape.layers, n, n, n + shape.heads});
    case Derived::Flow:
      return static_cast<std::uint64_t>(std::min(flow_nanoseconds(shape), 1e19));
    case Derived::HeadMean:
      return element_count({shape.heads, n, shape.n_k});
    case Derived::ValueNorm:
      return element_count({n, shape.n_k});
  }
  return 0;
}

std::uint64_t predicted_bytes(const AttentionShape& shape, Derived derived) {
  const std::size_t n = shape.n_q;
  switch (derived) {
    case Derived::Rollout:
      return element_count({4, n, n, sizeof(double)});
    case Derived::Flow:
      return element_count({kFlowThreads + 2, shape.layers, n, n, sizeof(double)});
    case Derived::HeadMean:
      return element_count({4, n, shape.n_k, sizeof(float)});
    case Derived::ValueNorm:
      break;
  }
  return shape.n_k * sizeof(double);
}

Result<MatrixPtr> derive(const ResultPtr& from, const made::FromWeights& how, const HeadAddress& at,
                         Progress* progress) {
  if (const Status sound = check(*from, how, at); !sound) return sound.error();
  Result<MatrixPtr> made = made_from(from, derived_id(how, at), progress);
  if (is_cancelled(progress)) return stopped();
  return made;
}

}  // namespace attn
