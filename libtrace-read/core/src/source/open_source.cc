#include "open_source.h"

#include <errno.h>
#include <evt/decompression.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "block_scan.h"
#include "foreign_files.h"
#include "importer.h"
#include "libtrace-read/core/src/base/temporary_file.h"

namespace evt {
namespace {

// Bytes that can only be read from the start, kept so that they can be read anywhere.
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

// Reads all of it: up to `most_in_memory` bytes in memory, more in an unlinked temporary file. Leaves room for others
// in the file system of such files. Endless input is refused by its first bytes: /dev/zero, and bombs of zeros.
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

// Gzip shrinks a run of one byte to a thousandth, the most regular traces to a hundredth.
constexpr std::uint64_t kMostTimes = 1000;
constexpr std::uint64_t kNeverABomb = 64 << 20;
// Several may be open at a time.
constexpr std::size_t kMostInMemory = kFrontSize;

class Decompressed : public Incoming {
 public:
  Decompressed(std::string name, Decompression::Read compressed)
      : name_(std::move(name)), decompression_(std::move(compressed)) {}

  const Decompression& decompression() const { return decompression_; }

  std::size_t read(std::byte* out, std::size_t size) override { return decompression_.read(out, size); }

  Status accept(Bytes front) const override {
    if (const auto& damage = decompression_.damage(); damage && front.empty()) {
      return {Code::kNotATrace, fmt::format("{} cannot be decompressed: {}", name_, damage->reason), damage->offset};
    }
    // A file that was compressed twice may look like a trace by chance.
    const bool is_read = compression_of(front) == nullptr && may_be_trace(front);
    return is_read ? Status() : not_a_trace(name_ + ", decompressed,", front);
  }

  Status check(std::uint64_t size) const override {
    if (size <= kNeverABomb || size / kMostTimes <= decompression_.taken()) return {};
    return {Code::kNotATrace,
            fmt::format("{} is not a trace: it decompresses to more than {} MiB and {} times its size", name_,
                        kNeverABomb >> 20, kMostTimes)};
  }

 private:
  std::string name_;
  Decompression decompression_;
};

// Returns the decompressed bytes of a compressed file; the file itself if it is not compressed. A small one is in
// memory, a larger one in a temporary file. If the compressed bytes are damaged, what precedes is there, and the rest
// is damage, at offsets of the compressed file. Errors: kNotATrace, if nothing comes out, or nothing that opens; or if
// it is a bomb: more than 64 MiB, and more than a thousand times the compressed size. kIo: there is no room for it.
Result<std::unique_ptr<ByteSource>> decompressed(std::unique_ptr<ByteSource> file) {
  std::byte front[kCompressionFront];
  if (compression_of({front, file->read_at(0, front, sizeof front)}) == nullptr) return file;
  std::uint64_t at = 0;
  Decompressed incoming(file->name(), [&](std::byte* out, std::size_t size) {
    const std::size_t got = file->read_at(at, out, size);
    at += got;
    return got;
  });
  auto spooled = spool(incoming, file->name(), kMostInMemory);
  if (!spooled) return spooled;
  MadeFrom from;
  from.size = file->size();
  if (incoming.decompression().damage()) {
    from.damage.push_back(*incoming.decompression().damage());
    from.damage.front().length = file->size() - from.damage.front().offset;
  }
  (*spooled)->set_made_from(std::move(from));
  return spooled;
}

// Like decompressed(), for a compressed pipe.
Result<std::unique_ptr<ByteSource>> spool_decompressed(Incoming& compressed, const std::string& name) {
  std::uint64_t size = 0;
  Decompressed incoming(name, [&](std::byte* out, std::size_t wanted) {
    const std::size_t got = compressed.read(out, wanted);
    size += got;
    return got;
  });
  auto spooled = spool(incoming, name, kMostInMemory);
  if (Status status = compressed.check(size); !status.ok()) return status;
  // How much follows damage is unknown: it is not read.
  MadeFrom from;
  from.size = size;
  if (incoming.decompression().damage()) from.damage.push_back(*incoming.decompression().damage());
  if (spooled) (*spooled)->set_made_from(std::move(from));
  return spooled;
}

// Anything that is not seekable: a pipe, a terminal, a device.
class Pipe : public Incoming {
 public:
  // If not compressed.
  static constexpr std::size_t kMostInMemory = 64 << 20;

  // `already_read`: its first bytes.
  Pipe(int fd, std::string name, Bytes already_read)
      : fd_(fd), name_(std::move(name)), front_(already_read.begin(), already_read.end()) {
    const std::size_t before = front_.size();
    if (before >= kCompressionFront) return;
    front_.resize(kCompressionFront);
    front_.resize(before + read_on(front_.data() + before, kCompressionFront - before));
  }

  // Looks at its first bytes, which stay readable.
  bool is_compressed() { return compression_of(front_) != nullptr; }

  std::size_t read(std::byte* out, std::size_t size) override {
    const std::size_t known = std::min(size, front_.size() - used_);
    std::copy_n(front_.begin() + static_cast<std::ptrdiff_t>(used_), known, out);
    used_ += known;
    return known + read_on(out + known, size - known);
  }

  // Checks that it is a trace, or has a format that is imported.
  Status accept(Bytes front) const override { return may_be_trace(front) ? Status() : not_a_trace(name_, front); }

  Status check(std::uint64_t /*size*/) const override {
    if (error_ == 0) return {};
    return {Code::kIo, "cannot read " + name_ + ": " + strerror(error_)};
  }

 private:
  std::size_t read_on(std::byte* out, std::size_t size) {
    std::size_t done = 0;
    while (done < size && error_ == 0) {
      const ssize_t n = ::read(fd_, out + done, size - done);
      if (n == 0) break;
      if (n > 0) {
        done += static_cast<std::size_t>(n);
      } else if (errno != EINTR) {
        error_ = errno;
      }
    }
    return done;
  }

  int fd_;
  std::string name_;
  std::vector<std::byte> front_;
  std::size_t used_ = 0;  // bytes taken from front_
  int error_ = 0;
};

Status cannot_read(const std::string& name, int error) {
  return {Code::kIo, "cannot read " + name + ": " + strerror(error)};
}

// Takes ownership of the descriptor if it is owned.
Result<std::unique_ptr<ByteSource>> open_any(int fd, bool owned, const std::string& name, Bytes already_read) {
  struct stat status;
  if (fstat(fd, &status) != 0) return cannot_read(name, errno);
  if (S_ISDIR(status.st_mode)) return Status(Code::kIo, "cannot read " + name + ": it is a directory");
  if (S_ISREG(status.st_mode) && lseek(fd, 0, SEEK_CUR) >= 0) {
    return decompressed(file_source(fd, owned, name, status));
  }
  Pipe pipe(fd, name, already_read);
  auto spooled = pipe.is_compressed() ? spool_decompressed(pipe, name) : spool(pipe, name, Pipe::kMostInMemory);
  if (owned) ::close(fd);
  return spooled;
}

}  // namespace

bool may_be_trace(Bytes front) {
  return importer_for(front) != nullptr || find_block(front, 0, EVT_FIRST_BLOCK_WITHIN) != kNoBlock;
}

Result<std::unique_ptr<ByteSource>> as_trace(Result<std::unique_ptr<ByteSource>> source) {
  if (!source) return source;
  std::vector<std::byte> front(Importer::kBytes);
  front.resize((*source)->read_at(0, front.data(), front.size()));
  const Importer* const importer = importer_for(front);
  return importer == nullptr ? std::move(source) : importer->open(*std::move(source));
}

Result<std::unique_ptr<ByteSource>> open_file(const std::string& path) {
  int fd;
  do {
    fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) return Status(Code::kIo, "cannot open " + path + ": " + strerror(errno));
  return open_any(fd, true, path, {});
}

Result<std::unique_ptr<ByteSource>> open_descriptor(int descriptor, const std::string& name, Bytes already_read) {
  return open_any(descriptor, false, name, already_read);
}

Result<std::unique_ptr<ByteSource>> open_memory(Bytes bytes) { return decompressed(memory_source(bytes)); }

Result<std::unique_ptr<ByteSource>> open_trace_file(const std::string& path) {
  struct stat status;
  const bool is_folder = stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  return is_folder && is_imported_folder(path) ? open_imported_folder(path) : as_trace(open_file(path));
}

Result<std::unique_ptr<ByteSource>> open_trace_descriptor(int descriptor, const std::string& name, Bytes already_read) {
  struct stat status;
  const bool is_folder = fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
  return is_folder && is_imported_folder(name) ? open_imported_folder(name)
                                               : as_trace(open_descriptor(descriptor, name, already_read));
}

}  // namespace evt
