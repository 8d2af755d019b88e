// Counts what malloc really gives.
#include "random/counted_memory.h"

#include <imgui.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace attn::test {
namespace {

std::atomic<std::size_t> in_use = 0;

void* counted(void* memory) {
  in_use += ::malloc_usable_size(memory);
  return memory;
}

void give_back(void* memory) {
  in_use -= ::malloc_usable_size(memory);
  std::free(memory);
}

void* asked_for(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return counted(memory);
}

}  // namespace

std::size_t counted_bytes() { return in_use; }

void count_imgui() {
  ImGui::SetAllocatorFunctions([](std::size_t size, void*) { return counted(std::malloc(size)); },
                               [](void* memory, void*) { give_back(memory); });
}

}  // namespace attn::test

void* operator new(std::size_t size) { return attn::test::asked_for(std::malloc(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return attn::test::asked_for(std::aligned_alloc(step, (size + step - 1) / step * step));
}
void operator delete(void* memory) noexcept { attn::test::give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { attn::test::give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { attn::test::give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  attn::test::give_back(memory);
}
