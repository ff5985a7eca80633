// What cannot be seeked: a pipe, a terminal, a device.
#pragma once

#include <evt/decompression.h>

#include <string>
#include <vector>

#include "spool.h"

namespace evt {

class Pipe : public Incoming {
 public:
  // Of one that is not compressed.
  static constexpr std::size_t kMostInMemory = 64 << 20;

  // `already_read` were its first bytes.
  Pipe(int fd, std::string name, Bytes already_read);

  // Looks at its first bytes, which are read all the same.
  bool is_compressed() { return compression_of(front_) != nullptr; }

  std::size_t read(std::byte* out, std::size_t size) override;
  // That it is a trace, or of a format that is imported.
  Status accept(Bytes front) const override;
  Status check(std::uint64_t size) const override;

 private:
  std::size_t read_on(std::byte* out, std::size_t size);

  int fd_;
  std::string name_;
  std::vector<std::byte> front_;
  std::size_t used_ = 0;  // of these
  int error_ = 0;
};

}  // namespace evt
