// Counts values by their bits, which are in the order of the values.
#include "plot/colors/value_counts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "base/quotient_up.h"
#include "engine/kernels/parallel.h"

namespace attn {
namespace {

constexpr std::uint32_t kSign = std::uint32_t{1} << 31U;

// Ascending with the value.
std::uint32_t order_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

float value_at(std::uint32_t order) {
  return std::bit_cast<float>((order & kSign) != 0 ? order & ~kSign : ~order);
}

}  // namespace

void ValueCounts::add(float value) {
  if (std::isfinite(value)) ++cells_[std::bit_cast<std::uint32_t>(value) >> kCutBits];
}

void ValueCounts::merge(const ValueCounts& other) {
  std::ranges::transform(cells_, other.cells_, cells_.begin(), std::plus());
}

std::uint64_t ValueCounts::total() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t cells : cells_) sum += cells;
  return sum;
}

void ValueCounts::for_each(const std::function<void(float, std::uint64_t)>& each) const {
  const auto tell = [&](std::size_t at) {
    const auto bits = static_cast<std::uint32_t>(at << kCutBits);
    if (cells_[at] > 0) each(std::bit_cast<float>(bits), cells_[at]);
  };
  for (std::size_t at = cells_.size(); at-- > kNegative;) tell(at);
  for (std::size_t at = 0; at < kNegative; ++at) tell(at);
}

ExactPlace::ExactPlace(const ValueCounts& counts, std::uint64_t place)
    : place_(place), total_(counts.total()) {
  std::uint64_t before = 0;
  bool is_found = false;
  counts.for_each([&](float value, std::uint64_t cells) {
    if (!is_found && place < before + cells) {
      is_found = true;
      bucket_ = order_of(value) >> ValueCounts::kCutBits;
      before_ = before;
    }
    before += cells;
  });
}

void ExactPlace::add(float value) {
  if (!std::isfinite(value)) return;
  const std::uint32_t order = order_of(value);
  if (order >> ValueCounts::kCutBits == bucket_) ++cells_[order & (cells_.size() - 1)];
}

void ExactPlace::merge(const ExactPlace& other) {
  std::ranges::transform(cells_, other.cells_, cells_.begin(), std::plus());
}

float ExactPlace::value() const {
  std::size_t at = 0;
  for (std::uint64_t before = before_; at + 1 < cells_.size(); ++at) {
    before += cells_[at];
    if (place_ < before) break;
  }
  return value_at(static_cast<std::uint32_t>(bucket_ << ValueCounts::kCutBits | at));
}

std::uint64_t ExactPlace::above() const {
  std::uint64_t upto = before_;
  for (const std::uint64_t cells : cells_) {
    upto += cells;
    if (place_ < upto) break;
  }
  return total_ - upto;
}

bool read_in_parts(const Matrix& matrix, const CellRange& range, Progress* progress,
                   const std::function<void(RowReader& rows)>& read) {
  constexpr std::size_t kCellsOfAPart = std::size_t{1} << 22U;
  const std::size_t rows =
      std::max<std::size_t>(kCellsOfAPart / std::max<std::size_t>(range.cols, 1), 1);
  return parallel_for(quotient_up(range.rows, rows), 0, progress, [&](std::size_t part) {
    const std::size_t first = part * rows;
    RowReader reader(matrix, part_of(range, first, std::min(rows, range.rows - first)));
    read(reader);
  });
}

}  // namespace attn
