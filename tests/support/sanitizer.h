// What the tests are compiled with: a sanitizer has memory, threads and limits of its own.
#pragma once

#include <cstddef>

extern "C" std::size_t __sanitizer_get_current_allocated_bytes();  // of a sanitizer's own library

namespace evt::testing {

#if defined(__has_feature)
inline constexpr bool kThreadSanitizer = __has_feature(thread_sanitizer);
inline constexpr bool kSanitizer =
    kThreadSanitizer || __has_feature(address_sanitizer) || __has_feature(memory_sanitizer);
inline constexpr bool kAddressSanitizer = __has_feature(address_sanitizer);
inline constexpr int kClang = __clang_major__;
#else
inline constexpr bool kThreadSanitizer = false;
inline constexpr bool kSanitizer = false;
inline constexpr bool kAddressSanitizer = false;
inline constexpr int kClang = 0;
#endif

// Tests of very many cases of one kind take every one of them; under a sanitizer, which is slow, one of so many.
inline constexpr unsigned kEveryCase = kSanitizer ? 5 : 1;

// Whether a fork child may allocate while its parent has other threads. The address sanitizer of clang before 18 does
// not take the locks of its allocator around fork(): if another thread, such as the flusher, held one, the child waits
// forever.
inline constexpr bool kForkChildMayAllocate = !kAddressSanitizer || kClang >= 18;
inline constexpr const char* kForkChildMayNotAllocate = "the sanitizer's allocator may be locked in a fork child";

}  // namespace evt::testing
