#include "state_file.h"

#include <errno.h>
#include <evt/little_endian.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
  const StateCheckpoint made{0, size_, static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(words.size()),
                             crc32c(0, packed_.data(), size)};
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
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  bytes_ = {};
  directory_ = {};
}

bool StateFile::open(const std::string& path) {
  close();
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  struct stat facts;
  const bool usable =
      fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode) && static_cast<std::uint64_t>(facts.st_size) >= kHead + kTail;
  void* const memory =
      usable ? mmap(nullptr, static_cast<std::size_t>(facts.st_size), PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  ::close(fd);
  if (memory == MAP_FAILED) return false;
  bytes_ = {static_cast<const std::byte*>(memory), static_cast<std::size_t>(facts.st_size)};
  const std::byte* const tail = bytes_.data() + bytes_.size() - kTail;
  const std::uint64_t at = evt_load_u64(tail);
  const std::uint64_t size = evt_load_u64(tail + 8);
  const bool is_state = memcmp(bytes_.data(), kMagic, sizeof kMagic) == 0 &&
                        memcmp(tail + 24, kMagic, sizeof kMagic) == 0 && evt_load_u32(tail + 20) == kVersion;
  if (is_state && at <= bytes_.size() - kTail && size == bytes_.size() - kTail - at) {
    const Bytes message = bytes_.subspan(at, size);
    const bool whole = crc32c(0, message.data(), message.size()) == evt_load_u32(tail + 16);
    if (whole && decode(message, &directory_)) return true;
  }
  close();
  return false;
}

std::vector<std::uint64_t> StateFile::words(const StateCheckpoint& checkpoint) const {
  if (checkpoint.offset > bytes_.size() || checkpoint.size > bytes_.size() - checkpoint.offset) return {};
  const Bytes packed = bytes_.subspan(checkpoint.offset, checkpoint.size);
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
