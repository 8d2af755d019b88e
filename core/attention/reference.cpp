#include "attention/reference.h"

#include <cmath>
#include <limits>

namespace attn::reference {
namespace {

using Source = AttentionProblem::Source;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Row-major matrix number `index` of a tensor of matrices.
Matrix matrix_of(const Tensor& tensor, std::size_t index, std::size_t rows, std::size_t cols) {
  Matrix matrix{rows, cols, {}};
  for (std::size_t i = 0; i < rows * cols; ++i) {
    matrix.values.push_back(static_cast<double>(tensor[index * rows * cols + i]));
  }
  return matrix;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix out{a.rows, b.cols, {}};
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < b.cols; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < a.cols; ++k) sum += a.at(i, k) * b.at(k, j);
      out.values.push_back(sum);
    }
  }
  return out;
}

Matrix transposed(const Matrix& a) {
  Matrix out{a.cols, a.rows, {}};
  for (std::size_t j = 0; j < a.cols; ++j) {
    for (std::size_t i = 0; i < a.rows; ++i) out.values.push_back(a.at(i, j));
  }
  return out;
}

Matrix columns(const Matrix& a, std::size_t first, std::size_t count) {
  Matrix out{a.rows, count, {}};
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < count; ++j) out.values.push_back(a.at(i, first + j));
  }
  return out;
}

void add_bias(const Tensor& bias, Matrix& a) {
  if (bias.empty()) return;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    a.values[i] += static_cast<double>(bias[i % a.cols]);
  }
}

// Columns of one head of x·W + b.
Matrix projected_head(const Tensor& x, const Tensor& w, const Tensor& b, std::size_t sample,
                      std::size_t head, std::size_t width) {
  const Matrix input = matrix_of(x, sample, x.extent(1), x.extent(2));
  Matrix all = product(input, matrix_of(w, 0, w.extent(0), w.extent(1)));
  add_bias(b, all);
  return columns(all, head * width, width);
}

std::size_t kv_head_of(const AttentionShape& s, const HeadAddress& at) {
  return at.head / (s.heads / s.kv_heads);
}

Matrix query(const AttentionProblem& p, const HeadAddress& at) {
  const AttentionShape& s = p.shape;
  if (p.source == Source::Qkv) {
    return matrix_of(p.q, at.sample * s.heads + at.head, s.n_q, s.d_k);
  }
  return projected_head(p.query_embeddings, p.projections.w_q, p.projections.b_q, at.sample,
                        at.head, s.d_k);
}

Matrix key(const AttentionProblem& p, const HeadAddress& at) {
  const AttentionShape& s = p.shape;
  const std::size_t head = kv_head_of(s, at);
  if (p.source == Source::Qkv) return matrix_of(p.k, at.sample * s.kv_heads + head, s.n_k, s.d_k);
  return projected_head(p.key_embeddings, p.projections.w_k, p.projections.b_k, at.sample, head,
                        s.d_k);
}

Matrix value(const AttentionProblem& p, const HeadAddress& at) {
  const AttentionShape& s = p.shape;
  const std::size_t head = kv_head_of(s, at);
  if (p.source == Source::Qkv) return matrix_of(p.v, at.sample * s.kv_heads + head, s.n_k, s.d_v);
  return projected_head(p.value_embeddings, p.projections.w_v, p.projections.b_v, at.sample, head,
                        s.d_v);
}

Matrix scaled(const AttentionProblem& p, const HeadAddress& at) {
  Matrix out = compute(p, Stage::Scores, at);
  const double scale = p.scoring.scale ? static_cast<double>(*p.scoring.scale)
                                       : 1.0 / std::sqrt(static_cast<double>(p.shape.d_k));
  for (double& score : out.values) score *= scale;
  return out;
}

Matrix softcapped(const AttentionProblem& p, const HeadAddress& at) {
  Matrix out = compute(p, Stage::Scaled, at);
  const auto cap = static_cast<double>(*p.scoring.softcap);
  for (double& score : out.values) score = cap * std::tanh(score / cap);
  return out;
}

Matrix masked(const AttentionProblem& p, const HeadAddress& at) {
  Matrix out = compute(p, p.scoring.softcap ? Stage::Softcapped : Stage::Scaled, at);
  for (std::size_t q = 0; q < out.rows; ++q) {
    for (std::size_t k = 0; k < out.cols; ++k) {
      double& score = out.values[q * out.cols + k];
      score += static_cast<double>(bias_at(p.mask, at, q, k));
      if (hidden_by(p.mask, at, q, k) != kVisible) score = -kInfinity;
    }
  }
  return out;
}

std::vector<std::uint8_t> visible_keys(const AttentionProblem& p, const HeadAddress& at,
                                       std::size_t q) {
  std::vector<std::uint8_t> visible;
  for (std::size_t k = 0; k < p.shape.n_k; ++k) {
    visible.push_back(hidden_by(p.mask, at, q, k) == kVisible ? 1 : 0);
  }
  return visible;
}

Matrix weights(const AttentionProblem& p, const HeadAddress& at) {
  const AttentionShape& s = p.shape;
  if (p.source == Source::Weights) {
    const std::size_t index = (at.layer * s.samples + at.sample) * s.heads + at.head;
    return matrix_of(p.weights, index, s.n_q, s.n_k);
  }
  const Matrix scores = compute(p, Stage::Masked, at);
  Matrix out{s.n_q, s.n_k, {}};
  for (std::size_t q = 0; q < s.n_q; ++q) {
    std::vector<double> row;
    for (std::size_t k = 0; k < s.n_k; ++k) row.push_back(scores.at(q, k));
    const std::vector<double> shares = softmax(row, visible_keys(p, at, q));
    out.values.insert(out.values.end(), shares.begin(), shares.end());
  }
  return out;
}

// Sums over the visible keys only: what is hidden can poison nothing.
Matrix output(const AttentionProblem& p, const HeadAddress& at) {
  const Matrix shares = compute(p, Stage::Weights, at);
  const Matrix values = compute(p, Stage::Value, at);
  Matrix out{shares.rows, values.cols, {}};
  for (std::size_t q = 0; q < shares.rows; ++q) {
    const std::vector<std::uint8_t> visible = visible_keys(p, at, q);
    for (std::size_t c = 0; c < values.cols; ++c) {
      double sum = 0.0;
      for (std::size_t k = 0; k < values.rows; ++k) {
        if (visible[k] != 0) sum += shares.at(q, k) * values.at(k, c);
      }
      out.values.push_back(sum);
    }
  }
  return out;
}

Matrix concat(const AttentionProblem& p, const HeadAddress& at) {
  const AttentionShape& s = p.shape;
  std::vector<Matrix> heads;
  for (std::size_t head = 0; head < s.heads; ++head) {
    heads.push_back(compute(p, Stage::Output, {at.layer, at.sample, head}));
  }
  Matrix out{s.n_q, s.heads * s.d_v, {}};
  for (std::size_t q = 0; q < s.n_q; ++q) {
    for (const Matrix& head : heads) {
      for (std::size_t c = 0; c < s.d_v; ++c) out.values.push_back(head.at(q, c));
    }
  }
  return out;
}

Matrix projected(const AttentionProblem& p, const HeadAddress& at) {
  const Tensor& w = p.projections.w_o;
  Matrix out = product(compute(p, Stage::Concat, at), matrix_of(w, 0, w.extent(0), w.extent(1)));
  add_bias(p.projections.b_o, out);
  return out;
}

}  // namespace

std::vector<double> softmax(const std::vector<double>& scores,
                            const std::vector<std::uint8_t>& visible) {
  double largest = -kInfinity;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (visible[k] != 0 && scores[k] > largest) largest = scores[k];
  }
  double sum = 0.0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (visible[k] != 0) sum += std::exp(scores[k] - largest);
  }
  std::vector<double> shares;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    shares.push_back(visible[k] != 0 ? std::exp(scores[k] - largest) / sum : 0.0);
  }
  return shares;
}

Matrix compute(const AttentionProblem& problem, Stage stage, const HeadAddress& head) {
  switch (stage) {
    case Stage::Query:
      return query(problem, head);
    case Stage::Key:
      return key(problem, head);
    case Stage::Value:
      return value(problem, head);
    case Stage::Scores: {
      const Matrix keys = compute(problem, Stage::Key, head);
      return product(compute(problem, Stage::Query, head), transposed(keys));
    }
    case Stage::Scaled:
      return scaled(problem, head);
    case Stage::Softcapped:
      return softcapped(problem, head);
    case Stage::Masked:
      return masked(problem, head);
    case Stage::Weights:
      return weights(problem, head);
    case Stage::Output:
      return output(problem, head);
    case Stage::Concat:
      return concat(problem, head);
    case Stage::Projected:
      return projected(problem, head);
  }
  return {};
}

}  // namespace attn::reference
