// What the items of a timeline cost, without any fold over them.
#include <benchmark/benchmark.h>
#include <evt/timeline.h>

#include <string>

#include "in_memory.h"
#include "schedule_events.h"

namespace {

constexpr std::uint64_t kEvents = 2'000'000;

std::string scheduled(evt::bench::Calls calls) {
  std::string bytes;
  evt_options options = {};
  options.clock = &evt::bench::kScheduleClock;
  options.flush_inline = 1;
  options.buffer_size = 256 << 10;
  auto writer = evt::Writer::open(evt::bench::keep, &bytes, options);
  evt::bench::emit_schedule(*writer, {.events = kEvents, .calls = calls});
  if (!writer->close().ok()) bytes.clear();
  return bytes;
}

void read_timeline(benchmark::State& state, evt::bench::Calls calls) {
  const std::string bytes = scheduled(calls);
  for (auto _ : state) {
    auto trace = evt::Trace::from_memory(std::as_bytes(std::span(bytes)));
    evt::Timeline timeline(*trace, {});
    std::int64_t sum = 0;
    while (timeline.next_session()) {
      while (const evt::TimelineItem* item = timeline.next()) sum += item->ns;
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(kEvents));
  state.counters["events"] = static_cast<double>(kEvents);
}

void TimelineOfThreads(benchmark::State& state) { read_timeline(state, evt::bench::Calls::kNone); }
BENCHMARK(TimelineOfThreads)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

void TimelineOfCalls(benchmark::State& state) { read_timeline(state, evt::bench::Calls::kPairs); }
BENCHMARK(TimelineOfCalls)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

}  // namespace
