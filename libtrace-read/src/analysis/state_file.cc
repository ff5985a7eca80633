#include "state_file.h"

#include <errno.h>
#include <evt/little_endian.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "format-spec/src/crc32c.h"
#include "libtrace-read/src/temporary_file.h"

namespace evt {
namespace {

constexpr char kMagic[] = {'e', 'v', 't', 's', 't', 'a', 't', 'e'};
constexpr std::uint32_t kVersion = 1;  // of all that is in it, what analyses count included
constexpr std::size_t kHead = 16;      // magic, version, 0
constexpr std::size_t kTail = 32;      // offset and size of the directory, its crc, version, magic
constexpr int kLevel = 1;

}  // namespace

StateFileWriter::~StateFileWriter() {
  if (fd_ < 0) return;
  ::close(fd_);
  unlink(temporary_.c_str());
}

Status StateFileWriter::open(const std::string& path) {
  path_ = path;
  temporary_ = path + ".XXXXXX";
  fd_ = mkostemp(temporary_.data(), O_CLOEXEC);
  if (fd_ < 0) return {Code::kIo, fmt::format("cannot create {}: {}", path, strerror(errno))};
  fchmod(fd_, 0644);
  std::byte head[kHead] = {};
  memcpy(head, kMagic, sizeof kMagic);
  evt_store_u32(head + 8, kVersion);
  write(head, sizeof head);
  return status_;
}

void StateFileWriter::write(const void* bytes, std::size_t size) {
  size_ += size;
  if (!status_.ok() || write_fully(fd_, static_cast<const std::byte*>(bytes), size)) return;
  status_ = Status(Code::kIo, fmt::format("cannot write {}: {}", path_, strerror(errno)));
}

// The bytes of numbers apart by what they are worth: the upper ones are mostly zero.
StateCheckpoint StateFileWriter::append(std::span<const std::uint64_t> words) {
  planes_.resize(words.size() * 8);
  for (std::size_t plane = 0; plane < 8; ++plane) {
    std::byte* const to = planes_.data() + plane * words.size();
    for (std::size_t i = 0; i < words.size(); ++i) to[i] = static_cast<std::byte>(words[i] >> (8 * plane));
  }
  packed_.resize(ZSTD_compressBound(planes_.size()));
  const std::size_t size = ZSTD_compress(packed_.data(), packed_.size(), planes_.data(), planes_.size(), kLevel);
  if (ZSTD_isError(size) != 0U) {
    status_ = Status(Code::kMemory, fmt::format("cannot pack a checkpoint: {}", ZSTD_getErrorName(size)));
    return {};
  }
  const StateCheckpoint made{0,
                             size_,
                             static_cast<std::uint32_t>(size),
                             static_cast<std::uint32_t>(words.size()),
                             crc32c(0, packed_.data(), size),
                             false};
  write(packed_.data(), size);
  return made;
}

Status StateFileWriter::complete(const StateDirectory& directory) {
  const std::byte padding[8] = {};
  write(padding, (8 - size_ % 8) % 8);
  const std::vector<std::byte> message = encode(directory);
  std::byte tail[kTail] = {};
  evt_store_u64(tail, size_);
  evt_store_u64(tail + 8, message.size());
  evt_store_u32(tail + 16, crc32c(0, message.data(), message.size()));
  evt_store_u32(tail + 20, kVersion);
  memcpy(tail + 24, kMagic, sizeof kMagic);
  write(message.data(), message.size());
  write(tail, sizeof tail);
  if (!status_.ok()) return status_;
  if (rename(temporary_.c_str(), path_.c_str()) != 0) {
    return {Code::kIo, fmt::format("cannot rename a file to {}: {}", path_, strerror(errno))};
  }
  ::close(fd_);
  fd_ = -1;
  return {};
}

void StateFile::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  directory_ = {};
}

// Empty when the file does not have so many there, which is known before they are allocated.
std::vector<std::byte> StateFile::read(std::uint64_t offset, std::uint64_t size) const {
  if (offset > size_ || size > size_ - offset) return {};
  std::vector<std::byte> bytes(size);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = pread(fd_, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return {};
    done += static_cast<std::size_t>(n);
  }
  return bytes;
}

bool StateFile::open(const std::string& path) {
  close();
  fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat facts;
  if (fd_ < 0 || fstat(fd_, &facts) != 0 || !S_ISREG(facts.st_mode)) return close(), false;
  size_ = static_cast<std::uint64_t>(facts.st_size);
  if (size_ >= kHead + kTail && read_directory()) return true;
  return close(), false;
}

bool StateFile::read_directory() {
  const std::vector<std::byte> head = read(0, kHead);
  const std::vector<std::byte> tail = read(size_ - kTail, kTail);
  if (head.empty() || tail.empty()) return false;
  const std::uint64_t at = evt_load_u64(tail.data());
  const std::uint64_t size = evt_load_u64(tail.data() + 8);
  const bool is_state = memcmp(head.data(), kMagic, sizeof kMagic) == 0 &&
                        memcmp(tail.data() + 24, kMagic, sizeof kMagic) == 0 &&
                        evt_load_u32(tail.data() + 20) == kVersion;
  if (!is_state || at > size_ - kTail || size != size_ - kTail - at) return false;
  const std::vector<std::byte> message = read(at, size);
  return crc32c(0, message.data(), message.size()) == evt_load_u32(tail.data() + 16) && decode(message, &directory_);
}

std::vector<std::uint64_t> StateFile::words(const StateCheckpoint& checkpoint) const {
  const std::vector<std::byte> packed = read(checkpoint.offset, checkpoint.size);
  const std::size_t size = std::size_t{checkpoint.words} * 8;
  // What a file claims is not allocated before it is known to be so much.
  const bool claims_it = ZSTD_getFrameContentSize(packed.data(), packed.size()) == size;
  if (!claims_it || crc32c(0, packed.data(), packed.size()) != checkpoint.crc) return {};
  std::vector<std::byte> planes(size);
  if (ZSTD_decompress(planes.data(), size, packed.data(), packed.size()) != size) return {};
  std::vector<std::uint64_t> words(checkpoint.words);
  for (std::size_t plane = 0; plane < 8; ++plane) {
    const std::byte* const from = planes.data() + plane * words.size();
    for (std::size_t i = 0; i < words.size(); ++i) words[i] |= static_cast<std::uint64_t>(from[i]) << (8 * plane);
  }
  return words;
}

}  // namespace evt
