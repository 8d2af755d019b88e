// Dense arrays of any rank; copies share the immutable numbers.
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

// Some columns of a matrix, or numbers of a vector: `count` from `first` on, and as many `every` so
// many further ones.
struct TensorPart {
  std::size_t first = 0;
  std::size_t count = 0;  // 0: all
  std::size_t every = 0;  // 0: once
  friend bool operator==(const TensorPart&, const TensorPart&) = default;
};

// An array of a file, as a document refers to it.
struct TensorReference {
  std::string file;  // absolute, or relative to the document's folder
  // Names in a file of several arrays; more than one are stacked along a new first axis.
  std::vector<std::string> arrays = {};
  std::vector<std::string> axes = {};  // of the array in the file; empty: in the order of documents
  std::uint64_t heads = 0;             // concatenated in the last axis; 0: they are not
  bool stacks_one = false;             // a single name is stacked, too
  bool turned = false;                 // the last two axes are exchanged
  TensorPart part = {};                // of its columns, after that
  friend bool operator==(const TensorReference&, const TensorReference&) = default;
};

// Origin of a tensor whose numbers the document reads from a file.
struct TensorOrigin : TensorReference {
  std::string folder;  // absolute: base of `file`
  Shape shape;         // of the array in the file, with heads separated and axes in the order of
                       // documents
  std::shared_ptr<const MappedFile> mapping;
};

// A matrix in memory: element (r, c) is at data[r · row + c · col].
template <class T>
struct Strided {
  const T* data = nullptr;
  std::size_t row = 0, col = 0;
};

// Row-major, immutable and shared: a copy costs a shape and one pointer, an edit makes a new array.
// The numbers are owned, or in memory that `owner` keeps alive, such as a mapped file. Thread-safe
// for reading.
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

  // A matrix whose numbers `owner` makes from others when they are read.
  BasicTensor(Shape shape, const T* first, const std::shared_ptr<const void>& owner,
              const Strided<T>& source)
      : shape_(std::move(shape)) {
    auto storage = std::make_shared<Storage>(std::span(first, element_count(shape_)), owner);
    storage->source = source;
    storage_ = std::move(storage);
  }

  const Shape& shape() const { return shape_; }
  std::size_t rank() const { return shape_.size(); }
  std::size_t size() const { return values().size(); }
  bool empty() const { return values().empty(); }
  std::size_t extent(std::size_t axis) const { return shape_[axis]; }
  const T* data() const { return values().data(); }
  std::span<const T> values() const { return storage_ ? storage_->values : std::span<const T>(); }
  T operator[](std::size_t flat) const { return storage_->values[flat]; }

  // Shares the array under another shape of equal size.
  BasicTensor reshaped(const Shape& shape) const {
    assert(element_count(shape) == size());
    BasicTensor out = *this;
    out.shape_ = shape;
    return out;
  }

  // One index of the first axis, which shares the array; absent if this is.
  BasicTensor part(std::size_t index) const {
    if (empty()) return {};
    const Shape shape(shape_.begin() + 1, shape_.end());
    return {shape, data() + index * element_count(shape), storage_};
  }

  // Copy with element `flat` set to `value`; records what it was made from.
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

  // The only element in which the two differ, if one was made from the other by with().
  std::optional<std::size_t> edited_since(const BasicTensor& before) const {
    if (!storage_ || !before.storage_ || shape_ != before.shape_) return std::nullopt;
    if (storage_->edited_from.lock() == before.storage_) return storage_->edited_at;
    if (before.storage_->edited_from.lock() == storage_) return before.storage_->edited_at;
    return std::nullopt;
  }

  // Shares the array; records that its numbers are those of a file.
  BasicTensor with_origin(std::shared_ptr<const TensorOrigin> origin) const {
    BasicTensor out = *this;
    auto storage = std::make_shared<Storage>(values(), storage_, std::move(origin));
    if (storage_) storage->source = storage_->source;
    out.storage_ = std::move(storage);
    return out;
  }

  // The numbers from which those of this matrix are made when they are read, which are read faster;
  // null data if there are none. This tensor keeps them alive.
  Strided<T> source() const { return storage_ ? storage_->source : Strided<T>(); }

  // File with exactly these numbers and this shape; null if there is none, as after every edit.
  const TensorOrigin* origin() const {
    if (!storage_ || !storage_->origin) return nullptr;
    return storage_->origin->shape == shape_ ? storage_->origin.get() : nullptr;
  }

  // True if both share one array, and are therefore equal.
  bool shares_with(const BasicTensor& other) const { return data() == other.data(); }

  // Equal shapes and bits (a NaN equals itself, 0 differs from -0).
  friend bool operator==(const BasicTensor& a, const BasicTensor& b) {
    return a.shape_ == b.shape_ &&
           (a.shares_with(b) ||
            (a.size() == b.size() &&
             (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0)));
  }

 private:
  // Shared by copies: a document has many tensors, most of them absent, and is copied often.
  struct Storage {
    explicit Storage(std::vector<T> numbers) : own(std::move(numbers)), values(own) {}
    Storage(std::span<const T> borrowed, std::shared_ptr<const void> kept,
            std::shared_ptr<const TensorOrigin> from = nullptr)
        : owner(std::move(kept)), origin(std::move(from)), values(borrowed) {}

    std::vector<T> own;                 // empty if there is an
    std::shared_ptr<const void> owner;  // of the numbers
    std::shared_ptr<const TensorOrigin> origin;
    std::span<const T> values;  // view of one of the two
    Strided<T> source;
    std::weak_ptr<const Storage> edited_from;
    std::size_t edited_at = 0;
  };

  Shape shape_;
  std::shared_ptr<const Storage> storage_;  // null: absent
};

using Tensor = BasicTensor<float>;
// 0 or 1; 1 means "may attend" or "real token".
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

// Matrix of the last two axes at flat `index` of the leading axes (0 for a matrix); rank 1 is one
// row. Borrowed.
MatrixView matrix_at(const Tensor& tensor, std::size_t index);

// A writable row-major matrix; row r starts at data + r · row_stride.
struct MutableMatrix {
  float* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t row_stride = 0;

  float* row(std::size_t r) const { return data + r * row_stride; }
};

// Read-only view.
MatrixView view_of(const MutableMatrix& matrix);

// Rows [row, row + rows).
MatrixView rows_of(const MatrixView& matrix, std::size_t row, std::size_t rows);
MutableMatrix rows_of(const MutableMatrix& matrix, std::size_t row, std::size_t rows);

// Precondition: equal extents.
void copy_rows(const MatrixView& from, const MutableMatrix& to);

}  // namespace attn
