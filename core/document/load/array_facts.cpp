// Facts of arrays, read in one pass over their rows.
#include "document/load/array_facts.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/descriptor.h"
#include "base/number_text.h"
#include "base/row_sample.h"
#include "engine/compute.h"

namespace attn {
namespace {

constexpr double kSumsToOne = 1e-2, kSumsExactly = 1e-3;
constexpr std::size_t kFewestRows = 3;  // of a triangle that is not a coincidence
constexpr std::size_t kMostRead = std::size_t{1} << 22U, kMostChecked = std::size_t{1} << 28U;
constexpr std::size_t kMostColumns = std::size_t{1} << 22U;  // whose columns of 0 are recorded

// The indices of a row among the axes before the last.
Shape indices_of(const Shape& shape, std::size_t row) {
  Shape indices(shape.size() - 1);
  for (std::size_t axis = indices.size(); axis-- > 0; row /= shape[axis]) {
    indices[axis] = row % shape[axis];
  }
  return indices;
}

// Marks columns that are 0 in all rows of a matrix, if one axis counts the rows of matrices.
struct ZeroColumns {
  std::size_t axis = 0;
  Shape strides;  // of the matrices by the axes before the last; that of `axis` is 0
  std::size_t keys = 0;
  std::vector<bool> zeros;  // keys of each matrix

  ZeroColumns(const Shape& shape, std::size_t queries)
      : axis(queries), strides(shape.size() - 1), keys(shape.back()) {
    std::size_t count = 1;
    for (std::size_t i = strides.size(); i-- > 0;) {
      if (i == axis) continue;
      strides[i] = count;
      count *= shape[i];
    }
    const bool is_small = element_count({count, keys}) <= kMostColumns && count > 1;
    if (is_small) zeros.assign(count * keys, true);
  }

  void add(const Shape& indices, std::span<const float> row) {
    if (zeros.empty()) return;
    std::size_t matrix = 0;
    for (std::size_t i = 0; i < indices.size(); ++i) matrix += indices[i] * strides[i];
    for (std::size_t key = 0; key < keys; ++key) {
      if (row[key] != 0.0F) zeros[matrix * keys + key] = false;
    }
  }

  // The axis along which the columns of 0 differ, if there is only one.
  std::optional<std::size_t> differs_along(const Shape& shape) const {
    std::optional<std::size_t> found;
    for (std::size_t along = 0; along < strides.size(); ++along) {
      if (along == axis || zeros.empty()) continue;
      bool differs = false;
      for (std::size_t i = 0; !differs && i < zeros.size(); ++i) {
        const std::size_t index = i / keys / strides[along] % shape[along];
        differs = zeros[i] != zeros[i - index * strides[along] * keys];
      }
      if (differs && found) return std::nullopt;
      if (differs) found = along;
    }
    return found;
  }
};

// Samples all rows of up to 4 Mi numbers, else rows with a sixteenth as many numbers.
RowSample sample_in_passing(const Tensor& numbers) {
  constexpr std::size_t kFewest = 64;
  const std::size_t columns = numbers.extent(numbers.rank() - 1), rows = numbers.size() / columns;
  if (numbers.size() <= kMostRead) return {rows, rows};
  return {rows, std::min(rows, std::max(kMostRead / 16 / columns, kFewest))};
}

// Facts of the rows that were read so far.
struct Pass {
  const Tensor& numbers;
  Progress* progress;
  RowFacts facts;
  std::vector<ZeroColumns> columns;
  bool has_odd = false, has_one = false, has_blank = false;
  double worst = 0.0;  // distance from 1 of the sums that count as 1

  Pass(const Tensor& tensor, Progress* of) : numbers(tensor), progress(of) {
    const Shape& shape = numbers.shape();
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) {
      columns.emplace_back(shape, axis);
      facts.is_triangle.push_back(shape[axis] >= kFewestRows && shape.back() > 1);
    }
  }

  // A query that sees no key has a row of 0, or of NaN.
  void add_sum(const Shape& indices, std::span<const float> values) {
    const double sum = sum_of(values);
    const bool is_blank =
        std::isnan(sum) || std::ranges::all_of(values, [](float value) { return value == 0.0F; });
    const bool is_one = std::abs(sum - 1.0) <= kSumsToOne;
    has_blank = has_blank || is_blank;
    has_one = has_one || is_one;
    if (is_one) worst = std::max(worst, std::abs(sum - 1.0));
    if (has_odd || is_blank || is_one) return;
    has_odd = true;
    const bool is_matrix = indices.size() == 1;
    facts.sums = "row " + (is_matrix ? std::to_string(indices[0]) : shape_text(indices)) +
                 " sums to " + short_text(sum);
  }

  void add_order(const Shape& indices, std::span<const float> values) {
    const Shape& shape = numbers.shape();
    std::size_t end = values.size();
    while (end > 0 && values[end - 1] == 0.0F) --end;
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
      const bool is_below = end + shape[axis] <= indices[axis] + 1 + values.size();
      if (end > 0 && !is_below) facts.is_triangle[axis] = false;
    }
  }

  // False if it was cancelled.
  bool read(const RowSample& sample, bool is_known) {
    StepCount steps(progress, sample.count);
    const bool ended = !visit_rows(numbers, sample, [&](auto row, std::span<const float> values) {
      const Shape indices = indices_of(numbers.shape(), row);
      add_sum(indices, values);
      add_order(indices, values);
      for (ZeroColumns& each : columns) each.add(indices, values);
      return (is_known || !has_odd) && steps.add(1);
    });
    return !ended || (progress == nullptr || !progress->cancelled);
  }

  void finish(const RowSample& sample) {
    facts.sum_to_one = has_one && !has_odd;
    if (!has_odd && !has_one) facts.sums = "no row sums to 1";
    if (facts.sum_to_one) {
      const std::string which = has_blank ? "every row with numbers" : "every row";
      facts.sums = (sample.is_all() ? which : "each of the " + sample.words()) + " sums to 1" +
                   (worst > kSumsExactly ? " within 1 %" : "");
    }
    for (const ZeroColumns& each : columns) {
      facts.differs_along.push_back(each.differs_along(numbers.shape()));
      facts.columns.push_back(std::hash<std::vector<bool>>()(each.zeros));
    }
  }

  bool has_found() const {
    return std::ranges::count(facts.is_triangle, true) > 0 ||
           std::ranges::any_of(columns, [](const ZeroColumns& each) {
             return std::ranges::count(each.zeros, true) > 0;
           });
  }
};

}  // namespace

std::vector<ArrayFacts> facts_of(const ArrayListing& listing) {
  std::vector<ArrayFacts> facts;
  facts.reserve(listing.arrays.size());
  for (const StoredArray& array : listing.arrays) {
    facts.push_back({array.name, type_text(array), array.shape});
  }
  return facts;
}

NameType type_of(const ArrayFacts& array) {
  const std::string_view type = array.type;
  if (type == "text") return NameType::Text;
  if (type == "bool") return NameType::Flags;
  return type.starts_with("int") || type.starts_with("uint") ? NameType::Whole : NameType::Floats;
}

Result<RowFacts> row_facts(const Tensor& numbers, bool is_known, Progress* progress) {
  if (numbers.rank() == 0) return RowFacts{};
  const RowSample sample = sample_in_passing(numbers);
  Pass pass(numbers, progress);
  if (!pass.read(sample, is_known)) return reading_stopped("");
  pass.finish(sample);
  if (sample.is_all() || !pass.has_found()) return pass.facts;
  RowFacts some = pass.facts;
  some.is_triangle.assign(some.is_triangle.size(), false);
  some.differs_along.assign(some.differs_along.size(), std::nullopt);
  if (numbers.size() > kMostChecked) return some;
  const RowSample all = sample_of_rows(numbers, true);
  Pass whole(numbers, progress);
  if (!whole.read(all, is_known)) return reading_stopped("");
  whole.finish(all);
  return whole.facts;
}

}  // namespace attn
