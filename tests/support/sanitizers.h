// Tells tests whether a sanitizer has put its own allocator in place.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ATTNSCOPE_SANITIZED_ALLOCATOR
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ATTNSCOPE_SANITIZED_ALLOCATOR
#endif
#endif
