// Chooses rows, one from each of equal parts, at positions that differ from part to part.
#include "base/row_sample.h"

#include <algorithm>

#include "base/mapped_file.h"
#include "base/number_text.h"

namespace attn {

std::size_t RowSample::row(std::size_t i) const {
  const auto begin_of = [&](std::size_t part) {
    return part * (rows / count) + std::min(part, rows % count);
  };
  // Multiples of an odd number near the golden share of the part are spread evenly over it.
  const std::size_t size = begin_of(i + 1) - begin_of(i);
  return begin_of(i) + i * (size * 5 / 8 | 1U) % size;
}

std::string RowSample::words() const {
  return grouped_text(count) + (is_all() ? " rows" : " rows sampled of " + grouped_text(rows));
}

std::string RowSample::where() const { return is_all() ? "" : " in the " + words(); }

RowSample sample_of_rows(const Tensor& tensor, bool all) {
  constexpr std::size_t kFewest = 64;
  const std::size_t columns = tensor.extent(tensor.rank() - 1), rows = tensor.size() / columns;
  if (all || tensor.size() <= kMostReadInPassing) return {rows, rows};
  return {rows, std::min(rows, std::max(kMostReadInPassing / 16 / columns, kFewest))};
}

bool visit_rows(const Tensor& tensor, const RowSample& sample,
                const std::function<bool(std::size_t, std::span<const float>)>& look) {
  constexpr std::size_t kTurn = 64;
  const std::size_t columns = tensor.extent(tensor.rank() - 1);
  bool goes_on = true;
  for (std::size_t i = 0; goes_on && i < sample.count; ++i) {
    const std::size_t row = sample.row(i);
    goes_on = look(row, tensor.values().subspan(row * columns, columns));
    const bool ends = !goes_on || i % kTurn == kTurn - 1 || i + 1 == sample.count;
    if (!ends || tensor.size() <= kMostReadInPassing) continue;
    const std::size_t first = sample.row(i / kTurn * kTurn);
    give_back(tensor.data() + first * columns, (row + 1 - first) * columns * sizeof(float));
  }
  return goes_on;
}

}  // namespace attn
