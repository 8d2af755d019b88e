// Copies what came out before, and makes columns anew whose weights changed.
#include "engine/layer/edited_map.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "engine/kernels/block_rows.h"

namespace attn {
namespace {

bool differ(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) != std::bit_cast<std::uint32_t>(b);
}

std::vector<std::size_t> changed_columns(const LinearMap& before, const LinearMap& after) {
  if (before.w == after.w && before.b == after.b) return {};
  const std::size_t width = after.w.shape().back();
  std::vector<bool> changed(width);
  for (std::size_t i = 0; i < after.w.size(); ++i) {
    if (differ(before.w[i], after.w[i])) changed[i % width] = true;
  }
  for (std::size_t i = 0; i < after.b.size(); ++i) {
    if (differ(before.b[i], after.b[i])) changed[i] = true;
  }
  std::vector<std::size_t> columns;
  for (std::size_t col = 0; col < width; ++col) {
    if (changed[col]) columns.push_back(col);
  }
  return columns;
}

Tensor some_columns(const Tensor& tensor, const std::vector<std::size_t>& columns) {
  if (tensor.empty() || columns.empty()) return {};
  const std::size_t width = tensor.shape().back();
  std::vector<float> values;
  for (std::size_t row = 0; row < tensor.size() / width; ++row) {
    for (const std::size_t col : columns) values.push_back(tensor[row * width + col]);
  }
  Shape shape = tensor.shape();
  shape.back() = columns.size();
  return {shape, std::move(values)};
}

}  // namespace

bool are_same_rows(const MatrixView& a, const MatrixView& b) {
  if (a.rows != b.rows || a.cols != b.cols) return false;
  if (a.data == b.data) return true;
  for (std::size_t r = 0; r < a.rows; ++r) {
    if (std::memcmp(a.row(r).data(), b.row(r).data(), a.cols * sizeof(float)) != 0) return false;
  }
  return true;
}

EditedMap::EditedMap(const LinearMap& before, const LinearMap& after) {
  if (before.w.shape() != after.w.shape() || before.b.shape() != after.b.shape()) return;
  columns_ = changed_columns(before, after);
  is_known_ = after.w.rank() == 2 && columns_.size() <= after.w.shape().back() / 4;
  if (!is_known_) return;
  w_ = some_columns(after.w, columns_);
  b_ = some_columns(after.b, columns_);
}

bool EditedMap::map_same_rows(const MatrixView& x, const MatrixView& out_before, Sums sums,
                              const MutableMatrix& out) const {
  if (!is_known_) return false;
  copy_rows(out_before, out);
  if (columns_.empty()) return true;
  std::vector<float> made(x.rows * columns_.size());
  const MutableMatrix part{made.data(), x.rows, columns_.size(), columns_.size()};
  map_rows(x, w_, b_, part, sums);
  for (std::size_t r = 0; r < x.rows; ++r) {
    for (std::size_t i = 0; i < columns_.size(); ++i) out.row(r)[columns_[i]] = part.row(r)[i];
  }
  return true;
}

}  // namespace attn
