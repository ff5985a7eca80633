// Decoded bytes of blocks: their owners, and reuse of their memory.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace evt {

struct BufferBytes {
  std::unique_ptr<std::byte[]> data;
  std::size_t size = 0;
  std::size_t capacity = 0;
};
using SharedBuffer = std::shared_ptr<BufferBytes>;

// Not initialised.
SharedBuffer fresh_buffer(std::size_t size);

// Reuses buffers, because fresh memory costs more than filling it.
class BufferPool {
 public:
  explicit BufferPool(std::size_t most_spare) : most_spare_(most_spare) {}

  // A buffer of `size` bytes, not initialised; it may have room for more.
  SharedBuffer make(std::size_t size);
  // Keeps a slice that was read to its end, because rows in the window point into it.
  void keep(SharedBuffer slice);
  std::size_t kept_bytes() const { return kept_bytes_; }
  // The window moves on.
  void forget_kept();

 private:
  std::size_t most_spare_;
  std::vector<SharedBuffer> kept_;
  std::size_t kept_bytes_ = 0;
  std::map<std::size_t, std::vector<SharedBuffer>> spare_;  // by capacity
  std::size_t spare_bytes_ = 0;
};

}  // namespace evt
