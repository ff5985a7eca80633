// Part of <evt/rings.h>.
#include <errno.h>
#include <evt/rings.h>
#include <evt/trace.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "format-spec/src/ring/ring_folders.h"
#include "other_mounts.h"
#include "ring_file.h"

namespace evt {
namespace {

// Prefix of the names of rings that this user may read: for root, of all rings.
std::string prefix_of_this_user() {
  return ::geteuid() == 0 ? ring::kNamePrefix : fmt::format("{}{}-", ring::kNamePrefix, ::geteuid());
}

// Where a ring was found.
struct Place {
  std::string path;
  const OtherMounts* mounts;  // null: those of this process
};

// A folder may have two names, and its ring is found once.
class Places {
 public:
  void add_folder(const std::string& folder, const std::string& prefix, const OtherMounts* mounts) {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      struct stat status;
      const bool is_ring = name.starts_with(prefix) && ring::is_ring_name(name.c_str());
      if (!is_ring || ::lstat(entry->path().c_str(), &status) != 0) continue;
      if (mounts != nullptr && ::geteuid() != 0 && status.st_uid != ::geteuid()) continue;
      if (seen_.emplace(status.st_dev, status.st_ino).second) all_.push_back({entry->path().string(), mounts});
    }
  }
  const std::vector<Place>& all() const { return all_; }

 private:
  std::vector<Place> all_;
  std::set<std::pair<dev_t, ino_t>> seen_;
};

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

// A path of its writer, as this process sees it.
std::string seen_from_here(const std::string& path, const OtherMounts* mounts, std::uint64_t writer) {
  return mounts == nullptr || path.empty() ? path : mounts->root_of(writer) + path;
}

RingTrace state_of(const RingFile& file, const RingInfo& ring) {
  if (ring.inode == 0) return RingTrace::kNone;
  if (ring.trace.empty()) return RingTrace::kUnknown;
  struct stat status;
  if (::lstat(ring.trace.c_str(), &status) != 0) {
    return errno == ENOENT || errno == ENOTDIR ? RingTrace::kGone : RingTrace::kUnknown;
  }
  const bool is_same = S_ISREG(status.st_mode) && file.belongs_to({status.st_dev, status.st_ino});
  return is_same ? RingTrace::kThere : RingTrace::kUnknown;
}

// app.000007.evt as app.%n.evt.
std::string name_of_trace(const ring::Header& header) {
  std::string name = header.trace.path;
  const ring::Budget& budget = header.budget;
  const bool has_number = budget.number_size > 0 && budget.number_at < name.size();
  if (has_number) name.replace(budget.number_at, budget.number_size, "%n");
  return name;
}

void find_trace(const RingFile& file, const OtherMounts* mounts, RingInfo& ring) {
  const ring::Header& header = file.recovery().header();
  const ring::Output* const output = ring::output_of(header);
  if (output == nullptr) return;
  ring.device = output->device;
  ring.inode = output->inode;
  ring.trace = seen_from_here(output->path, mounts, ring.pid);
  ring.trace_state = state_of(file, ring);
}

// The folders of rings may be shared by programs with other mounts, so its trace may be in any of these.
const OtherMounts* find_trace_in_any(const RingFile& file, const Place& place, const std::vector<OtherMounts>& others,
                                     RingInfo& ring) {
  find_trace(file, place.mounts, ring);
  if (ring.trace_state != RingTrace::kGone && ring.trace_state != RingTrace::kUnknown) return place.mounts;
  for (const OtherMounts& other : others) {
    RingInfo there = ring;
    find_trace(file, &other, there);
    if (there.trace_state != RingTrace::kThere) continue;
    ring = std::move(there);
    return &other;
  }
  return place.mounts;
}

RingInfo look_at(const Place& place, const std::vector<OtherMounts>& others) {
  RingInfo ring;
  ring.path = place.path;
  struct stat status;
  if (::lstat(ring.path.c_str(), &status) == 0) ring.user = status.st_uid;
  const auto opened = RingFile::open(ring.path, ring.user);
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
  const ring::Header& header = file.recovery().header();
  ring.session_id = file.recovery().session_id();
  describe_session(file, ring);
  const OtherMounts* const mounts = find_trace_in_any(file, place, others, ring);
  const std::string name = name_of_trace(header);
  ring.name = name.empty() ? ring.trace : seen_from_here(name, mounts, ring.pid);
  ring.budget_bytes = header.budget.bytes;
  ring.budget_ns = header.budget.ns;
  if (mounts != nullptr) ring.pid = ring.living ? mounts->process_here(ring.pid) : 0;
  return ring;
}

}  // namespace

std::vector<RingInfo> list_rings() {
  const std::vector<OtherMounts> others = find_other_mounts();
  Places places;
  for (const char* const folder : RingFolders()) places.add_folder(folder, prefix_of_this_user(), nullptr);
  for (const OtherMounts& other : others) places.add_folder(other.root + ring::kFolder, ring::kNamePrefix, &other);
  std::vector<RingInfo> rings;
  for (const Place& place : places.all()) rings.push_back(look_at(place, others));
  const auto order = [](const RingInfo& ring) {
    return std::tuple(!ring.problem.empty(), ring.start_utc_ns, std::string_view(ring.path));
  };
  std::ranges::sort(rings, [&](const RingInfo& a, const RingInfo& b) { return order(a) < order(b); });
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
