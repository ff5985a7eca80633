#include "cmd/recover.h"

#include <errno.h>
#include <evt/decompression.h>
#include <evt/format.h>
#include <evt/saturating_add.h>
#include <evt/trace.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

namespace evt::tools {
namespace {

// How much a trace has of each stream, to be compared with what it has later.
class StreamCounts {
 public:
  // Reads all events of the trace.
  explicit StreamCounts(Trace& trace) {
    std::unordered_map<const Session*, std::size_t> numbers;
    for (const Session& session : trace.sessions()) numbers.emplace(&session, numbers.size());
    EventOptions wanted;
    wanted.markers = true;
    Events events = trace.events(wanted);
    while (const Event* const event = events.next()) {
      Counts& counts = streams_[{numbers.at(&event->session()), event->stream().id}];
      if (event->is_jump()) continue;
      if (!event->is_lost()) {
        ++counts.events;
        continue;
      }
      const auto cause = event->value("cause");
      const auto count = event->value("count");
      const std::uint64_t number = cause ? cause->as_unsigned() : 0;
      saturating_add(&counts.lost[number < EVT_LOST_CAUSES ? static_cast<std::size_t>(number) : 0],
                     count ? count->as_unsigned() : 0);
    }
    // By now reading has found all that is missing.
    for (const Session& session : trace.sessions()) {
      Counts& whole = streams_[{numbers.at(&session), 0}];
      whole.rows += session.rows;
      whole.missing += session.missing;
      for (const StreamInfo& stream : session.streams) {
        Counts& counts = streams_[{numbers.at(&session), stream.id}];
        counts.rows += stream.rows;
        counts.missing += stream.missing;
      }
    }
  }

  // Where `later` has not the same, as a part of a sentence; empty when it has.
  std::string difference(const StreamCounts& later) const {
    static const Counts kNothing;
    const auto in = [](const StreamCounts& of, const Stream& stream) -> const Counts& {
      const auto found = of.streams_.find(stream);
      return found == of.streams_.end() ? kNothing : found->second;
    };
    // Streams before whole sessions.
    const auto differs = [&](const auto& entry) {
      return entry.first.second != 0 && in(*this, entry.first) != in(later, entry.first);
    };
    for (const auto* const side : {&streams_, &later.streams_}) {
      auto found = std::ranges::find_if(*side, differs);
      if (found == side->end()) {
        found = std::ranges::find_if(
            *side, [&](const auto& entry) { return in(*this, entry.first) != in(later, entry.first); });
      }
      if (found == side->end()) continue;
      return fmt::format("{} of stream {} of session {}, and had {}", in(later, found->first).text(),
                         found->first.second, found->first.first + 1, in(*this, found->first).text());
    }
    return "";
  }

 private:
  struct Counts {
    std::uint64_t events = 0;  // that could be read
    std::uint64_t rows = 0;    // by the headers of blocks
    std::uint64_t missing = 0;
    std::array<std::uint64_t, EVT_LOST_CAUSES> lost{};  // by cause; 0: causes that this version does not know

    bool operator==(const Counts&) const = default;
    std::string text() const;
  };
  using Stream = std::pair<std::size_t, std::uint32_t>;  // a session of the trace, and an id in it; 0: all of it

  std::map<Stream, Counts> streams_;
};

std::string StreamCounts::Counts::text() const {
  std::uint64_t all_lost = 0;
  for (const std::uint64_t count : lost) saturating_add(&all_lost, count);
  return fmt::format("{} events in {} rows, {} lost and {} missing", events, rows, all_lost, missing);
}

bool has_living_writer(const Trace& trace) {
  return std::ranges::any_of(trace.sessions(), [](const Session& session) { return session.ring == RingState::kLive; });
}

// What is read of the rings stays locked: no program that starts puts it into the file, or removes it, meanwhile.
Result<Trace> open_with_rings(const RecoverableFile& file, std::string_view ring) {
  return Trace::open(file.descriptor(), file.name(), {.lock_rings = true, .ring = ring, .use_index = false});
}

// A copy must not take away the ring of the trace that it was made of.
int say_rings_of_others(const std::string& name, const Trace& trace, const Report& report) {
  int status = kExitOk;
  for (const Session& session : trace.sessions()) {
    if (session.ring != RingState::kOther) continue;
    report.say(session.ring_file.empty()
                   ? fmt::format("{}: its ring {} belongs to another file", name, session.ring_name)
                   : fmt::format("{}: its ring belongs to {}: recover that one", name, session.ring_file));
    report.say(fmt::format("{}: if it is a copy, evt check --recover --ring {} puts the ring's rows into it", name,
                           session.ring_name));
    status = kExitPartly;
  }
  return status;
}

// What was written may not be what can be read.
int compare(const RecoverableFile& file, const StreamCounts& before, const Report& report) {
  auto trace = Trace::open(file.descriptor(), file.name(), {.rings = false, .use_index = false});
  if (!trace) return report.no_answer(trace.status());
  const std::string difference = before.difference(StreamCounts(*trace));
  if (difference.empty()) return kExitOk;
  report.say(fmt::format("{}: read again, it has {} with its ring: the ring stays", file.name(), difference));
  return kExitPartly;
}

// Writes into the file what the rings have that it lacks.
int complete(Trace& trace, bool is_busy, RecoverableFile& file, const Report& report) {
  if (has_living_writer(trace)) {
    report.say(file.name() + ": its writer still runs: there is nothing to recover yet");
    return kExitPartly;
  }
  const Trace::Recovery& recovery = trace.recovery();
  if (recovery.rings.empty()) return kExitOk;
  if (is_busy) {
    report.say(file.name() + ": another program writes to it or recovers it: nothing was recovered");
    return kExitPartly;
  }
  const StreamCounts before(trace);
  if (const Status written = file.replace_end(recovery.file_size, recovery.blocks); !written.ok()) {
    return report.no_answer(written);
  }
  return compare(file, before, report);
}

void say_rows(const Trace& trace, const RecoverableFile& file, const Report& report) {
  std::uint64_t rows = 0;
  for (const Session& session : trace.sessions()) rows += session.ring_rows;
  report.say(fmt::format("{}: {} row{} from its ring {} in the file now", file.name(), rows, rows == 1 ? "" : "s",
                         rows == 1 ? "is" : "are"));
}

// Does not wait for the other end of a FIFO.
int open_at(const std::string& path, int how) {
  int fd;
  do {
    fd = ::open(path.c_str(), how | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

bool cut(int fd, off_t size) {
  int result;
  do {
    result = ::ftruncate(fd, size);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

bool write_at(int fd, off_t at, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(fd, bytes.data(), bytes.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = EIO;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    at += n;
  }
  return true;
}

// EINVAL: a file system that has nothing to wait for.
bool wait_for_disk(int fd) {
  int result;
  do {
    result = ::fdatasync(fd);
  } while (result != 0 && errno == EINTR);
  return result == 0 || errno == EINVAL;
}

Status cannot(const char* what, const std::string& name, const char* why) {
  return {Code::kIo, fmt::format("cannot {} {}: {}", what, name, why)};
}

}  // namespace

int recover(RecoverableFile& file, const Report& report) {
  const bool is_busy = !file.lock();
  auto trace = open_with_rings(file, {});
  if (!trace) return report.no_answer(trace.status());
  const int others = say_rings_of_others(file.name(), *trace, report);
  if (const int status = complete(*trace, is_busy, file, report); status != kExitOk) return status;
  const std::vector<std::string>& rings = trace->recovery().rings;
  if (rings.empty()) return others;
  for (const std::string& ring : rings) {
    if (unlink(ring.c_str()) == 0 || errno == ENOENT) continue;
    return report.no_answer({Code::kIo, fmt::format("cannot remove {}: {}", ring, strerror(errno))});
  }
  say_rows(*trace, file, report);
  return others;
}

int recover_from(const std::string& ring, RecoverableFile& file, const Report& report) {
  const bool is_busy = !file.lock();
  auto trace = open_with_rings(file, ring);
  if (!trace) return report.no_answer(trace.status());
  if (trace->recovery().rings.empty()) {
    return report.no_answer(
        {Code::kInvalid,
         fmt::format("{}: {} is no ring of a session of it that was not closed, and of its user", file.name(), ring)});
  }
  const int status = complete(*trace, is_busy, file, report);
  if (status == kExitOk) say_rows(*trace, file, report);
  return status;
}

Result<RecoverableFile> RecoverableFile::open(const std::string& path) {
  int write_error = 0;
  int fd = open_at(path, O_RDWR);
  if (fd < 0) {
    write_error = errno;
    fd = open_at(path, O_RDONLY);
  }
  if (fd < 0) {
    const bool is_link = errno == ELOOP;
    return cannot("open", path, is_link ? "it is a symbolic link: name the file that it leads to" : strerror(errno));
  }
  RecoverableFile file(fd, path, write_error);
  struct stat status;
  if (::fstat(fd, &status) != 0) return cannot("read", path, strerror(errno));
  if (S_ISDIR(status.st_mode)) return cannot("read", path, "it is a directory");
  if (!S_ISREG(status.st_mode)) return cannot("recover", path, "it is not a regular file");
  // A ring is one of the file that its program wrote.
  std::byte front[kCompressionFront];
  const ssize_t got = ::pread(fd, front, sizeof front, 0);
  if (got > 0 && compression_of({front, static_cast<std::size_t>(got)}) != nullptr) {
    return cannot("recover", path, "it is compressed: decompress it first");
  }
  return file;
}

RecoverableFile::RecoverableFile(RecoverableFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      name_(std::move(other.name_)),
      write_error_(other.write_error_) {}

RecoverableFile::~RecoverableFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

// A file system without locks has to do without.
bool RecoverableFile::lock() { return ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

void RecoverableFile::unlock() { ::flock(descriptor_, LOCK_UN); }

Status RecoverableFile::replace_end(std::uint64_t size, std::span<const std::byte> bytes) {
  if (write_error_ != 0) return cannot("write", name_, strerror(write_error_));
  const auto end = static_cast<off_t>(size);
  if (cut(descriptor_, end) && write_at(descriptor_, end, bytes) && wait_for_disk(descriptor_)) return {};
  const int reason = errno;
  cut(descriptor_, end);  // what is left of it there would be read as a block that was cut short
  return cannot("write", name_, strerror(reason));
}

}  // namespace evt::tools
