// Numbers whose count is not known beforehand, in one piece of memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace attn {

// Unlike std::vector it grows by realloc: the system moves the pages of large arrays instead of
// copying their numbers, so that they are not there twice, neither while growing nor at the end.
template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  std::size_t size() const { return size_; }

  // Place for numbers to come, of one at least; took() says how many were put there.
  std::span<T> room() {
    if (size_ == capacity_) resize(std::max<std::size_t>(16, 2 * capacity_));
    return {numbers_.get() + size_, capacity_ - size_};
  }
  void took(std::size_t count) { size_ += count; }

  void push_back(T value) {
    room().front() = value;
    took(1);
  }

  // The numbers, in memory of just their size; nothing is left here. Precondition: there are some.
  std::shared_ptr<const T> release() {
    resize(size_);
    size_ = capacity_ = 0;
    return std::move(numbers_);
  }

 private:
  struct Free {
    void operator()(T* numbers) const { std::free(numbers); }
  };

  void resize(std::size_t capacity) {
    void* const moved = std::realloc(numbers_.get(), capacity * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    static_cast<void>(numbers_.release());
    numbers_.reset(static_cast<T*>(moved));
    capacity_ = capacity;
  }

  std::unique_ptr<T, Free> numbers_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace attn
