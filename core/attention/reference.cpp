// Oracle of attention: plain loops in double, one function per stage.
#include "attention/reference.h"

#include <cmath>

#include "attention/problem.h"
#include "base/special_numbers.h"

namespace attn::reference {
namespace {

// Matrix number `index`, row-major, of a tensor of matrices.
Matrix matrix_of(const Tensor& tensor, std::size_t index, std::size_t rows, std::size_t cols) {
  Matrix matrix{rows, cols, {}};
  for (std::size_t i = 0; i < rows * cols; ++i) {
    matrix.values.push_back(static_cast<double>(tensor[index * rows * cols + i]));
  }
  return matrix;
}

// One head's columns of input·W + b.
Matrix projected_head(const Matrix& input, const Tensor& w, const Tensor& b, std::size_t head,
                      std::size_t width) {
  return columns(mapped(input, w, b), head * width, width);
}

std::size_t kv_head_of(const AttentionShape& s, const HeadAddress& at) {
  return at.head / (s.heads / s.kv_heads);
}

Matrix query(const Layer& layer, const HeadAddress& at) {
  const AttentionShape& s = layer.problem.shape;
  if (const Tensor* q = given_tensor(layer.problem, Stage::Query)) {
    return matrix_of(*q, at.sample * s.heads + at.head, s.n_q, query_columns(s));
  }
  if (layer.projections.w_q.empty()) return layer.query_input;
  return projected_head(layer.query_input, layer.projections.w_q, layer.projections.b_q, at.head,
                        query_columns(s));
}

Matrix key(const Layer& layer, const HeadAddress& at) {
  const AttentionShape& s = layer.problem.shape;
  const std::size_t head = kv_head_of(s, at);
  if (const Tensor* k = given_tensor(layer.problem, Stage::Key)) {
    return matrix_of(*k, at.sample * s.kv_heads + head, s.n_k, s.d_k);
  }
  if (layer.projections.w_k.empty()) return layer.key_input;
  return projected_head(layer.key_input, layer.projections.w_k, layer.projections.b_k, head, s.d_k);
}

Matrix value(const Layer& layer, const HeadAddress& at) {
  const AttentionShape& s = layer.problem.shape;
  const std::size_t head = kv_head_of(s, at);
  if (const Tensor* v = given_tensor(layer.problem, Stage::Value)) {
    return matrix_of(*v, at.sample * s.kv_heads + head, s.n_k, s.d_v);
  }
  if (layer.projections.w_v.empty()) return layer.value_input;
  return projected_head(layer.value_input, layer.projections.w_v, layer.projections.b_v, head,
                        s.d_v);
}

// Row r has position first + r.
Matrix rotated(const Position& position, Matrix x, std::int64_t first) {
  turn_rows(position, first, x);
  return x;
}

Matrix scores(const Layer& layer, const HeadAddress& at) {
  const AttentionProblem& p = layer.problem;
  return scored(p.scoring, at.head, compute_in(layer, Stage::RotatedQuery, at),
                compute_in(layer, Stage::RotatedKey, at));
}

Matrix scaled(const Layer& layer, const HeadAddress& at) {
  const AttentionProblem& p = layer.problem;
  Matrix out = compute_in(layer, Stage::Scores, at);
  const double usual = usual_scale(p.scoring.function, p.shape.d_k);
  const double scale = p.scoring.scale ? static_cast<double>(*p.scoring.scale) : usual;
  for (double& score : out.values) score *= scale;
  return out;
}

Matrix softcapped(const Layer& layer, const HeadAddress& at) {
  const AttentionProblem& p = layer.problem;
  Matrix out = compute_in(layer, Stage::Scaled, at);
  const auto cap = static_cast<double>(*p.scoring.softcap);
  for (double& score : out.values) score = cap * std::tanh(score / cap);
  return out;
}

Matrix masked(const Layer& layer, const HeadAddress& at) {
  const AttentionProblem& p = layer.problem;
  const Mask& mask = mask_of(p, at);
  Matrix out = compute_in(layer, p.scoring.softcap ? Stage::Softcapped : Stage::Scaled, at);
  for (std::size_t q = 0; q < out.rows; ++q) {
    for (std::size_t k = 0; k < out.cols; ++k) {
      double& score = out.values[q * out.cols + k];
      score += static_cast<double>(bias_at(mask, at, q, k));
      if (hidden_by(mask, at, q, k) != kVisible) score = -static_cast<double>(kInfinity);
    }
  }
  return out;
}

std::vector<std::uint8_t> visible_keys(const AttentionProblem& p, const HeadAddress& at,
                                       std::size_t q) {
  const Mask& mask = mask_of(p, at);
  std::vector<std::uint8_t> visible;
  for (std::size_t k = 0; k < shape_of(p, at).n_k; ++k) {
    visible.push_back(hidden_by(mask, at, q, k) == kVisible ? 1 : 0);
  }
  return visible;
}

Matrix weights(const Layer& layer, const HeadAddress& at) {
  const AttentionProblem& p = layer.problem;
  const AttentionShape s = shape_of(p, at);
  if (const Tensor* given = given_tensor(p, Stage::Weights)) {
    const std::size_t index = (at.layer * s.samples + at.sample) * s.heads + at.head;
    return matrix_of(*given, index, s.n_q, s.n_k);
  }
  const Matrix scores = compute_in(layer, Stage::Masked, at);
  Matrix out{s.n_q, s.n_k, {}};
  for (std::size_t q = 0; q < s.n_q; ++q) {
    std::vector<double> row;
    for (std::size_t k = 0; k < s.n_k; ++k) row.push_back(scores.at(q, k));
    const std::vector<double> shares = normalised(p.scoring, at.head, row, visible_keys(p, at, q));
    out.values.insert(out.values.end(), shares.begin(), shares.end());
  }
  return out;
}

// Sums over visible keys only, so that hidden NaNs have no effect.
Matrix output(const Layer& layer, const HeadAddress& at) {
  const AttentionProblem& p = layer.problem;
  const Matrix shares = compute_in(layer, Stage::Weights, at);
  const Matrix values = compute_in(layer, Stage::Value, at);
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

Matrix concat(const Layer& layer, const HeadAddress& at) {
  const AttentionProblem& p = layer.problem;
  const AttentionShape& s = p.shape;
  std::vector<Matrix> heads;
  for (std::size_t head = 0; head < s.heads; ++head) {
    heads.push_back(compute_in(layer, Stage::Output, at.moved_to(at.layer, at.sample, head)));
  }
  Matrix out{s.n_q, s.heads * s.d_v, {}};
  for (std::size_t q = 0; q < s.n_q; ++q) {
    for (const Matrix& head : heads) {
      for (std::size_t c = 0; c < s.d_v; ++c) out.values.push_back(head.at(q, c));
    }
  }
  return out;
}

Matrix projected(const Layer& layer, const HeadAddress& at) {
  return mapped(compute_in(layer, Stage::Concat, at), layer.projections.w_o, layer.projections.b_o);
}

}  // namespace

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

Matrix mapped(const Matrix& x, const Tensor& w, const Tensor& b) {
  Matrix out = product(x, matrix_of(w, 0, w.extent(0), w.extent(1)));
  for (std::size_t i = 0; !b.empty() && i < out.values.size(); ++i) {
    out.values[i] += static_cast<double>(b[i % out.cols]);
  }
  return out;
}

Matrix positioned(const Position& position, const Tensor& x, std::size_t sample,
                  std::int64_t first) {
  Matrix input = matrix_of(x, sample, x.extent(1), x.extent(2));
  add_positions(position, first, input);
  return input;
}

Matrix compute_in(const Layer& layer, Stage stage, const HeadAddress& at) {
  const Position& position = position_of(layer.problem, at);
  const std::int64_t offset = mask_of(layer.problem, at).offset_of(at.sample);
  switch (stage) {
    case Stage::QueryInput:
      return layer.query_input;
    case Stage::KeyInput:
      return layer.key_input;
    case Stage::ValueInput:
      return layer.value_input;
    case Stage::Query:
      return query(layer, at);
    case Stage::Key:
      return key(layer, at);
    case Stage::Value:
      return value(layer, at);
    case Stage::RotatedQuery:
      return rotated(position, query(layer, at), offset);
    case Stage::RotatedKey:
      return rotated(position, key(layer, at), 0);
    case Stage::Scores:
      return scores(layer, at);
    case Stage::Scaled:
      return scaled(layer, at);
    case Stage::Softcapped:
      return softcapped(layer, at);
    case Stage::Masked:
      return masked(layer, at);
    case Stage::Weights:
      return weights(layer, at);
    case Stage::Output:
      return output(layer, at);
    case Stage::Concat:
      return concat(layer, at);
    case Stage::Projected:
      return projected(layer, at);
    default:
      return {};
  }
}

Matrix compute(const AttentionProblem& problem, Stage stage, const HeadAddress& head) {
  const auto oracle = problem.kind->oracle;
  if (oracle != nullptr) return oracle(problem, stage, head);
  Layer layer{problem, problem.projections, {}, {}, {}};
  if (makes_projections(problem)) {
    layer.query_input = positioned(problem.position, problem.query_embeddings, head.sample,
                                   problem.mask.offset_of(head.sample));
    layer.key_input = positioned(problem.position, problem.key_embeddings, head.sample, 0);
    layer.value_input = positioned(problem.position, problem.value_embeddings, head.sample, 0);
  }
  return compute_in(layer, stage, head);
}

}  // namespace attn::reference
