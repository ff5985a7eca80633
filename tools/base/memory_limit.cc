#include "memory_limit.h"

#include <fmt/core.h>
#include <malloc.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <new>

#include "huge_pages.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define EVT_COUNTS_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define EVT_COUNTS_MEMORY 0
#endif
#endif
#ifndef EVT_COUNTS_MEMORY
#define EVT_COUNTS_MEMORY 1
#endif

namespace evt::tools {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::uint64_t kBaseMiB = 192;
constexpr std::uint64_t kTimes = 32;  // the bytes of what is read

// Memory is taken before main() begins, so nothing here may need to be made first. Atomic, as blocks are decoded on
// another thread.
[[maybe_unused]] std::atomic<std::uint64_t> taken{0};  // not where a sanitizer has the memory
std::atomic<std::uint64_t> limit{UINT64_MAX};
std::atomic<bool> refused{false};

std::uint64_t size_of(const struct stat& facts) {
  return S_ISREG(facts.st_mode) ? static_cast<std::uint64_t>(facts.st_size) : 0;
}

// Of what the environment asks for; 0: that is no number of MiB.
std::uint64_t mib_of(const char* request) {
  if (request == nullptr || *request == '\0') return kBaseMiB;
  std::uint32_t mib = 0;
  const char* const end = request + std::strlen(request);
  const auto [read, error] = std::from_chars(request, end, mib);
  return error == std::errc() && read == end ? mib : 0;
}

}  // namespace

Status MemoryLimit::begin(int words, const char* const* word) {
  const char* const request = std::getenv("EVT_MEMORY_MIB");
  const std::uint64_t mib = mib_of(request);
  if (mib == 0) {
    return {Code::kInvalid, fmt::format("EVT_MEMORY_MIB: expected a number of MiB from 1 on, found {}", request)};
  }
  limit = mib * kMiB;
  struct stat facts;
  if (fstat(STDIN_FILENO, &facts) == 0) allow_for(size_of(facts));
  for (int i = 1; i < words; ++i) {
    if (stat(word[i], &facts) == 0) allow_for(size_of(facts));
  }
  return {};
}

void MemoryLimit::allow_for(std::uint64_t bytes) { allow(bytes < UINT64_MAX / kTimes ? bytes * kTimes : UINT64_MAX); }

std::uint64_t MemoryLimit::most() { return limit; }

void MemoryLimit::allow(std::uint64_t bytes) {
  const std::uint64_t before = limit;
  limit = bytes < UINT64_MAX - before ? before + bytes : UINT64_MAX;
}

Status MemoryLimit::lift() {
  const std::uint64_t most = limit.exchange(UINT64_MAX);
  if (!refused) return {};
  return {Code::kMemory, fmt::format("more than {} MiB of memory would be needed, more than the input justifies: no "
                                     "answer (EVT_MEMORY_MIB=N in the environment allows more)",
                                     most / kMiB)};
}

}  // namespace evt::tools

#if EVT_COUNTS_MEMORY
// All of the family, also where another allocator is preloaded that has some of them: what one of them hands out,
// another takes back.
namespace evt::tools {
namespace {

thread_local bool is_measuring = false;

// What the allocator hands out counts, which may be more than was asked for. One that asks for memory itself to know
// that does so once, and keeps it.
std::uint64_t size_of(void* memory) {
  if (is_measuring) return 0;
  is_measuring = true;
  const std::uint64_t size = malloc_usable_size(memory);
  is_measuring = false;
  return size;
}

// It is counted before it is touched.
void* take(std::size_t size, std::size_t alignment) noexcept {
  if (taken.load(std::memory_order_relaxed) + size > limit.load(std::memory_order_relaxed)) {
    refused = true;
    return nullptr;
  }
  if (size == 0) size = 1;
  void* memory = nullptr;
  if (alignment == 0) {
    memory = std::malloc(size);
  } else if (posix_memalign(&memory, std::max(alignment, sizeof(void*)), size) != 0) {
    return nullptr;
  }
  if (memory == nullptr) return nullptr;
  HugePages::note(memory, size);
  taken.fetch_add(size_of(memory), std::memory_order_relaxed);
  return memory;
}

void* take_or_throw(std::size_t size, std::size_t alignment) {
  void* const memory = take(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void give(void* memory) noexcept {
  if (memory == nullptr) return;
  taken.fetch_sub(size_of(memory), std::memory_order_relaxed);
  std::free(memory);
}

constexpr std::size_t of(std::align_val_t alignment) { return static_cast<std::size_t>(alignment); }

}  // namespace
}  // namespace evt::tools

using evt::tools::give;
using evt::tools::of;
using evt::tools::take;
using evt::tools::take_or_throw;

void* operator new(std::size_t size) { return take_or_throw(size, 0); }
void* operator new[](std::size_t size) { return take_or_throw(size, 0); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return take(size, 0); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return take(size, 0); }
void* operator new(std::size_t size, std::align_val_t to) { return take_or_throw(size, of(to)); }
void* operator new[](std::size_t size, std::align_val_t to) { return take_or_throw(size, of(to)); }
void* operator new(std::size_t size, std::align_val_t to, const std::nothrow_t&) noexcept { return take(size, of(to)); }
void* operator new[](std::size_t size, std::align_val_t to, const std::nothrow_t&) noexcept {
  return take(size, of(to));
}

void operator delete(void* memory) noexcept { give(memory); }
void operator delete[](void* memory) noexcept { give(memory); }
void operator delete(void* memory, std::size_t) noexcept { give(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { give(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { give(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { give(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { give(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept { give(memory); }
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept { give(memory); }
#endif
