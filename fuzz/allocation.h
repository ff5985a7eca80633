// How much memory a target holds at its worst. Counted where the address sanitizer's allocator reports every call, so
// when fuzzing and in the sanitized tests; elsewhere nothing is counted and the property is not asked for.
#pragma once

#include <atomic>
#include <cstddef>

#include "fuzz_target.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/allocator_interface.h>
#define FUZZ_COUNTS_ALLOCATION 1
#endif
#endif

// While it lives, no more than this many bytes may be held beyond those that were held before, by all threads together.
// One at a time.
class AllocationLimit {
 public:
  explicit AllocationLimit(std::ptrdiff_t most) : most_(most) {
    install();
    held_ = worst_ = 0;
    counting_ = true;
  }
  AllocationLimit(const AllocationLimit&) = delete;
  AllocationLimit& operator=(const AllocationLimit&) = delete;
  ~AllocationLimit() {
    counting_ = false;
    FUZZ_CHECK(worst_ <= most_);
  }

 private:
  static void install() {
#ifdef FUZZ_COUNTS_ALLOCATION
    static const int installed = __sanitizer_install_malloc_and_free_hooks(
        [](const volatile void*, std::size_t size) { add(static_cast<std::ptrdiff_t>(size)); },
        [](const volatile void* freed) {
          if (freed != nullptr) add(-static_cast<std::ptrdiff_t>(__sanitizer_get_allocated_size(freed)));
        });
    FUZZ_CHECK(installed != 0);
#endif
  }
  static void add(std::ptrdiff_t size) {
    if (!counting_) return;
    const std::ptrdiff_t held = held_ += size;
    std::ptrdiff_t worst = worst_;
    while (held > worst && !worst_.compare_exchange_weak(worst, held)) {
    }
  }

  static inline std::atomic<bool> counting_ = false;
  static inline std::atomic<std::ptrdiff_t> held_ = 0;
  static inline std::atomic<std::ptrdiff_t> worst_ = 0;
  std::ptrdiff_t most_;
};
