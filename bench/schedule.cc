// A scheduler's trace: 1,000 threads run on 16 cpus in slices of some microseconds, two cpus to a stream. What analyses
// of running time read.
//
//   evt_schedule EVENTS FILE
#include <evt/events.h>
#include <evt/writer.h>

#include <cstdio>
#include <cstdlib>
#include <queue>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::uint32_t kThreads = 1000;
constexpr std::uint32_t kCpus = 16;
constexpr std::uint32_t kStreams = 8;

[[noreturn]] void fail(const std::string& sentence) {
  std::fprintf(stderr, "evt_schedule: %s\n", sentence.c_str());
  std::exit(1);
}

// Noise that is the same each time.
class Noise {
 public:
  std::uint64_t below(std::uint64_t bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ % bound;
  }

 private:
  std::uint64_t state_ = 88172645463325252;
};

struct Cpu {
  std::uint64_t ticks = 0;  // something happens there next
  std::uint32_t number = 0;
  std::uint32_t thread = 0;  // that runs there, from 1 on
  bool operator<(const Cpu& other) const { return ticks > other.ticks; }
};

void record(std::uint64_t events, const std::string& path) {
  const evt_clock clock = {nullptr, nullptr, kSecond, 0};
  evt_options options = {};
  options.clock = &clock;
  options.full_wait_ms = EVT_WAIT_FOR_EVER;
  auto writer = evt::Writer::open(path, options);
  if (!writer) fail(writer.status().message());
  const auto types = writer->declare<evt::events::ThreadRun, evt::events::ThreadStop>();
  std::vector<evt::Stream> streams;
  for (std::uint32_t i = 0; i < kStreams; ++i) streams.push_back(writer->stream("cpus " + std::to_string(i)));
  std::vector<bool> runs(kThreads + 1);
  std::priority_queue<Cpu> cpus;
  for (std::uint32_t i = 0; i < kCpus; ++i) cpus.push({i * 100, i, 0});
  Noise noise;
  for (std::uint64_t done = 0; done < events; ++done) {
    Cpu cpu = cpus.top();
    cpus.pop();
    evt::Stream& stream = streams[cpu.number % kStreams];
    if (cpu.thread != 0) {
      stream.emit_at(cpu.ticks, types, evt::events::ThreadStop{.thread = cpu.thread});
      runs[cpu.thread] = false;
      cpu.thread = 0;
      cpu.ticks += 200 + noise.below(2000);
    } else {
      do {
        cpu.thread = static_cast<std::uint32_t>(1 + noise.below(kThreads));
      } while (runs[cpu.thread]);
      runs[cpu.thread] = true;
      stream.emit_at(cpu.ticks, types, evt::events::ThreadRun{.thread = cpu.thread, .cpu = cpu.number});
      cpu.ticks += 1000 + noise.below(50'000);
    }
    cpus.push(cpu);
  }
  const evt::Status status = writer->close();
  if (!status.ok()) fail(status.message());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) fail("expected EVENTS FILE");
  const unsigned long long events = std::strtoull(argv[1], nullptr, 10);
  if (events == 0) fail("expected a number of events");
  record(events, argv[2]);
}
