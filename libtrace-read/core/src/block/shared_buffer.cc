#include "shared_buffer.h"

#include <bit>

namespace evt {
namespace {

// Rounds up, by at most an eighth, so that there are few capacities and a spare buffer that fits is found at once.
std::size_t rounded(std::size_t size) {
  constexpr unsigned kDigits = 4;
  const auto bits = static_cast<unsigned>(std::bit_width(size));
  const unsigned low = bits > kDigits ? bits - kDigits : 0;
  return ((size + (std::size_t{1} << low) - 1) >> low) << low;
}

}  // namespace

SharedBuffer fresh_buffer(std::size_t size) {
  return std::make_shared<BufferBytes>(BufferBytes{std::make_unique_for_overwrite<std::byte[]>(size), size, size});
}

SharedBuffer BufferPool::make(std::size_t size) {
  const std::size_t capacity = rounded(size);
  // One that is far too large would be needed elsewhere.
  for (auto found = spare_.lower_bound(capacity); found != spare_.end() && found->first / 8 <= size; ++found) {
    if (found->second.empty()) continue;
    SharedBuffer slice = std::move(found->second.back());
    slice->size = size;
    found->second.pop_back();
    spare_bytes_ -= slice->capacity;
    return slice;
  }
  SharedBuffer slice = fresh_buffer(capacity);
  slice->size = size;
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
    spare_[slice->capacity].push_back(std::move(slice));
  }
  kept_.clear();
  kept_bytes_ = 0;
}

}  // namespace evt
