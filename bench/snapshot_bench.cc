// Measures a snapshot of 64 MiB, from opening the trace to the last byte of the copy, and what copying as many bytes
// does. Headers are looked at, as with a program that runs: it has no index yet.
#include <benchmark/benchmark.h>
#include <errno.h>
#include <evt/compact.h>
#include <evt/snapshot.h>
#include <evt/writer.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "bench_events.h"

namespace {

constexpr std::uint64_t kSize = 64 << 20;
constexpr std::uint64_t kBetweenLooks = 1 << 16;  // at the size of the file

std::string path_of(const char* name) {
  const char* const folder = getenv("TMPDIR");
  return std::string(folder != nullptr ? folder : "/tmp") + "/evtrace-bench-" + std::to_string(getpid()) + name;
}

// A file with a trace of about this size; removed at the end.
class SourceTrace {
 public:
  explicit SourceTrace(bool is_compact) : path_(path_of(".evt")) {
    evt_clock clock = {};
    clock.hz = 1'000'000'000;
    evt_options options = {};
    options.flush_inline = 1;
    options.clock = &clock;
    if (is_compact) options.compact = evt_columns();
    auto writer = evt::Writer::open(path_, options);
    const auto types = writer->declare<Start, Stop>();
    evt::Stream stream = writer->stream("main");
    std::mt19937_64 noise;  // a regular sequence would be stored in next to nothing
    for (std::uint64_t i = 0; i % kBetweenLooks != 0 || std::filesystem::file_size(path_) < kSize; ++i) {
      const std::uint64_t mixed = noise();
      stream.emit_at(20 * i, types, Start{.thread = static_cast<std::uint32_t>(mixed >> 54)});
      stream.emit_at(20 * i + 1 + (mixed >> 60), types, Stop{.thread = 1, .status = 1});
    }
    is_whole_ = writer->close().ok();
  }
  SourceTrace(const SourceTrace&) = delete;
  SourceTrace& operator=(const SourceTrace&) = delete;
  ~SourceTrace() { unlink(path_.c_str()); }

  const std::string& path() const { return path_; }
  bool is_whole() const { return is_whole_; }

 private:
  std::string path_;
  bool is_whole_ = false;
};

// A file that takes bytes anew each time.
class Target {
 public:
  Target() : path_(path_of(".copy")), fd_(open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) {}
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  ~Target() {
    close(fd_);
    unlink(path_.c_str());
  }

  int take(const void* bytes, std::size_t size) const {
    const auto* at = static_cast<const char*>(bytes);
    while (size > 0) {
      const ssize_t n = write(fd_, at, size);
      if (n <= 0) return EIO;
      at += n;
      size -= static_cast<std::size_t>(n);
    }
    return 0;
  }

 private:
  std::string path_;
  int fd_;
};

void take_snapshots(benchmark::State& state, bool is_compact) {
  const SourceTrace source(is_compact);
  if (!source.is_whole()) return state.SkipWithError("no room for the trace");
  for ([[maybe_unused]] const auto each : state) {
    const Target target;
    auto trace = evt::Trace::open(source.path(), {.use_index = false});
    const evt::Status done =
        evt::snapshot(*trace, {}, [&](evt::Bytes bytes) { return target.take(bytes.data(), bytes.size()); });
    if (!done.ok()) return state.SkipWithError("no room for the copy");
  }
}

void SnapshotRows(benchmark::State& state) { take_snapshots(state, false); }
void SnapshotColumns(benchmark::State& state) { take_snapshots(state, true); }

void SnapshotCopy(benchmark::State& state) {
  const SourceTrace source(false);
  std::vector<char> part(1 << 20);
  for ([[maybe_unused]] const auto each : state) {
    const Target target;
    const int fd = open(source.path().c_str(), O_RDONLY | O_CLOEXEC);
    while (true) {
      const ssize_t n = read(fd, part.data(), part.size());
      if (n <= 0 || target.take(part.data(), static_cast<std::size_t>(n)) != 0) break;
    }
    close(fd);
  }
}

BENCHMARK(SnapshotCopy)->Unit(benchmark::kMillisecond);
BENCHMARK(SnapshotRows)->Unit(benchmark::kMillisecond);
BENCHMARK(SnapshotColumns)->Unit(benchmark::kMillisecond);

}  // namespace
