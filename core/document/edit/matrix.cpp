// Edits one matrix: its numbers and the names of its columns.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random.h"
#include "document/edit.h"
#include "document/generate.h"
#include "kinds/parts/findings.h"

namespace attn {
namespace {

// Copies the document and calls change(first number, rows, columns) on the matrix. Precondition: it
// exists.
template <class Change>
Document with_matrix_changed(const Document& document, const MatrixRef& ref, Change change) {
  const MatrixView view = matrix_of(document, ref);
  Document changed = document;
  Tensor& tensor = writable(*tensor_at(changed, ref.tensor));
  std::vector<float> values(tensor.values().begin(), tensor.values().end());
  change(values.data() + (view.data - tensor.data()), view.rows, view.cols);
  tensor = Tensor(tensor.shape(), std::move(values));
  return changed;
}

void fill_randomly(Random& random, TensorUse use, float* values, std::size_t rows,
                   std::size_t cols) {
  const float scale = use == TensorUse::Matrix ? 1.0F / std::sqrt(static_cast<float>(rows)) : 1.0F;
  for (std::size_t i = 0; i < rows * cols; ++i) values[i] = random.normal() * scale;
  for (float* row = values; use == TensorUse::Map && row < values + rows * cols; row += cols) {
    std::ranges::copy(as_weights({row, row + cols}), row);
  }
}

Error no_such_matrix(const MatrixRef& ref) {
  return refusal_at(ref.tensor, "the document has no such matrix", "none",
                    "a matrix of the document");
}

}  // namespace

Result<Document> with_cell(const Document& document, const MatrixRef& ref, std::size_t row,
                           std::size_t col, float value) {
  return with_numbers(document, ref, row, col, 1, 1, {&value, 1});
}

Result<Document> with_numbers(const Document& document, const MatrixRef& ref, std::size_t row,
                              std::size_t col, std::size_t rows, std::size_t cols,
                              std::span<const float> values) {
  const MatrixView view = matrix_of(document, ref);
  if (view.data == nullptr) return no_such_matrix(ref);
  if (rows == 0 || cols == 0 || values.size() != rows * cols) {
    return refusal_at(ref.tensor, "the block is not a rectangle of numbers",
                      counted(values.size(), "number"),
                      std::to_string(rows) + " × " + std::to_string(cols));
  }
  const bool inside =
      row < view.rows && rows <= view.rows - row && col < view.cols && cols <= view.cols - col;
  if (!inside) {
    return refusal_at(ref.tensor, "the block does not fit into the matrix",
                      shape_text({rows, cols}) + " at row " + std::to_string(row) + ", column " +
                          std::to_string(col),
                      "inside " + shape_text({view.rows, view.cols}));
  }
  return with_matrix_changed(document, ref, [&](float* matrix, std::size_t, std::size_t width) {
    for (std::size_t r = 0; r < rows; ++r) {
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(r * cols), cols,
                  matrix + (row + r) * width + col);
    }
  });
}

Document with_fill(const Document& document, const MatrixRef& ref, Fill fill) {
  const std::optional<TensorInfo> info = tensor_at(document, ref.tensor);
  if (!info || !info->is_there()) return document;
  Random random(mix(mix(document.seed, text_hash(ref.tensor)), matrix_index(*info, ref.at)));
  Document filled =
      with_matrix_changed(document, ref, [&](float* values, std::size_t rows, std::size_t cols) {
        if (fill == Fill::RandomNormal) return fill_randomly(random, info->use, values, rows, cols);
        std::fill_n(values, rows * cols, 0.0F);
        if (fill == Fill::Zeros) return;
        for (std::size_t i = 0; i < std::min(rows, cols); ++i) values[i * cols + i] = 1.0F;
      });
  if (fill == Fill::RandomNormal) ++filled.seed;
  return filled;
}

Result<Document> with_matrix_scaled(const Document& document, const MatrixRef& ref, float factor) {
  if (matrix_of(document, ref).data == nullptr) return no_such_matrix(ref);
  if (!std::isfinite(factor)) {
    return refusal_at(ref.tensor, "the factor is not finite", "a factor that is not finite",
                      "a finite number");
  }
  bool overflow = false;
  Document scaled =
      with_matrix_changed(document, ref, [&](float* values, std::size_t rows, std::size_t cols) {
        for (std::size_t i = 0; i < rows * cols; ++i) {
          const float product = values[i] * factor;
          overflow |= std::isfinite(values[i]) && !std::isfinite(product);
          values[i] = product;
        }
      });
  if (overflow) {
    return refusal_at(ref.tensor, "a number would become too large for a 32-bit float",
                      "an overflow", "a smaller factor");
  }
  return scaled;
}

Result<Document> with_feature_renamed(const Document& document, FeatureAxis axis,
                                      std::size_t column, const std::string& name) {
  const FeatureAxisInfo& info = feature_axis_info(axis);
  const std::string pointer = "/features/" + std::string(info.key);
  const std::size_t count = shape_of(document).*info.count;
  if (column >= count) {
    return refusal_at(pointer, "there is no such column", "column " + std::to_string(column),
                      "one of " + counted(count, "column") + ", counted from 0");
  }
  if (auto refused = utf8_refusal(name, "the name")) {
    refused->pointer = pointer;
    return *std::move(refused);
  }
  Document changed = document;
  changed.features.rename(axis, column, name);
  return changed;
}

}  // namespace attn
