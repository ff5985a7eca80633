#include "huge_pages.h"

#include <errno.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace evt::tools {
namespace {

constexpr std::uintptr_t kHugePage = 2 << 20;
constexpr std::uintptr_t kSmallHeap = 4 << 20;

// Huge pages were asked for up to this address of the heap; 0: they are not. Two threads may ask for the same pages,
// and after the heap was trimmed the same addresses have ordinary ones: neither does harm.
std::atomic<std::uintptr_t> asked_to{0};

std::uintptr_t heap_end() { return reinterpret_cast<std::uintptr_t>(sbrk(0)); }

std::uintptr_t down(std::uintptr_t address) { return address / kHugePage * kHugePage; }
std::uintptr_t up(std::uintptr_t address) { return down(address + kHugePage - 1); }

// It is advice: an error means that they stay ordinary. REQUIRES: both are the start of a huge page.
void ask_for(std::uintptr_t begin, std::uintptr_t end) {
  const int saved = errno;  // messages that name an error are made of new memory
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  errno = saved;
}

bool is_limited(auto resource) {
  rlimit limit{};
  return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

void HugePages::begin() {
  // malloc does not try with less where a large piece is refused.
  if (is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA)) return;
  mallopt(M_TOP_PAD, 16 * kHugePage);
  mallopt(M_TRIM_THRESHOLD, 32 * kHugePage);
  mallopt(M_MMAP_THRESHOLD, 16 * kHugePage);
  asked_to = up(heap_end() + kSmallHeap);
}

void HugePages::note(const void* memory, std::size_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t end = begin + size;
  const std::uintptr_t asked = asked_to.load(std::memory_order_relaxed);
  if (end <= asked || asked == 0) return;
  const std::uintptr_t heap = heap_end();
  if (end <= heap) {
    ask_for(asked, down(heap));
    asked_to.store(down(heap), std::memory_order_relaxed);
  } else if (size >= 2 * kHugePage) {
    ask_for(up(begin), down(end));  // a mapping of its own
  }
}

}  // namespace evt::tools
