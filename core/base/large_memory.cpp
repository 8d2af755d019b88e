// Requests huge pages for large memory.
#include "base/large_memory.h"

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace attn {

void FreeLargeMemory::operator()(void* memory) const {
  ::operator delete(memory, std::align_val_t(alignment));
}

std::unique_ptr<void, FreeLargeMemory> allocate_large(std::size_t bytes) {
  constexpr std::size_t kCacheLine = 64, kHugePage = std::size_t{2} << 20U;
  const bool is_huge = bytes >= 2 * kHugePage;
  const std::size_t alignment = is_huge ? kHugePage : kCacheLine;
  void* const memory = ::operator new(bytes, std::align_val_t(alignment));
#ifdef MADV_HUGEPAGE
  if (is_huge) ::madvise(memory, bytes, MADV_HUGEPAGE);  // advice only
#endif
  return {memory, {alignment}};
}

}  // namespace attn
