// Flags for tests under sanitizers: whether one replaces the allocator, and the share of long lists
// to test.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ATTNSCOPE_SANITIZED_ALLOCATOR
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ATTNSCOPE_SANITIZED_ALLOCATOR
#endif
#endif

namespace attn::test {

// Sanitizers are ten times slower: every fifth item of a list whose items are tested alike; which
// ones varies with the list. `./dev test` goes through all.
#ifdef ATTNSCOPE_SANITIZED_ALLOCATOR
inline constexpr std::size_t kEvery = 5;
#else
inline constexpr std::size_t kEvery = 1;
#endif

}  // namespace attn::test
