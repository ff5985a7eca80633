#include "shared_buffer.h"

#include <algorithm>

namespace evt {

SharedBuffer fresh_buffer(std::size_t size) {
  return std::make_shared<BufferBytes>(BufferBytes{std::make_unique_for_overwrite<std::byte[]>(size), size, size});
}

SharedBuffer BufferPool::make(std::size_t size) {
  // Blocks have a few sizes, so the first one nearly always fits. One that is far too large would be needed elsewhere.
  const auto fits = [size](const SharedBuffer& slice) {
    return slice->capacity >= size && slice->capacity / 8 <= size;
  };
  const auto found = std::find_if(spare_.rbegin(), spare_.rend(), fits);
  if (found == spare_.rend()) return fresh_buffer(size);
  SharedBuffer slice = std::move(*found);
  *found = std::move(spare_.back());
  spare_.pop_back();
  spare_bytes_ -= slice->capacity;
  return slice;
}

void BufferPool::keep(SharedBuffer slice) {
  kept_bytes_ += slice->size;
  kept_.push_back(std::move(slice));
}

void BufferPool::forget_kept() {
  for (SharedBuffer& slice : kept_) {
    if (slice.use_count() != 1 || spare_bytes_ + slice->capacity > most_spare_) continue;
    spare_bytes_ += slice->capacity;
    spare_.push_back(std::move(slice));
  }
  kept_.clear();
  kept_bytes_ = 0;
}

}  // namespace evt
