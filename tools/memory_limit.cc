#include "memory_limit.h"

#include <fmt/core.h>
#include <malloc.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <new>

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
  return {Code::kMemory,
          fmt::format("more than {} MiB of memory would be needed, which what is read is too small to be worth: there "
                      "is no answer (EVT_MEMORY_MIB=N in the environment allows more)",
                      most / kMiB)};
}

}  // namespace evt::tools

#if EVT_COUNTS_MEMORY
// What the system hands out counts, which may be more than was asked for. It is counted before it is touched.
void* operator new(std::size_t size) {
  using namespace evt::tools;
  if (taken.load(std::memory_order_relaxed) + size > limit.load(std::memory_order_relaxed)) {
    refused = true;
    throw std::bad_alloc();
  }
  void* const memory = std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  taken.fetch_add(malloc_usable_size(memory), std::memory_order_relaxed);
  return memory;
}

void operator delete(void* memory) noexcept {
  if (memory == nullptr) return;
  evt::tools::taken.fetch_sub(malloc_usable_size(memory), std::memory_order_relaxed);
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
#endif
