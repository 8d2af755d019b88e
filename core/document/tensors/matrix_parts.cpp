// Turns matrices and takes columns out of them.
#include "document/tensors/matrix_parts.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "document/axes.h"

namespace attn {
namespace {

// Fewer numbers are made at once.
constexpr std::size_t kFewestOnDemand = std::size_t{1} << 14U;

// Rows of `cols` numbers each, taken from columns of another matrix.
struct Columns {
  Strided<float> from;
  TensorPart part;
  std::size_t cols;
  Tensor kept;  // keeps the numbers alive

  // Copies the numbers from index `first` on.
  void copy(std::size_t first, std::span<float> out) const {
    while (!out.empty()) {
      const std::size_t row = first / cols, col = first % cols, inside = col % part.count;
      const std::size_t run = std::min(part.count - inside, out.size());
      const std::size_t place = part.first + col / part.count * part.every + inside;
      const float* const at = from.data + row * from.row + place * from.col;
      for (std::size_t i = 0; i < run; ++i) out[i] = at[i * from.col];
      first += run;
      out = out.subspan(run);
    }
  }
};

Strided<float> source_of(const Tensor& tensor) {
  const Strided<float> source = tensor.source();
  return source.data != nullptr ? source : Strided<float>{tensor.data(), tensor.shape().back(), 1};
}

Tensor made_of(const Columns& columns, const Shape& shape) {
  const std::size_t count = element_count(shape);
  if (shape.size() == 2 && count >= kFewestOnDemand && is_mapped(columns.from.data)) {
    const auto make = [columns](std::size_t first, std::span<float> out) {
      columns.copy(first, out);
    };
    Strided<float> source = columns.from;
    source.data += columns.part.first * source.col;
    const bool is_strided = columns.cols == columns.part.count;
    if (const auto floats = floats_on_demand(count, make, 0)) {
      return {shape, floats.get(), floats, is_strided ? source : Strided<float>()};
    }
  }
  std::vector<float> values(count);
  columns.copy(0, values);
  return {shape, std::move(values)};
}

// Returns the made tensor as one of the same file, if a reference can say how it is made.
template <class Change>
Tensor of_same_file(const Tensor& made, const Tensor& from, Change change) {
  const TensorOrigin* origin = from.origin();
  if (origin == nullptr || origin->part.count > 0) return made;
  const auto changed = std::make_shared<TensorOrigin>(*origin);
  change(*changed);
  changed->shape = made.shape();
  return made.with_origin(changed);
}

}  // namespace

std::size_t count_of(const TensorPart& part, std::size_t cols) {
  if (part.count == 0 || part.first >= cols || part.count > cols - part.first) return 0;
  if (part.every == 0) return part.count;
  const std::size_t times = (cols - part.first - part.count) / part.every + 1;
  return part.every < part.count ? 0 : times * part.count;
}

Tensor turned(const Tensor& tensor) {
  if (tensor.rank() != 2) {
    std::vector<std::size_t> axes(tensor.rank());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    std::swap(axes.end()[-1], axes.end()[-2]);
    return with_sorted_axes(tensor, axes);
  }
  const std::size_t rows = tensor.extent(1), cols = tensor.extent(0);
  const Strided<float> from = source_of(tensor);
  const Tensor made =
      made_of({{from.data, from.col, from.row}, {0, cols}, cols, tensor}, {rows, cols});
  return of_same_file(made, tensor, [](TensorOrigin& origin) { origin.turned = !origin.turned; });
}

Tensor rows_after(const Tensor& matrix, std::size_t first) {
  const auto kept = std::make_shared<const Tensor>(matrix);
  const std::size_t cols = matrix.extent(1);
  return {{matrix.extent(0) - first, cols}, matrix.data() + first * cols, kept};
}

Tensor columns_of(const Tensor& tensor, const TensorPart& part) {
  Shape shape = tensor.shape();
  const std::size_t cols = shape.back() = count_of(part, shape.back());
  const Tensor made = made_of({source_of(tensor), part, cols, tensor}, shape);
  return of_same_file(made, tensor, [&](TensorOrigin& origin) { origin.part = part; });
}

}  // namespace attn
