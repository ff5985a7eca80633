// Decoded bytes of blocks: who has how many of them, and whose memory is used again.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace evt {

struct SliceBytes {
  std::unique_ptr<std::byte[]> data;
  std::size_t size = 0;
  std::size_t capacity = 0;
};
using Slice = std::shared_ptr<SliceBytes>;

// Fresh memory costs more than what it is filled with, so it goes round.
class SlicePool {
 public:
  explicit SlicePool(std::size_t most_spare) : most_spare_(most_spare) {}

  // Of `size` bytes, whatever they are.
  Slice make(std::size_t size);
  // Read to its end, but rows in the window point into it.
  void keep(Slice slice);
  std::size_t kept_bytes() const { return kept_bytes_; }
  // The window goes on.
  void forget_kept();

 private:
  std::size_t most_spare_;
  std::vector<Slice> kept_;
  std::size_t kept_bytes_ = 0;
  std::vector<Slice> spare_;
  std::size_t spare_bytes_ = 0;
};

}  // namespace evt
