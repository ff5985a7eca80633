// Decoded bytes of blocks: who has how many of them, and whose memory is used again.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace evt {

struct BufferBytes {
  std::unique_ptr<std::byte[]> data;
  std::size_t size = 0;
  std::size_t capacity = 0;
};
using SharedBuffer = std::shared_ptr<BufferBytes>;

// Fresh memory costs more than what it is filled with, so it goes round.
class BufferPool {
 public:
  explicit BufferPool(std::size_t most_spare) : most_spare_(most_spare) {}

  // Of `size` bytes, whatever they are.
  SharedBuffer make(std::size_t size);
  // Read to its end, but rows in the window point into it.
  void keep(SharedBuffer slice);
  std::size_t kept_bytes() const { return kept_bytes_; }
  // The window goes on.
  void forget_kept();

 private:
  std::size_t most_spare_;
  std::vector<SharedBuffer> kept_;
  std::size_t kept_bytes_ = 0;
  std::vector<SharedBuffer> spare_;
  std::size_t spare_bytes_ = 0;
};

}  // namespace evt
