// Memory for many values at once: aligned to cache lines, from 4 MiB on to huge pages.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

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

}  // namespace attn
