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
#include <new>
#include <tuple>

#include "format-spec/src/block/crc32c.h"
#include "libtrace-read/core/src/base/read_at.h"
#include "libtrace-read/core/src/base/temporary_file.h"

namespace evt {
namespace {

constexpr std::array<char, 8> kMagic = {'e', 'v', 't', 's', 't', 'a', 't', 'e'};
constexpr std::uint32_t kVersion = 7;  // changes with the layout, and with what analyses count
constexpr std::size_t kTail = 24;      // place of the table, and the version
constexpr int kLevel = 3;
constexpr std::size_t kMostCheckpoints = Archive::kMost / 8;
constexpr std::size_t kInTable = 32;  // usual limit for the bytes of one
constexpr unsigned kMaxDeltas = 5;    // consecutive ones, which an answer must add up

// Two traces can be made to have one name in the cache: values that are used unchecked must match.
void archive_table(Archive& archive, const Trace& trace, std::vector<Checkpoint>* table) {
  archive.known(trace.size());
  std::uint32_t sessions = 0;
  for (const Session& session : trace.sessions()) {
    sessions = crc32c(sessions, session.uuid.data(), session.uuid.size());
    sessions = crc32c(sessions, &session.rows, sizeof session.rows);
  }
  archive.known(sessions);
  archive.list(*table, kMostCheckpoints, [&](Checkpoint& checkpoint) {
    archive.numbers(checkpoint.session, checkpoint.ns, checkpoint.is_delta, checkpoint.state.offset,
                    checkpoint.state.size, checkpoint.state.words, checkpoint.state.crc);
  });
}

}  // namespace

Status CheckpointFileWriter::open(const std::string& path) {
  path_ = path;
  if (!file_.open(path, 0600)) return {Code::kIo, fmt::format("cannot create {}: {}", path, strerror(errno))};
  write(kMagic.data(), kMagic.size());
  return status_;
}

void CheckpointFileWriter::write(const void* bytes, std::size_t size) {
  size_ += size;
  if (!status_.ok() || write_fully(file_.fd(), static_cast<const std::byte*>(bytes), size)) return;
  status_ = Status(Code::kIo, fmt::format("cannot write {}: {}", path_, strerror(errno)));
}

// Separates the bytes of numbers by significance: the upper ones are mostly zero.
PackedWords CheckpointFileWriter::pack(std::span<const std::uint64_t> words) {
  std::vector<std::byte> planes(words.size() * 8);
  std::byte* byte = planes.data();
  for (unsigned plane = 0; plane < 8; ++plane) {
    for (const std::uint64_t word : words) *byte++ = static_cast<std::byte>(word >> (8 * plane));
  }
  packed_.resize(ZSTD_compressBound(planes.size()));
  const std::size_t size = ZSTD_compress(packed_.data(), packed_.size(), planes.data(), planes.size(), kLevel);
  if (ZSTD_isError(size) != 0U) throw std::bad_alloc();  // the only possible error here
  packed_.resize(size);
  return {size_, static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(words.size()),
          crc32c(0, packed_.data(), size)};
}

std::uint64_t CheckpointFileWriter::append(std::uint32_t session, std::int64_t ns, Archive state, std::uint64_t most) {
  if (!state.is_ok() || table_.size() == kMostCheckpoints) return UINT64_MAX;
  if (table_.empty() || table_.back().session != session) before_.reset();
  const Archive* const base = before_ && deltas_ < kMaxDeltas ? &*before_ : nullptr;
  const PackedWords packed = pack(state.words(base));
  const std::uint64_t size = packed.size + kInTable;
  if (size > most) return size;
  write(packed_.data(), packed_.size());
  table_.push_back({session, ns, base != nullptr, packed});
  deltas_ = base != nullptr ? deltas_ + 1 : 0;
  before_ = std::move(state);
  return size;
}

Status CheckpointFileWriter::complete(const Trace& trace) {
  Archive archive;
  archive_table(archive, trace, &table_);
  const PackedWords table = pack(archive.words());
  std::array<std::byte, kTail> tail{};
  evt_store_u64(tail.data(), table.offset);
  evt_store_u32(tail.data() + 8, table.size);
  evt_store_u32(tail.data() + 12, table.words);
  evt_store_u32(tail.data() + 16, table.crc);
  evt_store_u32(tail.data() + 20, kVersion);
  write(packed_.data(), packed_.size());
  write(tail.data(), tail.size());
  if (status_.ok() && !file_.take_place()) {
    status_ = Status(Code::kIo, fmt::format("cannot write {}: {}", path_, strerror(errno)));
  }
  return status_;
}

void CheckpointFile::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  table_.clear();
}

bool CheckpointFile::open(const std::string& path, const Trace& trace) {
  close();
  fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  struct stat facts;
  if (fd_ < 0 || fstat(fd_, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_uid != geteuid()) return close(), false;
  size_ = static_cast<std::uint64_t>(facts.st_size);
  return read_table(trace) || (close(), false);
}

bool CheckpointFile::read_table(const Trace& trace) {
  std::array<char, kMagic.size()> magic;
  std::array<std::byte, kTail> tail;
  if (size_ < kTail || read_at(fd_, size_ - kTail, tail.data(), kTail) != kTail) return false;
  if (read_at(fd_, 0, magic.data(), magic.size()) != magic.size() || magic != kMagic) return false;
  if (evt_load_u32(tail.data() + 20) != kVersion) return false;
  const PackedWords at = {evt_load_u64(tail.data()), evt_load_u32(tail.data() + 8), evt_load_u32(tail.data() + 12),
                          evt_load_u32(tail.data() + 16)};
  Archive archive(unpack(at));
  archive_table(archive, trace, &table_);
  const auto is_back = [](const auto& a, const auto& b) {
    return std::tie(a.session, a.ns) >= std::tie(b.session, b.ns);
  };
  return archive.is_whole() && std::adjacent_find(table_.begin(), table_.end(), is_back) == table_.end();
}

std::span<const Checkpoint> CheckpointFile::of(std::size_t session) const {
  const auto first = [&](std::size_t of) {
    return std::partition_point(table_.begin(), table_.end(), [&](const auto& each) { return each.session < of; });
  };
  return {first(session), first(session + 1)};
}

// The last complete one before it, and the differences since.
std::optional<Archive> CheckpointFile::state(const Checkpoint& of) const {
  const Checkpoint* first = &of;
  while (first->is_delta) {
    if (first == table_.data() || &of - first == kMaxDeltas || (first - 1)->session != of.session) return std::nullopt;
    --first;
  }
  Archive state;
  for (const Checkpoint* each = first; each <= &of; ++each) {
    state = Archive(unpack(each->state), &state);
    if (!state.is_ok()) return std::nullopt;
  }
  return state;
}

// Empty if they are damaged. Their claims are trusted up to the largest size of a state.
std::vector<std::uint64_t> CheckpointFile::unpack(const PackedWords& from) const {
  if (from.words > Archive::kMost || from.size > size_) return {};
  std::vector<std::byte> packed(from.size);
  if (read_at(fd_, from.offset, packed.data(), packed.size()) != packed.size() ||
      crc32c(0, packed.data(), packed.size()) != from.crc)
    return {};
  std::vector<std::byte> planes(from.words * std::size_t{8});
  if (ZSTD_decompress(planes.data(), planes.size(), packed.data(), packed.size()) != planes.size()) return {};
  std::vector<std::uint64_t> words(from.words);
  const std::byte* byte = planes.data();
  for (unsigned plane = 0; plane < 8; ++plane) {
    for (std::uint64_t& word : words) word |= std::to_integer<std::uint64_t>(*byte++) << (8 * plane);
  }
  return words;
}

}  // namespace evt
