// What the tests are compiled with: a sanitizer has memory, threads and limits of its own.
#pragma once

namespace evt::testing {

#if defined(__has_feature)
inline constexpr bool kThreadSanitizer = __has_feature(thread_sanitizer);
inline constexpr bool kSanitizer =
    kThreadSanitizer || __has_feature(address_sanitizer) || __has_feature(memory_sanitizer);
#else
inline constexpr bool kThreadSanitizer = false;
inline constexpr bool kSanitizer = false;
#endif

}  // namespace evt::testing
