#include "byte_source.h"

#include <errno.h>
#include <evt/format.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "block_scan.h"
#include "format-spec/src/block/block_header.h"
#include "importer.h"
#include "libtrace-read/core/src/base/read_at.h"
#include "libtrace-read/core/src/base/temporary_file.h"

namespace evt {
namespace {

constexpr std::size_t kSpoolInMemory = 64 << 20;

std::size_t read_fully(int fd, std::byte* out, std::size_t size, int* error) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = ::read(fd, out + done, size - done);
    if (n > 0) {
      done += static_cast<std::size_t>(n);
    } else if (n == 0 || errno != EINTR) {
      *error = n == 0 ? 0 : errno;
      break;
    }
  }
  return done;
}

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
    // Shorter than it was, or unreadable: what is missing shows as a cut or as damage.
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

Status cannot_read(const std::string& name, int error) {
  return {Code::kIo, "cannot read " + name + ": " + strerror(error)};
}

// Reads a pipe to its end. Its first megabyte decides whether it is a trace at all, so that /dev/zero ends.
Result<std::unique_ptr<ByteSource>> spool(int fd, const std::string& name, Bytes already_read) {
  std::vector<std::byte> memory(already_read.begin(), already_read.end());
  std::size_t step = kFrontSize;
  int error = 0;
  for (bool first = true;; first = false) {
    const std::size_t before = memory.size();
    memory.resize(before + step);
    const std::size_t got = read_fully(fd, memory.data() + before, step, &error);
    memory.resize(before + got);
    if (error != 0) return cannot_read(name, error);
    const bool can_be_read =
        !first || importer_for(memory) != nullptr || find_block(memory, 0, EVT_FIRST_BLOCK_WITHIN) != kNoBlock;
    if (!can_be_read) return not_a_trace(name, memory);
    if (got < step) return {std::make_unique<MemorySource>(std::move(memory), name)};
    if (memory.size() >= kSpoolInMemory) break;
    step = std::min(memory.size(), kSpoolInMemory - memory.size());
  }

  const int file = temporary_file();
  if (file < 0) return Status(Code::kIo, "cannot make a temporary file for " + name + ": " + strerror(errno));
  std::uint64_t size = 0;
  std::size_t got = memory.size();
  while (got > 0) {
    if (!write_fully(file, memory.data(), got)) {
      const Status failed(Code::kIo, "cannot write the temporary file for " + name + ": " + strerror(errno));
      ::close(file);
      return failed;
    }
    size += got;
    memory.resize(std::min<std::size_t>(memory.size(), 1 << 20));
    got = read_fully(fd, memory.data(), memory.size(), &error);
  }
  if (error != 0) {
    ::close(file);
    return cannot_read(name, error);
  }
  return {std::make_unique<FileSource>(file, name, size)};
}

Result<std::unique_ptr<ByteSource>> open_any(int fd, bool owned, const std::string& name, Bytes already_read) {
  struct stat status;
  if (fstat(fd, &status) != 0) return cannot_read(name, errno);
  if (S_ISDIR(status.st_mode)) return Status(Code::kIo, "cannot read " + name + ": it is a directory");
  if (S_ISREG(status.st_mode) && lseek(fd, 0, SEEK_CUR) >= 0) {
    return {std::make_unique<FileSource>(fd, owned, name, status)};
  }
  auto spooled = spool(fd, name, already_read);
  if (owned) ::close(fd);
  return spooled;
}

// Describes what these bytes look like, for the message that they are no trace.
std::string describe_foreign(Bytes front) {
  struct Known {
    std::string_view magic;
    const char* what;
  };
  static constexpr Known kKnown[] = {
      {"\x89PNG", "it begins as a PNG image does"},
      {"PK\x03\x04", "it begins as a zip archive does"},
      {"\x1f\x8b", "it begins as a gzip file does"},
      {"\x28\xb5\x2f\xfd", "it begins as a zstd file does: decompress it first"},
      {"\x7f"
       "ELF",
       "it begins as a program does"},
      {"evtrace text", "it begins as the text form of a trace does: evt convert makes a trace of it"},
      {"version https://git-lfs", "it is a git-lfs pointer, not the file itself"},
  };
  const std::string_view text(reinterpret_cast<const char*>(front.data()), front.size());
  for (const Known& known : kKnown) {
    if (text.starts_with(known.magic)) return known.what;
  }
  const std::string_view start = text.substr(0, 512);
  if (std::all_of(start.begin(), start.end(), [](char c) { return c == '\0'; })) return "it begins with zeros";
  const auto is_text = [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t'; };
  if (std::all_of(start.begin(), start.end(), is_text)) return "it begins with plain text";
  return "no block header is in its first " + std::to_string(std::min<std::size_t>(front.size(), 1 << 20)) + " bytes";
}

}  // namespace

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

std::unique_ptr<ByteSource> open_memory(Bytes bytes) { return std::make_unique<MemorySource>(bytes); }

std::unique_ptr<ByteSource> append_to(std::unique_ptr<ByteSource> front, std::uint64_t size,
                                      std::vector<std::byte> more) {
  return std::make_unique<AppendedSource>(std::move(front), size, std::move(more));
}

Status not_a_trace(const std::string& name, Bytes front) {
  if (front.empty()) return {Code::kNotATrace, name + " is empty"};
  BlockHeader header;
  if (load_block_header(reinterpret_cast<const std::uint8_t*>(front.data()), front.size(), &header) ==
      HeaderState::kShort) {
    return {Code::kNotATrace, name + " is truncated inside its first block header"};
  }
  if (find_magic(front, 0, 1) == 0) {
    return {Code::kNotATrace, name + " begins as a trace does, but no block of it can be read"};
  }
  return {Code::kNotATrace, name + " is not a trace: " + describe_foreign(front)};
}

}  // namespace evt
