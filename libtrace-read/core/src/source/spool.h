// Bytes that can only be read from the start, kept so that they can be read anywhere.
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

  // Copies the next bytes; fewer than `size` only if they end or cannot be read.
  virtual std::size_t read(std::byte* out, std::size_t size) = 0;
  // Ok if it is worth keeping, by its first bytes: kFrontSize of them, or all of a shorter one.
  virtual Status accept(Bytes front) const = 0;
  // Ok if it is worth continuing at this size; an error if such bytes could not be read.
  virtual Status check(std::uint64_t size) const = 0;
};

// Reads all of it: up to `most_in_memory` bytes in memory, more in an unlinked temporary file. Leaves room for others
// in the file system of such files. Endless input is refused by its first bytes: /dev/zero, and bombs of zeros.
Result<std::unique_ptr<ByteSource>> spool(Incoming& incoming, const std::string& name, std::size_t most_in_memory);

}  // namespace evt
