// Aligned memory for many floats that is not set to zero and is used again. Internal to the engine.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace attn {

// Owns floats that start at a cache line; from 4 MiB on at a huge page, which the system is asked
// for. Their values are indeterminate until they are written. Movable.
class FloatBuffer {
 public:
  FloatBuffer() = default;
  explicit FloatBuffer(std::size_t size) { resize(size); }

  // Allocates only when `size` is larger than it ever was; what was in it is lost then. Throws
  // std::bad_alloc.
  void resize(std::size_t size);

  float* data() const { return memory_.get(); }
  std::size_t size() const { return size_; }
  std::span<float> values() const { return {data(), size_}; }

 private:
  struct Free {
    std::size_t alignment;
    void operator()(float* memory) const;
  };

  std::unique_ptr<float, Free> memory_{nullptr, Free{0}};
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// Who uses a thread's scratch memory; functions that call each other need different ones.
enum class ScratchUse { Scores, Caller };
inline constexpr std::size_t kScratches = 2;

// `size` floats of the calling thread, the same memory in every call: valid until the next call
// with this `use` on this thread.
std::span<float> thread_scratch(ScratchUse use, std::size_t size);

}  // namespace attn
