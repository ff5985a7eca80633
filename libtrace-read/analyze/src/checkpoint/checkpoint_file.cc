#include "checkpoint_file.h"

#include <errno.h>
#include <evt/little_endian.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <memory>

#include "format-spec/src/block/crc32c.h"
#include "libtrace-read/core/src/base/temporary_file.h"

namespace evt {
namespace {

constexpr char kMagic[] = {'e', 'v', 't', 's', 't', 'a', 't', 'e'};
constexpr std::uint32_t kVersion = 5;  // of all that is in it, what analyses count included
constexpr std::size_t kHead = 16;      // magic, version, 0
constexpr std::size_t kTail = 32;      // offset and size of the directory, its crc, version, magic
constexpr int kLevel = 1;
constexpr int kWindowLog = 23;  // as in traces
constexpr std::size_t kPiece = 64 << 10;

}  // namespace

Status CheckpointFileWriter::open(const std::string& path) {
  path_ = path;
  if (!file_.open(path, 0600)) return {Code::kIo, fmt::format("cannot create {}: {}", path, strerror(errno))};
  std::byte head[kHead] = {};
  memcpy(head, kMagic, sizeof kMagic);
  evt_store_u32(head + 8, kVersion);
  write(head, sizeof head);
  return status_;
}

void CheckpointFileWriter::write(const void* bytes, std::size_t size) {
  size_ += size;
  if (!status_.ok() || write_fully(file_.fd(), static_cast<const std::byte*>(bytes), size)) return;
  status_ = Status(Code::kIo, fmt::format("cannot write {}: {}", path_, strerror(errno)));
}

// The bytes of numbers apart by what they are worth: the upper ones are mostly zero.
StoredCheckpoint CheckpointFileWriter::append(std::span<const std::uint64_t> words) {
  planes_.resize(words.size() * 8);
  for (std::size_t plane = 0; plane < 8; ++plane) {
    std::byte* const to = planes_.data() + plane * words.size();
    for (std::size_t i = 0; i < words.size(); ++i) to[i] = static_cast<std::byte>(words[i] >> (8 * plane));
  }
  packed_.resize(ZSTD_compressBound(planes_.size()));
  const std::size_t size = ZSTD_compress(packed_.data(), packed_.size(), planes_.data(), planes_.size(), kLevel);
  if (ZSTD_isError(size) != 0U) {
    status_ = Status(Code::kMemory, fmt::format("cannot compress a checkpoint: {}", ZSTD_getErrorName(size)));
    return {};
  }
  const StoredCheckpoint made{0,
                              size_,
                              static_cast<std::uint32_t>(size),
                              static_cast<std::uint32_t>(words.size()),
                              crc32c(0, packed_.data(), size),
                              false};
  write(packed_.data(), size);
  return made;
}

Status CheckpointFileWriter::complete(CheckpointDirectory directory) {
  const std::byte padding[8] = {};
  write(padding, (8 - size_ % 8) % 8);
  std::vector<std::byte> message = encode(directory);
  if (message.size() > most_directory(directory.sessions.size())) {
    for (CheckpointDirectory::OfSession& session : directory.sessions)
      session = {session.uuid, session.rows, {}, {}, {}, {}, {}};
    message = encode(directory);
  }
  std::byte tail[kTail] = {};
  evt_store_u64(tail, size_);
  evt_store_u64(tail + 8, message.size());
  evt_store_u32(tail + 16, crc32c(0, message.data(), message.size()));
  evt_store_u32(tail + 20, kVersion);
  memcpy(tail + 24, kMagic, sizeof kMagic);
  write(message.data(), message.size());
  write(tail, sizeof tail);
  is_complete_ = status_.ok() && file_.take_place();
  if (status_.ok() && !is_complete_) {
    status_ = Status(Code::kIo, fmt::format("cannot write {}: {}", path_, strerror(errno)));
  }
  return status_;
}

void CheckpointFile::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  directory_ = {};
}

bool CheckpointFile::read(std::uint64_t offset, std::span<std::byte> to) const {
  if (offset > size_ || to.size() > size_ - offset) return false;
  while (!to.empty()) {
    const ssize_t n = pread(fd_, to.data(), to.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to = to.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return true;
}

bool CheckpointFile::open(const std::string& path, std::size_t sessions) {
  close();
  fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  struct stat facts;
  if (fd_ < 0 || fstat(fd_, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_uid != geteuid()) return close(), false;
  size_ = static_cast<std::uint64_t>(facts.st_size);
  if (size_ >= kHead + kTail && read_directory(sessions)) return true;
  return close(), false;
}

bool CheckpointFile::read_directory(std::size_t sessions) {
  std::array<std::byte, kHead> head;
  std::array<std::byte, kTail> tail;
  if (!read(0, head) || !read(size_ - kTail, tail)) return false;
  const std::uint64_t at = evt_load_u64(tail.data());
  const std::uint64_t size = evt_load_u64(tail.data() + 8);
  const bool is_state = memcmp(head.data(), kMagic, sizeof kMagic) == 0 &&
                        memcmp(tail.data() + 24, kMagic, sizeof kMagic) == 0 &&
                        evt_load_u32(tail.data() + 20) == kVersion;
  if (!is_state || at > size_ - kTail || size != size_ - kTail - at || size > most_directory(sessions)) return false;
  std::vector<std::byte> message(static_cast<std::size_t>(size));
  return read(at, message) && crc32c(0, message.data(), message.size()) == evt_load_u32(tail.data() + 16) &&
         decode(message, sessions, &directory_);
}

namespace {

// Takes unpacked bytes back into words, piece by piece.
class Planes {
 public:
  explicit Planes(std::size_t words) : words_(words) {}

  // False when they are more than the words have.
  bool take(std::span<const std::byte> bytes) {
    if (bytes.size() > words_.size() * 8 - taken_) return false;
    while (!bytes.empty()) {
      const std::size_t plane = taken_ / words_.size();
      const std::size_t at = taken_ % words_.size();
      const std::size_t size = std::min(bytes.size(), words_.size() - at);
      for (std::size_t i = 0; i < size; ++i) words_[at + i] |= static_cast<std::uint64_t>(bytes[i]) << (8 * plane);
      bytes = bytes.subspan(size);
      taken_ += size;
    }
    return true;
  }
  bool is_whole() const { return taken_ == words_.size() * 8; }
  std::vector<std::uint64_t>& words() { return words_; }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t taken_ = 0;
};

}  // namespace

std::vector<std::uint64_t> CheckpointFile::words(const StoredCheckpoint& checkpoint, std::size_t most) const {
  if (checkpoint.words == 0 || checkpoint.words > most) return {};
  if (checkpoint.size > ZSTD_compressBound(std::size_t{checkpoint.words} * 8)) return {};
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> zstd(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (zstd == nullptr) return {};
  ZSTD_DCtx_setParameter(zstd.get(), ZSTD_d_windowLogMax, kWindowLog);
  Planes planes(checkpoint.words);
  std::vector<std::byte> packed(kPiece);
  std::vector<std::byte> unpacked(kPiece);
  std::uint32_t crc = 0;
  std::size_t left_of_frame = 1;
  for (std::uint32_t done = 0; done < checkpoint.size;) {
    const std::size_t size = std::min<std::size_t>(checkpoint.size - done, kPiece);
    if (!read(checkpoint.offset + done, {packed.data(), size})) return {};
    crc = crc32c(crc, packed.data(), size);
    done += static_cast<std::uint32_t>(size);
    ZSTD_inBuffer from{packed.data(), size, 0};
    ZSTD_outBuffer to{unpacked.data(), kPiece, kPiece};
    // A full piece may have more behind it that is in there already.
    while (from.pos < size || (to.pos == kPiece && left_of_frame != 0)) {
      to.pos = 0;
      left_of_frame = ZSTD_decompressStream(zstd.get(), &to, &from);
      if (ZSTD_isError(left_of_frame) != 0U || !planes.take({unpacked.data(), to.pos})) return {};
    }
  }
  const bool is_right = crc == checkpoint.crc && left_of_frame == 0 && planes.is_whole();
  return is_right ? std::move(planes.words()) : std::vector<std::uint64_t>();
}

}  // namespace evt
