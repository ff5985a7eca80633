// Writes the same events for several readers, so that these can be compared:
//
//   evt_same_events FOLDER STREAMS EVENTS       rows.evt, columns.evt, ghc.eventlog and the folder ctf, in FOLDER
#include "same_events.h"

#include <evt/compact.h>
#include <evt/writer.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "bench_events.h"

namespace evt::bench {
namespace {

class EvtLog : public Log {
 public:
  EvtLog(Writer writer, std::size_t streams) : writer_(std::move(writer)), types_(writer_.declare<Start, Stop>()) {
    for (std::size_t i = 0; i < streams; ++i) streams_.push_back(writer_.stream("s" + std::to_string(i)));
  }
  void start(std::size_t stream, std::uint64_t ns, std::uint32_t thread) override {
    streams_[stream].emit_at(ns, types_, Start{.thread = thread});
  }
  void stop(std::size_t stream, std::uint64_t ns, std::uint32_t thread, std::uint16_t status) override {
    streams_[stream].emit_at(ns, types_, Stop{.thread = thread, .status = status});
  }
  bool close() override { return writer_.close().ok(); }

 private:
  Writer writer_;
  Types<Start, Stop> types_;
  std::vector<Stream> streams_;
};

// Steps of some 50 ns that no formula predicts; threads come back again and again, as real ones do.
bool write(Log& log, std::size_t streams, std::uint64_t events) {
  std::uint64_t random = 1;
  std::uint64_t ns = 1000;
  std::uint32_t thread = 0;
  for (std::uint64_t i = 0; i < events; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    ns += 20 + (random >> 58);
    const std::size_t stream = i / 2 % streams;
    if (i % 2 == 0) {
      thread = static_cast<std::uint32_t>(stream * 1000 + (random >> 32) % 1000);
      log.start(stream, ns, thread);
    } else {
      log.stop(stream, ns, thread, 1);
    }
  }
  return log.close();
}

int run(const std::filesystem::path& folder, std::size_t streams, std::uint64_t events) {
  std::error_code ignored;
  std::filesystem::create_directories(folder / "ctf", ignored);
  for (const bool compact : {false, true}) {
    const auto log = evt_log(folder / (compact ? "columns.evt" : "rows.evt"), streams, compact);
    if (log == nullptr || !write(*log, streams, events)) return 1;
  }
  const auto ctf = ctf_log(folder / "ctf", streams);
  const auto ghc = ghc_log(folder / "ghc.eventlog", streams);
  return write(*ctf, streams, events) && write(*ghc, streams, events) ? 0 : 1;
}

}  // namespace

std::unique_ptr<Log> evt_log(const std::string& path, std::size_t streams, bool compact) {
  evt_clock clock = {};
  clock.hz = 1'000'000'000;
  evt_options options = {};
  options.clock = &clock;
  options.flush_inline = 1;
  options.buffer_size = 256 << 10;
  if (compact) options.compact = evt_columns();
  auto writer = Writer::open(path, options);
  return writer ? std::make_unique<EvtLog>(*std::move(writer), streams) : nullptr;
}

}  // namespace evt::bench

int main(int argc, char** argv) {
  const std::size_t streams = argc == 4 ? std::strtoull(argv[2], nullptr, 10) : 0;
  if (streams == 0) {
    std::fputs("usage: evt_same_events FOLDER STREAMS EVENTS\n", stderr);
    return 2;
  }
  if (evt::bench::run(argv[1], streams, std::strtoull(argv[3], nullptr, 10)) == 0) return 0;
  std::fprintf(stderr, "evt_same_events: cannot write into %s\n", argv[1]);
  return 1;
}
