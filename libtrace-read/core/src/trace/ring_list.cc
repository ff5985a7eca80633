// Part of <evt/rings.h>.
#include <errno.h>
#include <evt/describe.h>
#include <evt/rings.h>
#include <evt/trace.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "format-spec/src/ring/ring_folders.h"
#include "ring_file.h"

namespace evt {
namespace {

// Prefix of the names of rings that this user may read: for root, of all rings.
std::string prefix_of_this_user() {
  return ::geteuid() == 0 ? ring::kNamePrefix : fmt::format("{}{}-", ring::kNamePrefix, ::geteuid());
}

std::vector<std::string> paths_of_rings() {
  std::vector<std::string> paths;
  std::set<std::pair<dev_t, ino_t>> seen;  // a folder may have two names
  for (const char* const folder : RingFolders()) {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      struct stat status;
      const bool is_ours = name.starts_with(prefix_of_this_user()) && ring::is_ring_name(name.c_str());
      if (!is_ours || ::lstat(entry->path().c_str(), &status) != 0) continue;
      if (seen.emplace(status.st_dev, status.st_ino).second) paths.push_back(entry->path().string());
    }
  }
  return paths;
}

// Reads its SESSION block, which is the beginning of the ring and so a trace of its own.
void describe_session(const RingFile& file, RingInfo& ring) {
  std::vector<std::byte> front(static_cast<std::size_t>(file.recovery().header().front_size));
  front.resize(file.read_at(0, front.data(), front.size()));
  const auto trace = Trace::from_memory(front, {.rings = false});
  if (!trace) {
    ring.problem = "its description of the session cannot be read: " + trace.status().message();
    return;
  }
  const Session& session = trace->sessions().front();
  ring.start_utc_ns = session.start_utc_ns;
  ring.pid = session.pid;
  ring.program = session.program;
}

void find_trace(const RingFile& file, RingInfo& ring) {
  const ring::Header& header = file.recovery().header();
  if (const ring::Output* const output = ring::output_of(header)) {
    ring.trace = output->path;
    ring.device = output->device;
    ring.inode = output->inode;
  }
  struct stat status;
  if (ring.inode == 0) {
    ring.trace_state = RingTrace::kNone;
  } else if (ring.trace.empty()) {
    ring.trace_state = RingTrace::kUnknown;
  } else if (::lstat(ring.trace.c_str(), &status) != 0) {
    ring.trace_state = errno == ENOENT || errno == ENOTDIR ? RingTrace::kGone : RingTrace::kUnknown;
  } else {
    const bool is_same = S_ISREG(status.st_mode) && file.belongs_to({status.st_dev, status.st_ino});
    ring.trace_state = is_same ? RingTrace::kThere : RingTrace::kUnknown;
  }
}

// Opens the trace, which adds what it lacks.
std::optional<std::uint64_t> missing_rows(const RingInfo& ring) {
  const int fd = ::open(ring.trace.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  std::optional<std::uint64_t> rows;
  const bool is_same = fd >= 0 && ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                       status.st_dev == ring.device && status.st_ino == ring.inode;
  if (is_same) {
    if (const auto trace = Trace::open(fd, ring.trace)) {
      for (const Session& session : trace->sessions()) {
        if (evt_session_id(session.uuid.data()) == ring.session_id) rows = session.ring_rows;
      }
    }
  }
  if (fd >= 0) ::close(fd);
  return rows;
}

RingInfo look_at(const std::string& path, bool with_missing_rows) {
  RingInfo ring;
  ring.path = path;
  struct stat status;
  if (::lstat(path.c_str(), &status) == 0) ring.user = status.st_uid;
  {
    const auto opened = RingFile::open(path, ring.user);
    if (!opened) {
      ring.problem = opened.status().message();
      return ring;
    }
    RingFile& file = **opened;
    ring.size = file.size();
    ring.living = file.live();
    if (!file.recovery().open()) {
      ring.problem = file.recovery().is_newer()
                         ? "it is a later version's"
                         : "it has no header: its program was killed as it began, or it is no ring";
      return ring;
    }
    ring.session_id = file.recovery().session_id();
    describe_session(file, ring);
    find_trace(file, ring);
  }
  if (with_missing_rows && ring.problem.empty() && !ring.living && ring.trace_state == RingTrace::kThere) {
    ring.missing_rows = missing_rows(ring);
  }
  return ring;
}

}  // namespace

std::vector<RingInfo> list_rings(bool with_missing_rows) {
  std::vector<RingInfo> rings;
  for (const std::string& path : paths_of_rings()) rings.push_back(look_at(path, with_missing_rows));
  const auto place = [](const RingInfo& ring) {
    return std::tuple(!ring.problem.empty(), ring.start_utc_ns, std::string_view(ring.path));
  };
  std::ranges::sort(rings, [&](const RingInfo& a, const RingInfo& b) { return place(a) < place(b); });
  return rings;
}

Status remove_ring(const RingInfo& ring) {
  const auto opened = RingFile::open(ring.path, ring.user);
  if (!opened)
    return {opened.status().code(), fmt::format("cannot remove {}: {}", ring.path, opened.status().message())};
  RingFile& file = **opened;
  if (file.live()) return {Code::kInvalid, fmt::format("cannot remove {}: its writer lives", ring.path)};
  const std::uint64_t id = file.recovery().open() ? file.recovery().session_id() : 0;
  if (id != ring.session_id) return {Code::kInvalid, fmt::format("cannot remove {}: it has changed", ring.path)};
  if (file.remove()) return {};
  return {Code::kIo, fmt::format("cannot remove {}: {}", ring.path, strerror(errno))};
}

}  // namespace evt
