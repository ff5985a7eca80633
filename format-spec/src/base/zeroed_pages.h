// Large memory of which little will ever be touched: untouched pages cost nothing. malloc() keeps such memory once it
// was freed, wipes all of it each time, and splits it for small long-lived allocations.
#pragma once

#include <sys/mman.h>

namespace evt {

// A zeroed T, whose lifetime begins here; null if there is no memory.
template <typename T>
T* map_zeroed() {
  void* const pages =
      mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? nullptr : static_cast<T*>(pages);
}

template <typename T>
void unmap_zeroed(T* pages) {
  if (pages != nullptr) munmap(pages, sizeof(T));
}

}  // namespace evt
