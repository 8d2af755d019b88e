// Numbers generated from a seed and a name.
#include "document/generate.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "base/random.h"

namespace attn {

Tensor with_rows(const Tensor& tensor, std::size_t rows, std::uint64_t seed,
                 const std::string& name) {
  const std::size_t there = tensor.extent(tensor.rank() - 2);
  const std::size_t cols = tensor.shape().back();
  if (there >= rows) return tensor;
  const std::size_t matrices = tensor.rank() == 3 ? tensor.extent(0) : 1;
  const float scale = 1.0F / std::sqrt(static_cast<float>(cols));
  std::vector<float> values;
  for (std::size_t matrix = 0; matrix < matrices; ++matrix) {
    const float* from = tensor.data() + matrix * there * cols;
    values.insert(values.end(), from, from + there * cols);
    for (std::size_t row = there; row < rows; ++row) {
      for (const float value : generated_row(seed, name, matrix, std::to_string(row), cols)) {
        values.push_back(value * scale);
      }
    }
  }
  Shape shape = tensor.shape();
  shape[shape.size() - 2] = rows;
  return Tensor(std::move(shape), std::move(values));
}

std::vector<float> generated_embedding(std::uint64_t seed, const std::string& token,
                                       std::size_t width) {
  Random random(mix(seed, text_hash(token)));
  std::vector<float> row(width);
  for (float& value : row) value = random.normal();
  return row;
}

Tensor generated_projection(std::uint64_t seed, const std::string& name, std::size_t rows,
                            std::size_t cols, StepCount* count) {
  Random random(mix(seed, text_hash(name)));
  const float scale = 1.0F / std::sqrt(static_cast<float>(rows));
  std::vector<float> values(rows * cols);
  for (std::size_t row = 0; row < rows; ++row) {
    for (float& value : std::span(values).subspan(row * cols, cols))
      value = random.normal() * scale;
    if (count != nullptr && !count->add(cols)) break;
  }
  return Tensor({rows, cols}, std::move(values));
}

Tensor generated_embeddings(std::uint64_t seed, const TokenLists& lists, std::size_t width) {
  const std::size_t n = lists.front().size();
  std::vector<float> values;
  values.reserve(lists.size() * n * width);
  for (const TokenList& tokens : lists) {
    for (const std::string& token : tokens.texts()) {
      const std::vector<float> row = generated_embedding(seed, token, width);
      values.insert(values.end(), row.begin(), row.end());
    }
  }
  if (lists.size() == 1) return Tensor({n, width}, std::move(values));
  return Tensor({lists.size(), n, width}, std::move(values));
}

std::size_t hidden_units_for(const Scoring& scoring, const AttentionShape& shape) {
  if (!scoring.v.empty()) return scoring.v.shape().back();
  for (const ScoringMatrixUse& use : scoring_info(scoring.function).matrices) {
    const Tensor& matrix = scoring.*use.tensor;
    const bool has_width = use.rows == Extent::ScoringWidth && use.cols && matrix.rank() >= 2;
    if (has_width) return matrix.extent(matrix.rank() - 2);
  }
  return shape.d_k;
}

Tensor generated_scoring_matrix(std::uint64_t seed, const std::string& name, const Shape& shape,
                                std::size_t rank) {
  const std::size_t heads = shape.size() > rank ? shape.front() : 1;
  const std::size_t rows = shape.back();
  const std::size_t cols = rank == 1 ? 1 : shape[shape.size() - 2];
  std::vector<float> values;
  for (std::size_t head = 0; head < heads; ++head) {
    const Tensor made = generated_projection(head == 0 ? seed : mix(seed, head), name, rows, cols);
    values.insert(values.end(), made.values().begin(), made.values().end());
  }
  return Tensor(shape, std::move(values));
}

std::vector<std::string> generate_scoring(Scoring& scoring, const AttentionShape& shape,
                                          std::uint64_t seed) {
  std::vector<std::string> made;
  for (const ScoringMatrixInfo& info : all_scoring_matrices()) {
    const Shape needed = scoring_matrix_shape(scoring.function, info.tensor, shape);
    Tensor& tensor = scoring.*info.tensor;
    if (needed.empty() || !tensor.empty() || is_optional(info.tensor)) continue;
    made.push_back("scoring " + std::string(info.name));
    tensor = generated_scoring_matrix(seed, made.back(), needed, needed.size());
  }
  return made;
}

std::vector<std::string> generate_missing(const TensorList& list, std::uint64_t seed,
                                          StepCount* count) {
  std::vector<std::string> made;
  for (const TensorInfo& info : list) {
    if (!info.needed || info.is_there()) continue;
    writable(info) =
        generated_projection(seed, info.name, info.axes[0].count, info.axes[1].count, count);
    made.push_back(info.name);
  }
  return made;
}

void complete_recurrent(Recurrent& model, const RecurrentWidths& widths, std::uint64_t seed,
                        std::vector<std::string>& made, StepCount* count) {
  model.cell = widths.cell;
  model.asks = widths.asks;
  // A model that had an initial map gets one, even if it could do without.
  const bool maps_initial = !model.w_initial.empty() || !model.b_initial.empty();
  for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
    Tensor& tensor = info.write(model);
    const Shape shape = recurrent_shape(info, widths);
    if (tensor.shape() != shape) tensor = Tensor();
    const bool wanted = maps_initial && info.name == "w_initial";
    if (!tensor.empty() || shape.empty() || (may_be_absent(info, widths) && !wanted)) continue;
    const std::string name =
        (info.cell.empty() ? "" : std::string(info.cell) + " ") + std::string(info.name);
    tensor = generated_projection(seed, name, shape[0], shape[1], count);
    made.push_back(name);
  }
}

std::size_t position_rows(const Document& document) {
  const MaskPlace& positioned = positioned_mask(document);
  const AttentionShape shape = shape_of(document, positioned.at);
  const Mask& mask = document.*positioned.mask;
  std::int64_t last = static_cast<std::int64_t>(shape.n_k);
  for (std::size_t sample = 0; sample < shape.samples; ++sample) {
    const std::int64_t offset =
        std::clamp<std::int64_t>(mask.offset_of(sample), 0, kMostExtendedPositions);
    last = std::max(last, offset + static_cast<std::int64_t>(shape.n_q));
  }
  return static_cast<std::size_t>(last);
}

void extend_to_positions(Document& document) {
  const AttentionShape shape = shape_of(document);
  if (position_info(document.position.kind).has_table) {
    Tensor& table = document.position.table;
    if (table.empty()) table = Tensor({0, shape.d_model}, {});
    table = with_rows(table, position_rows(document), document.seed, "position table");
  }
  for (const ScoringMatrixInfo& info : all_scoring_matrices()) {
    const ScoringMatrixUse* use = matrix_use(document.scoring.function, info.tensor);
    Tensor& matrix = document.scoring.*info.tensor;
    if (use == nullptr || use->rows != Extent::Keys || matrix.empty()) continue;
    const std::string name = "scoring " + std::string(info.name);
    matrix = with_rows(matrix, scored_shape(document).n_k, document.seed, name);
  }
}

std::vector<float> generated_row(std::uint64_t seed, const std::string& name, std::size_t matrix,
                                 const std::string& token, std::size_t width) {
  return generated_embedding(mix(mix(seed, text_hash(name)), matrix), token, width);
}

std::vector<float> as_weights(std::vector<float> numbers) {
  std::ranges::transform(numbers, numbers.begin(), [](float x) { return std::exp(x); });
  const float sum = std::accumulate(numbers.begin(), numbers.end(), 0.0F);
  for (float& weight : numbers) weight /= sum;
  return numbers;
}

std::vector<float> generated_row_of(const Document& document, const TensorInfo& info,
                                    std::size_t matrix, const std::string& text,
                                    std::size_t width) {
  const bool embedding = embeddings_of(document.model) != nullptr;
  std::vector<float> row = embedding ? generated_embedding(document.seed, text, width)
                                     : generated_row(document.seed, info.name, matrix, text, width);
  return info.use == TensorUse::Map ? as_weights(std::move(row)) : row;
}

}  // namespace attn
