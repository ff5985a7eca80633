#include "byte_source.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "libtrace-read/core/src/base/read_at.h"

namespace evt {
namespace {

class FileSource : public ByteSource {
 public:
  // A temporary file of `spooled` bytes.
  FileSource(int fd, std::string name, std::uint64_t spooled) : fd_(fd), owned_(true) {
    name_ = std::move(name);
    size_ = spooled_ = spooled;
  }
  FileSource(int fd, bool owned, std::string name, const struct stat& status) : fd_(fd), owned_(owned) {
    name_ = std::move(name);
    size_ = static_cast<std::uint64_t>(status.st_size);
    identity_ = {status.st_dev, status.st_ino, status.st_uid};
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override {
    if (owned_) ::close(fd_);
  }

  std::size_t read_at(std::uint64_t offset, std::byte* out, std::size_t size) override {
    if (offset >= size_) return 0;
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, size_ - offset));
    // The file shrank, or is unreadable: the missing bytes show as truncation or as damage.
    return evt::read_at(fd_, offset, out, size);
  }

  std::unique_ptr<ByteSource> again() const override {
    struct stat status;
    const int fd = identity_ && fstat(fd_, &status) == 0 ? ::fcntl(fd_, F_DUPFD_CLOEXEC, 3) : -1;
    if (fd < 0) return nullptr;
    return std::make_unique<FileSource>(fd, true, name_, status);
  }

 private:
  int fd_;
  bool owned_;
};

class AppendedSource : public ByteSource {
 public:
  AppendedSource(std::unique_ptr<ByteSource> front, std::uint64_t size, std::vector<std::byte> more)
      : front_(std::move(front)), front_size_(size), more_(std::move(more)) {
    name_ = front_->name();
    spooled_ = front_->spooled_bytes();
    size_ = front_size_ + more_.size();
  }

  std::size_t read_at(std::uint64_t offset, std::byte* out, std::size_t size) override {
    std::size_t done = 0;
    if (offset < front_size_) {
      const auto in_front = static_cast<std::size_t>(std::min<std::uint64_t>(size, front_size_ - offset));
      done = front_->read_at(offset, out, in_front);
      if (done < in_front) return done;
    }
    const std::uint64_t at = offset + done - front_size_;
    if (done == size || at >= more_.size()) return done;
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(size - done, more_.size() - at));
    std::copy_n(more_.begin() + static_cast<std::ptrdiff_t>(at), count, out + done);
    return done + count;
  }

 private:
  std::unique_ptr<ByteSource> front_;
  std::uint64_t front_size_;
  std::vector<std::byte> more_;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(Bytes bytes) : bytes_(bytes) {
    name_ = "memory";
    size_ = bytes.size();
  }
  MemorySource(std::vector<std::byte> bytes, std::string name) : owned_(std::move(bytes)), bytes_(owned_) {
    name_ = std::move(name);
    size_ = owned_.size();
  }

  std::size_t read_at(std::uint64_t offset, std::byte* out, std::size_t size) override {
    if (offset >= size_) return 0;
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, size_ - offset));
    if (size > 0) memcpy(out, bytes_.data() + offset, size);
    return size;
  }

 private:
  std::vector<std::byte> owned_;
  Bytes bytes_;
};

}  // namespace

std::unique_ptr<ByteSource> file_source(int fd, bool owned, std::string name, const struct stat& facts) {
  return std::make_unique<FileSource>(fd, owned, std::move(name), facts);
}

std::unique_ptr<ByteSource> temporary_source(int fd, std::string name, std::uint64_t size) {
  return std::make_unique<FileSource>(fd, std::move(name), size);
}

std::unique_ptr<ByteSource> memory_source(Bytes bytes) { return std::make_unique<MemorySource>(bytes); }

std::unique_ptr<ByteSource> memory_source(std::vector<std::byte> bytes, std::string name) {
  return std::make_unique<MemorySource>(std::move(bytes), std::move(name));
}

void ByteSource::set_made_from(MadeFrom from) {
  spooled_ = from.spooled;
  made_from_ = from.size;
  damage_ = std::move(from.damage);
  notes_ = std::move(from.notes);
}

std::unique_ptr<ByteSource> append_to(std::unique_ptr<ByteSource> front, std::uint64_t size,
                                      std::vector<std::byte> more) {
  return std::make_unique<AppendedSource>(std::move(front), size, std::move(more));
}

}  // namespace evt
