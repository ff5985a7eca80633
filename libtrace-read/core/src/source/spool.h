// Bytes that can be read from the front only, kept so that they can be read anywhere.
#pragma once

#include <evt/status.h>

#include <memory>
#include <string>

#include "byte_source.h"

namespace evt {

class Incoming {
 public:
  Incoming() = default;
  Incoming(const Incoming&) = delete;
  Incoming& operator=(const Incoming&) = delete;
  virtual ~Incoming() = default;

  // Copies the next bytes; fewer than `size` where they end or cannot be read.
  virtual std::size_t read(std::byte* out, std::size_t size) = 0;
  // Whether it is worth keeping, by its first bytes: kFrontSize of them, or all of what is shorter.
  virtual Status accept(Bytes front) const = 0;
  // Whether it is worth going on when there are so many bytes: an error if they could not be read.
  virtual Status check(std::uint64_t size) const = 0;
};

// All of it: up to `most_in_memory` bytes in memory, more in an unlinked temporary file. That leaves room for others in
// the file system of such files. What does not end is refused by its front: /dev/zero, and bombs of zeros.
Result<std::unique_ptr<ByteSource>> spool(Incoming& incoming, const std::string& name, std::size_t most_in_memory);

}  // namespace evt
