#include "spool.h"

#include <errno.h>
#include <fmt/core.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "block_scan.h"
#include "libtrace-read/core/src/base/temporary_file.h"

namespace evt {
namespace {

constexpr std::size_t kStep = 1 << 20;

// Writes until the end; returns the number of bytes, or why not.
Result<std::uint64_t> write_all(Incoming& incoming, const std::string& name, std::vector<std::byte> begun, int file) {
  std::uint64_t size = 0;
  for (std::size_t got = begun.size(); got > 0; got = incoming.read(begun.data(), begun.size())) {
    size += got;
    if (Status status = incoming.check(size); !status.ok()) return status;
    if (const std::uint64_t kept = kept_free(file); !leaves_free(file, kept, got)) {
      return Status(Code::kIo, fmt::format("cannot keep {} in a temporary file: {} MiB have to stay free in the folder "
                                           "of temporary files (TMPDIR names another)",
                                           name, kept >> 20));
    }
    if (!write_fully(file, begun.data(), got)) {
      return Status(Code::kIo, fmt::format("cannot write the temporary file for {}: {}", name, strerror(errno)));
    }
    begun.resize(std::min(begun.size(), kStep));
  }
  if (Status status = incoming.check(size); !status.ok()) return status;
  return size;
}

Result<std::unique_ptr<ByteSource>> spool_in_file(Incoming& incoming, const std::string& name,
                                                  std::vector<std::byte> begun) {
  const int file = temporary_file();
  if (file < 0) {
    return Status(Code::kIo, fmt::format("cannot make a temporary file for {}: {}", name, strerror(errno)));
  }
  auto size = write_all(incoming, name, std::move(begun), file);
  if (size) return temporary_source(file, name, *size);
  ::close(file);
  return size.status();
}

}  // namespace

Result<std::unique_ptr<ByteSource>> spool(Incoming& incoming, const std::string& name, std::size_t most_in_memory) {
  std::vector<std::byte> memory;
  for (std::size_t step = kFrontSize; step > 0; step = std::min(memory.size(), most_in_memory - memory.size())) {
    const std::size_t before = memory.size();
    memory.resize(before + step);
    const std::size_t got = incoming.read(memory.data() + before, step);
    memory.resize(before + got);
    if (Status status = incoming.check(memory.size()); !status.ok()) return status;
    if (before == 0) {
      if (Status status = incoming.accept(memory); !status.ok()) return status;
    }
    if (got < step) return memory_source(std::move(memory), name);
    if (memory.size() >= most_in_memory) break;
  }
  return spool_in_file(incoming, name, std::move(memory));
}

}  // namespace evt
