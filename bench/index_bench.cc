// What opening a long trace costs, with its index and without: how many events of which types there are.
#include <benchmark/benchmark.h>
#include <evt/trace.h>
#include <evt/writer.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "bench_events.h"

namespace {

constexpr std::uint64_t kFileSize = 1'000'000'000;

// A temporary file with a trace of a gigabyte, in blocks of this size.
class LongTrace {
 public:
  explicit LongTrace(std::uint32_t block_size) {
    const char* const folder = getenv("TMPDIR");
    std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/evtrace-bench-XXXXXX";
    fd_ = mkstemp(path.data());
    unlink(path.c_str());
    evt_clock clock = {};
    clock.hz = 1'000'000'000;
    evt_options options = {};
    options.flush_inline = 1;
    options.clock = &clock;
    options.buffer_size = block_size;
    auto writer = evt::Writer::open(fd_, options);
    const auto types = writer->declare<Start, Stop>();
    evt::Stream stream = writer->stream("main");
    for (std::uint64_t i = 0; i < kFileSize / 26; ++i) {
      stream.emit_at(20 * i, types, Start{.thread = 1});
      stream.emit_at(20 * i + 10, types, Stop{.thread = 1, .status = 1});
    }
    whole_ = writer->close().ok();
  }
  LongTrace(const LongTrace&) = delete;
  LongTrace& operator=(const LongTrace&) = delete;
  ~LongTrace() { close(fd_); }

  int fd() const { return fd_; }
  bool whole() const { return whole_; }

 private:
  int fd_;
  bool whole_ = false;
};

// Opens it and adds up rows by type, by the index, or as far as headers tell by stream.
void open_and_count(benchmark::State& state, bool use_index) {
  const LongTrace file(static_cast<std::uint32_t>(state.range(0)) << 10);
  if (!file.whole()) return state.SkipWithError("no room for a gigabyte");
  evt::ReadOptions options;
  options.use_index = use_index;
  std::uint64_t rows = 0;
  std::uint64_t read = 0;
  bool indexed = false;
  for (auto _ : state) {
    const auto trace = evt::Trace::open(file.fd(), "bench", options);
    rows = 0;
    for (const evt::TypeCount& type : trace->sessions()[0].counts) rows += type.rows;
    if (!use_index) rows = trace->sessions()[0].rows;
    read = trace->bytes_read();
    indexed = trace->sessions()[0].indexed;
  }
  if (indexed != use_index) state.SkipWithError("not read as it was meant to be");
  state.counters["rows"] = static_cast<double>(rows);
  state.counters["read"] = static_cast<double>(read);
}

void OpenByIndex(benchmark::State& state) { open_and_count(state, true); }
void OpenByHeaders(benchmark::State& state) { open_and_count(state, false); }
BENCHMARK(OpenByIndex)->Arg(256)->Arg(64)->Arg(4)->Unit(benchmark::kMillisecond);
BENCHMARK(OpenByHeaders)->Arg(256)->Arg(64)->Arg(4)->Unit(benchmark::kMillisecond);

}  // namespace
