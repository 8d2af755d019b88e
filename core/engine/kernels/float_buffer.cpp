// Allocation of float buffers, with huge pages, which save most of the time of the first touch.
#include <new>

#include "engine/kernels/packed_product.h"

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace attn {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

void FloatBuffer::Free::operator()(float* memory) const {
  ::operator delete(memory, std::align_val_t(alignment));
}

void FloatBuffer::resize(std::size_t size) {
  size_ = 0;
  if (size > capacity_) {
    memory_.reset();
    capacity_ = 0;
    if (size > static_cast<std::size_t>(-1) / sizeof(float)) throw std::bad_alloc();
    const std::size_t bytes = size * sizeof(float);
    const bool is_huge = bytes >= 2 * kHugePage;
    const std::size_t alignment = is_huge ? kHugePage : kCacheLine;
    void* memory = ::operator new(bytes, std::align_val_t(alignment));
#ifdef MADV_HUGEPAGE
    if (is_huge) ::madvise(memory, bytes, MADV_HUGEPAGE);  // advice only
#endif
    memory_ = {static_cast<float*>(memory), Free{alignment}};
    capacity_ = size;
  }
  size_ = size;
}

}  // namespace attn
