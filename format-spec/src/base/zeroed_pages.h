// Large memory of which little will ever be touched: the system has it for nothing. malloc() has not, once it was given
// such memory back: it keeps it, wipes all of it each time, and cuts it up for what is small and stays.
#pragma once

#include <sys/mman.h>

namespace evt {

// A T of zeros, whose life begins by that; null when there is no memory.
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
