#include "collect/session_file.h"

#include <errno.h>
#include <evt/trace.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <utility>
#include <vector>

#include "format-spec/src/block/crc32c.h"

namespace evt::tools {
namespace {

constexpr std::size_t kLongestProgram = 64;

std::size_t read_at(int descriptor, std::uint64_t offset, void* out, std::size_t size) {
  const ssize_t got = ::pread(descriptor, out, size, static_cast<off_t>(offset));
  return static_cast<std::size_t>(std::max<ssize_t>(got, 0));
}

// What a sender claims becomes part of a name: letters, digits, dots and dashes.
std::string program_of(const BlockStream::Block& block) {
  std::string name = "session";
  std::uint64_t pid = 0;
  if (const auto trace = Trace::from_memory(block.bytes, {.rings = false})) {
    const Session& session = trace->sessions().front();
    if (!session.program.empty()) name = session.program.substr(0, kLongestProgram);
    pid = session.pid;
  }
  for (char& each : name) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '.' || each == '_';
    if (!is_plain) each = '-';
  }
  if (name.front() == '.') name.front() = '-';
  return pid == 0 ? name : fmt::format("{}-{}", name, pid);
}

// The file that ends with the session's number, whatever it is called in front; empty: there is none.
std::string file_of(const std::string& folder, const std::string& end) {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), none; !error && entry != none;
       entry.increment(error)) {
    if (entry->path().filename().string().ends_with(end)) return entry->path();
  }
  return "";
}

bool is_whole(int descriptor, std::uint64_t offset, const BlockHeader& header) {
  std::vector<std::uint8_t> payload(header.payload_size);
  const std::size_t got = read_at(descriptor, offset + header.header_size, payload.data(), payload.size());
  return got == payload.size() && crc32c(0, payload.data(), got) == header.payload_crc;
}

}  // namespace

SessionFile::SessionFile(SessionFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      session_id_(other.session_id_),
      size_(other.size_),
      numbered_(other.numbered_),
      next_block_no_(other.next_block_no_) {}

SessionFile::~SessionFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<SessionFile> SessionFile::open(const std::string& folder, const BlockStream::Block& block) {
  const std::uint64_t id = block.header.session_id;
  const std::string end = fmt::format("-{:016x}.evt", id);
  std::string path = file_of(folder, end);
  if (path.empty()) path = folder + "/" + program_of(block) + end;
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (descriptor < 0) return Status(Code::kIo, fmt::format("cannot open {}: {}", path, ::strerror(errno)));
  SessionFile file(descriptor, path, id);
  struct stat facts;
  if (::fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return Status(Code::kIo, path + " is not a regular file");
  }
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return Status(Code::kInvalid, path + ": another sender sends this session");
  }
  if (!file.find_end()) return Status(Code::kIo, fmt::format("cannot read {}: {}", path, ::strerror(errno)));
  return file;
}

// Behind the last whole block that has a number. Earlier blocks were whole when they were written.
bool SessionFile::find_end() {
  struct Last {
    std::uint64_t offset = 0;
    BlockHeader header;
  };
  std::vector<Last> blocks(2);  // the last two: when the last one is not whole, the one before it is
  std::uint64_t count = 0;
  std::uint64_t at = 0;
  for (;;) {
    std::array<std::uint8_t, EVT_BLOCK_HEADER_MAX> bytes;
    BlockHeader header;
    if (load_block_header(bytes.data(), read_at(descriptor_, at, bytes.data(), bytes.size()), &header) !=
        HeaderState::kGood) {
      break;
    }
    if (header.session_id != session_id_ || header.block_no == EVT_BLOCK_NO_RECOVERED) break;
    if (header.payload_size > EVT_MAX_EVENTS_PAYLOAD) break;
    blocks[count++ % 2] = {at, header};
    at += header.header_size + header.payload_size + padding_after(header.payload_size);
  }
  if (count > 0 && !is_whole(descriptor_, blocks[(count - 1) % 2].offset, blocks[(count - 1) % 2].header)) {
    at = blocks[--count % 2].offset;
  }
  size_ = numbered_ = at;
  next_block_no_ = count == 0 ? 0 : blocks[(count - 1) % 2].header.block_no + 1;
  return ::ftruncate(descriptor_, static_cast<off_t>(at)) == 0;
}

bool SessionFile::has(const BlockHeader& header) const {
  return header.block_no != EVT_BLOCK_NO_RECOVERED && header.block_no < next_block_no_;
}

int SessionFile::append(const BlockStream::Block& block) {
  static constexpr std::array<std::byte, EVT_ALIGNMENT> kPadding{};
  const bool is_recovered = block.header.block_no == EVT_BLOCK_NO_RECOVERED;
  if (!is_recovered && size_ > numbered_) {
    if (::ftruncate(descriptor_, static_cast<off_t>(numbered_)) != 0) return errno;
    size_ = numbered_;
  }
  const std::size_t padding = padding_after(block.header.payload_size);
  const std::size_t all = block.bytes.size() + padding;
  for (std::size_t done = 0; done < all;) {
    const std::span<const std::byte> rest =
        done < block.bytes.size() ? block.bytes.subspan(done) : std::span(kPadding).first(all - done);
    const ssize_t written = ::pwrite(descriptor_, rest.data(), rest.size(), static_cast<off_t>(size_ + done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int error = written < 0 ? errno : ENOSPC;
      // What was written of it takes room, and is written again.
      return ::ftruncate(descriptor_, static_cast<off_t>(size_)) == 0 ? error : errno;
    }
    done += static_cast<std::size_t>(written);
  }
  size_ += all;
  if (!is_recovered) {
    numbered_ = size_;
    next_block_no_ = block.header.block_no + 1;
  }
  return 0;
}

}  // namespace evt::tools
