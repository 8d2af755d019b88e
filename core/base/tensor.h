// Dense arrays of any rank as cheap values: copies share the numbers, which never change once made.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attn {

using Shape = std::vector<std::size_t>;

// Product of the extents; 1 for rank 0. Saturates at SIZE_MAX instead of wrapping.
std::size_t element_count(const Shape& shape);

// "(2, 3, 4)"; "()" for rank 0.
std::string shape_text(const Shape& shape);

class MappedFile;

// Where the numbers of a tensor are from when a document refers to a file instead of holding them.
struct TensorOrigin {
  std::string file;    // as the document has it: absolute, or relative to `folder`
  std::string folder;  // absolute
  Shape shape;         // of the array in the file
  std::shared_ptr<const MappedFile> mapping;
};

// Row-major. Immutable and shared, so a copy costs a shape and one pointer and undo can keep many
// of them; an edit makes a new array. The numbers are the tensor's own, or lie in memory that
// another owner keeps alive, such as a mapped file. Reading from several threads is safe.
template <class T>
class BasicTensor {
 public:
  // Rank 0 and no elements: "absent".
  BasicTensor() = default;

  // Precondition: element_count(shape) == values.size().
  BasicTensor(Shape shape, std::vector<T> values)
      : shape_(std::move(shape)), storage_(std::make_shared<const Storage>(std::move(values))) {
    assert(element_count(shape_) == size());
  }

  // element_count(shape) numbers from `first` on, which `owner` keeps alive and unchanged.
  BasicTensor(Shape shape, const T* first, const std::shared_ptr<const void>& owner)
      : shape_(std::move(shape)),
        storage_(std::make_shared<const Storage>(std::span(first, element_count(shape_)), owner)) {}

  const Shape& shape() const { return shape_; }
  std::size_t rank() const { return shape_.size(); }
  std::size_t size() const { return values().size(); }
  bool empty() const { return values().empty(); }
  std::size_t extent(std::size_t axis) const { return shape_[axis]; }
  const T* data() const { return values().data(); }
  std::span<const T> values() const { return storage_ ? storage_->values : std::span<const T>(); }
  T operator[](std::size_t flat) const { return storage_->values[flat]; }

  // Same numbers under another shape of the same size; shares the array.
  BasicTensor reshaped(const Shape& shape) const {
    assert(element_count(shape) == size());
    BasicTensor out = *this;
    out.shape_ = shape;
    return out;
  }

  // A copy in which element `flat` is `value`; it knows what it was made from.
  BasicTensor with(std::size_t flat, T value) const {
    std::vector<T> copy(values().begin(), values().end());
    copy[flat] = value;
    auto made = std::make_shared<Storage>(std::move(copy));
    made->edited_from = storage_;
    made->edited_at = flat;
    BasicTensor out;
    out.shape_ = shape_;
    out.storage_ = std::move(made);
    return out;
  }

  // The one element in which this differs from `before`, or `before` from this, if one was made
  // from the other by with().
  std::optional<std::size_t> edited_since(const BasicTensor& before) const {
    if (!storage_ || !before.storage_ || shape_ != before.shape_) return std::nullopt;
    if (storage_->edited_from.lock() == before.storage_) return storage_->edited_at;
    if (before.storage_->edited_from.lock() == storage_) return before.storage_->edited_at;
    return std::nullopt;
  }

  // Same numbers, known to be those of a file; shares the array.
  BasicTensor with_origin(std::shared_ptr<const TensorOrigin> origin) const {
    BasicTensor out = *this;
    out.storage_ = std::make_shared<const Storage>(values(), storage_, std::move(origin));
    return out;
  }

  // The file that has these very numbers in this very shape; null when there is none, as after
  // every edit.
  const TensorOrigin* origin() const {
    if (!storage_ || !storage_->origin) return nullptr;
    return storage_->origin->shape == shape_ ? storage_->origin.get() : nullptr;
  }

  // True when both share one array, which makes them equal without looking at it.
  bool shares_with(const BasicTensor& other) const { return data() == other.data(); }

  // Same shape and the same bits (a NaN equals itself, 0 differs from -0).
  friend bool operator==(const BasicTensor& a, const BasicTensor& b) {
    return a.shape_ == b.shape_ &&
           (a.shares_with(b) ||
            (a.size() == b.size() &&
             (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0)));
  }

 private:
  // What copies share: a document has many tensors, most of them absent, and is copied often.
  struct Storage {
    explicit Storage(std::vector<T> numbers) : own(std::move(numbers)), values(own) {}
    Storage(std::span<const T> borrowed, std::shared_ptr<const void> kept,
            std::shared_ptr<const TensorOrigin> from = nullptr)
        : owner(std::move(kept)), origin(std::move(from)), values(borrowed) {}

    std::vector<T> own;                 // empty when there is an
    std::shared_ptr<const void> owner;  // of the numbers
    std::shared_ptr<const TensorOrigin> origin;
    std::span<const T> values;  // of one of the two
    std::weak_ptr<const Storage> edited_from;
    std::size_t edited_at = 0;
  };

  Shape shape_;
  std::shared_ptr<const Storage> storage_;  // null: absent
};

using Tensor = BasicTensor<float>;
// 0 or 1; 1 always means "may attend" or "real token".
using BoolTensor = BasicTensor<std::uint8_t>;

// A borrowed row-major matrix; row r starts at data + r · row_stride.
struct MatrixView {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t row_stride = 0;

  float at(std::size_t row, std::size_t col) const { return data[row * row_stride + col]; }
  std::span<const float> row(std::size_t r) const { return {data + r * row_stride, cols}; }
};

// The last two axes of `tensor` at position `index` of all leading axes, flattened
// (index 0 for a matrix). Rank 1 is one row. Borrows from `tensor`.
MatrixView matrix_at(const Tensor& tensor, std::size_t index);

// A row-major matrix to write; row r starts at data + r · row_stride.
struct MutableMatrix {
  float* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t row_stride = 0;

  float* row(std::size_t r) const { return data + r * row_stride; }
};

// What is written there, to read.
MatrixView view_of(const MutableMatrix& matrix);

// Rows [row, row + rows).
MatrixView rows_of(const MatrixView& matrix, std::size_t row, std::size_t rows);
MutableMatrix rows_of(const MutableMatrix& matrix, std::size_t row, std::size_t rows);

// Row by row. Precondition: the same extents.
void copy_rows(const MatrixView& from, const MutableMatrix& to);

}  // namespace attn
