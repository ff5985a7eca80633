// A program that was killed, its trace and its ring, which a test may damage and put back.
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <array>
#include <map>

#include "support/command.h"
#include "write/file_and_ring.h"
#include "write/ring_session.h"

namespace evt::testing {

// A file as it is now, holes in it too. Put back, it is the same file: its inode stays.
class FileCopy {
 public:
  explicit FileCopy(std::string path) : path_(std::move(path)) {
    const int fd = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) throw std::runtime_error("cannot read " + path_);
    size_ = lseek(fd, 0, SEEK_END);
    for (off_t hole = 0, data = 0; (data = lseek(fd, hole, SEEK_DATA)) >= 0;) {
      hole = lseek(fd, data, SEEK_HOLE);
      std::string bytes(static_cast<std::size_t>(hole - data), '\0');
      if (pread(fd, bytes.data(), bytes.size(), data) != static_cast<ssize_t>(bytes.size())) {
        throw std::runtime_error("cannot read " + path_);
      }
      parts_.emplace_back(data, std::move(bytes));
    }
    close(fd);
  }

  void put_back() const {
    const int fd = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool done = fd >= 0 && ftruncate(fd, size_) == 0;
    for (const auto& [at, bytes] : parts_) {
      done = done && pwrite(fd, bytes.data(), bytes.size(), at) == static_cast<ssize_t>(bytes.size());
    }
    if (fd >= 0) close(fd);
    if (!done) throw std::runtime_error("cannot write " + path_);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  off_t size_ = 0;
  std::vector<std::pair<off_t, std::string>> parts_;
};

// All that a trace shows: of each stream its ticks in order, its losses by cause, and how many rows are missing.
struct Shown {
  struct OfStream {
    std::vector<std::uint32_t> ticks;
    std::array<std::uint64_t, EVT_LOST_CAUSES> lost{};
    std::uint64_t missing = 0;

    bool operator==(const OfStream&) const = default;
  };
  std::map<std::uint32_t, OfStream> streams;  // by id
  std::uint64_t others = 0;                   // events that are no ticks

  bool operator==(const Shown&) const = default;

  std::uint64_t count() const {
    std::uint64_t sum = others;
    for (const auto& [id, stream] : streams) sum += stream.ticks.size();
    return sum;
  }
  std::uint64_t lost() const {
    std::uint64_t sum = 0;
    for (const auto& [id, stream] : streams) {
      for (const std::uint64_t of_cause : stream.lost) sum += of_cause;
    }
    return sum;
  }
  std::uint64_t missing() const {
    std::uint64_t sum = 0;
    for (const auto& [id, stream] : streams) sum += stream.missing;
    return sum;
  }
};

inline std::ostream& operator<<(std::ostream& out, const Shown& shown) {
  for (const auto& [id, stream] : shown.streams) {
    out << "stream " << id << ": " << stream.ticks.size() << " ticks, " << stream.missing << " missing";
    for (std::size_t cause = 0; cause < stream.lost.size(); ++cause) {
      if (stream.lost[cause] > 0) out << ", " << stream.lost[cause] << " lost by cause " << cause;
    }
    out << "; ";
  }
  return out << shown.others << " other events";
}

inline Shown shown(const std::string& path, bool with_ring = true) {
  Trace trace = open_file(path, with_ring);
  Shown all;
  EventOptions wanted;
  wanted.markers = true;
  Events events = trace.events(wanted);
  while (const Event* const event = events.next()) {
    Shown::OfStream& stream = all.streams[event->stream().id];
    if (event->is_lost()) {
      stream.lost.at(event->value("cause")->as_unsigned()) += event->value("count")->as_unsigned();
    } else if (const auto tick = event->as<Tick>()) {
      stream.ticks.push_back(tick->n);
    } else if (!event->is_jump()) {
      ++all.others;
    }
  }
  for (const StreamInfo& stream : trace.sessions()[0].streams) all.streams[stream.id].missing = stream.missing;
  return all;
}
inline Shown shown_by_the_file(const std::string& path) { return shown(path, false); }

// Makes the folders of tests in memory: each recovery waits until what it wrote is on the disk.
class FoldersInMemory {
 protected:
  FoldersInMemory() {
    if (const char* const before = getenv("TMPDIR")) before_ = before;
    setenv("TMPDIR", ring::kFolder, 1);
  }
  ~FoldersInMemory() {
    if (before_.empty()) {
      unsetenv("TMPDIR");
    } else {
      setenv("TMPDIR", before_.c_str(), 1);
    }
  }

 private:
  std::string before_;
};

class KilledProgram : private FoldersInMemory, public RingTest {
 protected:
  Outcome run(const std::string& line) const { return evt::testing::run(line, folder.path()); }

  // A program that recorded ticks of stream "a", flushed behind each of the counts but the last: those are in the ring
  // alone.
  void given_killed_program(const std::vector<std::uint32_t>& counts, int descriptor = -1) {
    ASSERT_NO_FATAL_FAILURE(killed_after([&] {
      evt_options with = options();
      auto* const writer = descriptor < 0 ? new Writer(open()) : new Writer(*Writer::open(descriptor, with));
      const auto types = writer->declare<Tick>();
      Stream stream = writer->stream("a");
      std::uint32_t n = 0;
      for (std::size_t i = 0; i < counts.size(); ++i) {
        emit_ticks(stream, types, n, n + counts[i]);
        n += counts[i];
        if (i + 1 < counts.size()) stream.flush();
      }
    }));
    ring = ring_path(open_file(path, false).sessions()[0]);
  }
  bool ring_exists() const { return std::filesystem::exists(ring); }

  std::string ring;
};

}  // namespace evt::testing
