#include "view_cache.h"

#include <errno.h>
#include <evt/evt.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/output.h"

namespace evt::tools {
namespace {

constexpr std::string_view kMagic = "evtview 1\n";
constexpr std::uint64_t kMostOfFile = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostOfAll = std::uint64_t{256} << 20;
constexpr std::size_t kChecked = 4 << 10;  // bytes at a trace's end that its identity has
constexpr std::size_t kChecksumSize = 16;

// FNV-1a. It finds accidents.
std::uint64_t checksum_of(std::string_view bytes) {
  std::uint64_t sum = 14695981039346656037u;
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return sum;
}

class OpenFile {
 public:
  OpenFile(const std::string& path, int flags) : descriptor_(open(path.c_str(), flags | O_RDONLY | O_CLOEXEC)) {
    is_file_ = descriptor_ >= 0 && fstat(descriptor_, &facts_) == 0 && S_ISREG(facts_.st_mode);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  bool is_file() const { return is_file_; }
  const struct stat& facts() const { return facts_; }
  std::uint64_t size() const { return static_cast<std::uint64_t>(facts_.st_size); }
  // Fewer bytes where the file ends.
  std::string read(std::uint64_t from, std::size_t size) const {
    std::string bytes(size, '\0');
    std::size_t done = 0;
    while (done < size) {
      const ssize_t n = pread(descriptor_, bytes.data() + done, size - done, static_cast<off_t>(from + done));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      done += static_cast<std::size_t>(n);
    }
    bytes.resize(done);
    return bytes;
  }

 private:
  int descriptor_;
  bool is_file_ = false;
  struct stat facts_ {};
};

}  // namespace

struct ViewCache::Key {
  std::string path;
  std::string head;  // of the file: what it is, and of which session
};

// Of a trace whose writer goes on there is none.
std::optional<ViewCache::Key> ViewCache::key_of(const std::string& file, const Trace& trace, std::size_t number) const {
  const Session& session = trace.sessions()[number];
  const OpenFile opened(file, 0);
  if (folder_.path().empty() || !opened.is_file() || opened.size() != trace.size() || session.ring != RingState::kNone)
    return std::nullopt;
  const std::size_t checked = static_cast<std::size_t>(std::min<std::uint64_t>(opened.size(), kChecked));
  const struct timespec& changed = opened.facts().st_mtim;
  std::string id;
  for (const std::uint8_t byte : session.uuid) id += fmt::format("{:02x}", byte);
  const std::string identity =
      fmt::format("{} {} {} {}.{:09} {:016x} {} {} {} {} {} {} {}", evt_version(), id, opened.size(), changed.tv_sec,
                  changed.tv_nsec, checksum_of(opened.read(opened.size() - checked, checked)), number, session.rows,
                  session.lost, session.missing, session.last_ns, session.streams.size(), session.types.size());
  return Key{fmt::format("{}/{}-{:016x}{}", folder_.path(), id, checksum_of(identity), kSuffix),
             fmt::format("{}{}\n", kMagic, identity)};
}

std::optional<view::FinishedTiles> ViewCache::load(const std::string& file, const Trace& trace,
                                                   std::size_t session) const {
  const std::optional<Key> key = key_of(file, trace, session);
  if (!key || !folder_.check().ok()) return std::nullopt;
  const OpenFile kept(key->path, O_NOFOLLOW);
  const std::size_t front = key->head.size() + kChecksumSize;
  const bool is_ours = kept.is_file() && kept.facts().st_uid == geteuid();
  if (!is_ours || kept.size() < front || kept.size() > kMostOfFile) return std::nullopt;
  const std::string bytes = kept.read(0, static_cast<std::size_t>(kept.size()));
  if (bytes.size() != kept.size() || !bytes.starts_with(key->head)) return std::nullopt;
  const std::string_view finished = std::string_view(bytes).substr(front);
  if (bytes.compare(key->head.size(), kChecksumSize, fmt::format("{:016x}", checksum_of(finished))) != 0)
    return std::nullopt;
  CacheFolder::note_use(key->path);
  const Session& of = trace.sessions()[session];
  return view::FinishedTiles::from(finished, end_ns_of(of), of.streams.size());
}

void ViewCache::keep(const std::string& file, const Trace& trace, std::size_t session,
                     const view::FinishedTiles& finished) const {
  const std::optional<Key> key = key_of(file, trace, session);
  if (!key || !folder_.open().ok()) return;
  const std::string bytes = finished.bytes();
  const std::string head = key->head + fmt::format("{:016x}", checksum_of(bytes));
  if (head.size() + bytes.size() > kMostOfFile) return;
  std::error_code failed;
  if (std::filesystem::is_symlink(key->path, failed)) std::filesystem::remove(key->path, failed);
  auto output = FileOutput::open(key->path, OutputMode::of_owner_alone());
  if (!output) return;
  const bool is_written =
      output->write(head.data(), head.size()) == 0 && output->write(bytes.data(), bytes.size()) == 0;
  if (is_written && output->complete().ok()) folder_.shrink(kMostOfAll, key->path);
}

}  // namespace evt::tools
