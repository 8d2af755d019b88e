// Memory for many values: pieces aligned to cache lines, and an array of unknown final size.
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

struct FreeLargeMemory {
  std::size_t alignment = 0;
  void operator()(void* memory) const;
};

// Uninitialised bytes. Requests huge pages from the system, as the first touch of small pages takes
// longer than writing to them. Throws std::bad_alloc.
std::unique_ptr<void, FreeLargeMemory> allocate_large(std::size_t bytes);

template <class T>
using LargeMemory = std::unique_ptr<T[], FreeLargeMemory>;

// Allocates an uninitialised array of `size` values of a trivial type.
template <class T>
LargeMemory<T> allocate_large_of(std::size_t size) {
  if (size > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
  auto memory = allocate_large(size * sizeof(T));
  const FreeLargeMemory free = memory.get_deleter();
  return {static_cast<T*>(memory.release()), free};
}

// Grows by realloc, unlike std::vector: the system remaps the pages of large arrays instead of
// copying them, so peak memory does not double.
template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  std::size_t size() const { return size_; }

  // Free capacity, at least one element; took() reports how much was filled.
  std::span<T> room() {
    if (size_ == capacity_) resize(std::max<std::size_t>(16, 2 * capacity_));
    return {numbers_.get() + size_, capacity_ - size_};
  }
  void took(std::size_t count) { size_ += count; }

  void push_back(T value) {
    room().front() = value;
    took(1);
  }

  // Moves the elements out, in memory of their exact size. Precondition: not empty.
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
