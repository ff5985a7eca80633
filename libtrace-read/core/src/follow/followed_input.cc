#include "followed_input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include "format-spec/src/block/block_header.h"
#include "libtrace-read/core/src/base/raw_bytes.h"
#include "libtrace-read/core/src/base/read_at.h"
#include "libtrace-read/core/src/base/temporary_file.h"
#include "libtrace-read/core/src/source/open_source.h"
#include "libtrace-read/core/src/trace/ring_segments.h"

namespace evt {
namespace {

// Bytes that were kept, and those of a file from an offset on.
class KeptAndFile : public ByteSource {
 public:
  KeptAndFile(SharedBuffer kept, std::unique_ptr<ByteSource> file, std::uint64_t from)
      : kept_(std::move(kept)), file_(std::move(file)), from_(from) {
    name_ = file_->name();
    identity_ = file_->identity();
    damage_ = file_->damage();
    notes_ = file_->notes();
    size_ = kept_->size + file_->size() - std::min(from_, file_->size());
  }

  std::size_t read_at(std::uint64_t offset, std::byte* out, std::size_t size) override {
    if (offset >= kept_->size) return file_->read_at(offset - kept_->size + from_, out, size);
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(size, kept_->size - offset));
    std::copy_n(kept_->data.get() + offset, count, out);
    return count == size ? count : count + file_->read_at(from_, out + count, size - count);
  }

  std::unique_ptr<ByteSource> again() const override {
    auto file = file_->again();
    return file == nullptr ? nullptr : std::make_unique<KeptAndFile>(kept_, std::move(file), from_);
  }

 private:
  SharedBuffer kept_;
  std::unique_ptr<ByteSource> file_;
  std::uint64_t from_;
};

// An unlinked temporary file of what a pipe brings.
class KeptPipe {
 public:
  explicit KeptPipe(std::string name) : fd_(temporary_file()), name_(std::move(name)) {
    if (fd_ < 0) fail(strerror(errno));
  }
  KeptPipe(const KeptPipe&) = delete;
  KeptPipe& operator=(const KeptPipe&) = delete;
  ~KeptPipe() {
    if (fd_ >= 0) ::close(fd_);
  }

  void add(Bytes bytes) {
    if (!status_.ok()) return;
    const bool has_room = leaves_free(fd_, kept_free(fd_), bytes.size());
    if (!has_room) fail("too little would stay free in the folder of temporary files (TMPDIR names another)");
    if (has_room && !write_fully(fd_, bytes.data(), bytes.size())) fail(strerror(errno));
  }
  std::unique_ptr<ByteSource> source() const {
    struct stat facts;
    const int fd = ::fcntl(fd_, F_DUPFD_CLOEXEC, 0);
    return fd >= 0 && ::fstat(fd, &facts) == 0 ? file_source(fd, true, name_, facts) : nullptr;
  }
  const Status& status() const { return status_; }

 private:
  void fail(const std::string& why) { status_ = {Code::kIo, "cannot keep " + name_ + " in a temporary file: " + why}; }

  int fd_;
  std::string name_;
  Status status_;
};

// The header of the SESSION block that a file begins with.
bool read_front(const std::string& path, BlockHeader* header) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return false;
  struct stat facts;
  std::byte front[EVT_BLOCK_HEADER_MAX];
  const bool is_file = ::fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode);
  const bool is_there =
      is_file && load_block_header(raw(front), read_at(fd, 0, front, sizeof front), header) == HeaderState::kGood;
  ::close(fd);
  return is_there && header->type == EVT_BLOCK_SESSION;
}

class FollowedFiles : public FollowedInput {
 public:
  explicit FollowedFiles(std::unique_ptr<ByteSource> file) : file_(std::move(file)), first_(file_->identity()) {
    names_.push_back(file_->name());
  }

  std::unique_ptr<ByteSource> behind(SharedBuffer kept) override {
    auto now = file_->again();
    if (now == nullptr) now = std::exchange(file_, nullptr);  // it does not grow, and is read once
    return std::make_unique<KeptAndFile>(std::move(kept), std::move(now), at_);
  }
  void pass(std::uint64_t bytes) override { at_ += bytes; }

  bool go_on_with(std::uint64_t session_id, std::uint64_t block_no) override {
    auto next = beside(session_id, block_no);
    if (next == nullptr) next = beside_the_ring(session_id, block_no);
    if (next == nullptr) return false;
    file_ = std::move(next);
    names_.push_back(file_->name());
    at_ = 0;
    return true;
  }

  void wait(std::chrono::nanoseconds most) override {
    const std::int64_t ns = most.count();
    const timespec pause = {static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
    ::nanosleep(&pause, nullptr);
  }
  bool has_ended() const override { return file_ == nullptr; }
  std::vector<std::string> files() const override { return names_; }
  std::unique_ptr<ByteSource> present() const override { return file_ == nullptr ? nullptr : file_->again(); }

  static Result<std::unique_ptr<FollowedFiles>> open_plain(const std::string& path) {
    auto file = open_trace_file(path);
    if (!file) return file.status();
    return std::make_unique<FollowedFiles>(*std::move(file));
  }

 private:
  // The next file in the folder of the one before.
  std::unique_ptr<ByteSource> beside(std::uint64_t session_id, std::uint64_t block_no) const {
    const std::filesystem::path here(names_.back());
    const std::filesystem::path folder = here.has_parent_path() ? here.parent_path() : ".";
    std::string found;
    std::uint64_t first = UINT64_MAX;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      BlockHeader header;
      if (entry->path().extension() != here.extension() || !read_front(entry->path(), &header)) continue;
      if (header.session_id != session_id || header.block_no < block_no || header.block_no >= first) continue;
      first = header.block_no;
      found = (here.has_parent_path() ? entry->path() : entry->path().filename()).string();
    }
    auto opened = found.empty() ? Result<std::unique_ptr<FollowedFiles>>(Status(Code::kIo, "")) : open_plain(found);
    return opened ? std::move((*opened)->file_) : nullptr;
  }

  // The next segment of a flight recorder.
  std::unique_ptr<ByteSource> beside_the_ring(std::uint64_t session_id, std::uint64_t block_no) const {
    if (!first_) return nullptr;
    std::unique_ptr<ByteSource> next;
    std::uint64_t first = UINT64_MAX;
    for (const RingSegment& segment : segments_of_session(session_id, *first_, names_.front(), *file_)) {
      if (segment.first_block_no < block_no || segment.first_block_no >= first) continue;
      first = segment.first_block_no;
      next = segment.source->again();
    }
    return next;
  }

  std::unique_ptr<ByteSource> file_;
  std::optional<FileIdentity> first_;
  std::uint64_t at_ = 0;
  std::vector<std::string> names_;
};

class FollowedPipe : public FollowedInput {
 public:
  FollowedPipe(int descriptor, bool owned, std::string name, bool keeps)
      : fd_(descriptor), owned_(owned), name_(std::move(name)) {
    if (keeps) kept_.emplace(name_);
  }
  FollowedPipe(const FollowedPipe&) = delete;
  FollowedPipe& operator=(const FollowedPipe&) = delete;
  ~FollowedPipe() override {
    if (owned_) ::close(fd_);
  }

  std::unique_ptr<ByteSource> behind(SharedBuffer kept) override {
    return std::make_unique<KeptAndFile>(std::move(kept), memory_source(bytes_, name_), 0);
  }
  void pass(std::uint64_t bytes) override {
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(bytes));
  }

  void wait(std::chrono::nanoseconds most) override {
    const auto until = std::chrono::steady_clock::now() + most;
    std::size_t taken = 0;
    while (!has_ended_ && taken < kMostAtOnce) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
      pollfd ready = {fd_, POLLIN, 0};
      if (::poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(left, 0))) <= 0) break;
      taken += take();
    }
  }
  bool has_ended() const override { return has_ended_; }
  std::unique_ptr<ByteSource> present() const override {
    return kept_ && kept_->status().ok() ? kept_->source() : nullptr;
  }
  Status kept() const override { return kept_ ? kept_->status() : Status(); }

 private:
  static constexpr std::size_t kStep = 1 << 20;
  static constexpr std::size_t kMostAtOnce = 16 << 20;

  std::size_t take() {
    const std::size_t before = bytes_.size();
    bytes_.resize(before + kStep);
    const ssize_t got = ::read(fd_, bytes_.data() + before, kStep);
    bytes_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (kept_) kept_->add(std::span(bytes_).subspan(before));
    has_ended_ = got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
    return bytes_.size() - before;
  }

  int fd_;
  bool owned_;
  std::string name_;
  std::vector<std::byte> bytes_;  // that were not passed
  std::optional<KeptPipe> kept_;
  bool has_ended_ = false;
};

}  // namespace

Result<std::unique_ptr<FollowedInput>> FollowedInput::open(const std::string& path, bool keeps) {
  struct stat facts;
  if (::stat(path.c_str(), &facts) == 0 && S_ISFIFO(facts.st_mode)) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return Status(Code::kIo, "cannot open " + path + ": " + strerror(errno));
    return std::unique_ptr<FollowedInput>(std::make_unique<FollowedPipe>(fd, true, path, keeps));
  }
  auto files = FollowedFiles::open_plain(path);
  if (!files) return files.status();
  return std::unique_ptr<FollowedInput>(*std::move(files));
}

Result<std::unique_ptr<FollowedInput>> FollowedInput::open(int descriptor, const std::string& name, bool keeps) {
  struct stat facts;
  if (::fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return std::unique_ptr<FollowedInput>(std::make_unique<FollowedPipe>(descriptor, false, name, keeps));
  }
  auto file = open_trace_descriptor(descriptor, name, {});
  if (!file) return file.status();
  auto own = (*file)->again();  // as the descriptor is the caller's
  if (own == nullptr) own = *std::move(file);
  return std::unique_ptr<FollowedInput>(std::make_unique<FollowedFiles>(std::move(own)));
}

}  // namespace evt
