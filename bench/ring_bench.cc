// What recording costs where it is done: several threads, all processors together, a loop that has other work, and the
// slowest events.
#include <benchmark/benchmark.h>
#include <evt/compact.h>
#include <evt/writer.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "bench_events.h"

namespace {

constexpr const char* kPath = "/tmp/evt_bench.evt";

// A session that all threads of a benchmark share.
std::unique_ptr<evt::Writer> shared_writer;

void open_with(const evt_compactor* compactor) {
  evt_options options = {};
  options.full_wait_ms = EVT_WAIT_FOR_EVER;
  options.compact = compactor;
  shared_writer = std::make_unique<evt::Writer>(*evt::Writer::open(kPath, options));
}

void open_shared(const benchmark::State&) { open_with(nullptr); }
void open_compacting(const benchmark::State&) { open_with(evt_columns()); }

void close_shared(const benchmark::State&) {
  shared_writer.reset();
  unlink(kPath);
}

void emit_pairs(benchmark::State& state) {
  const auto types = shared_writer->declare<Start, Stop>();
  evt::Stream stream = shared_writer->stream("bench");
  std::uint32_t i = 0;
  for (auto _ : state) {
    stream.emit(types, Start{.thread = i});
    stream.emit(types, Stop{.thread = i++, .status = 1});
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * 2);
  state.counters["events"] = benchmark::Counter(2, benchmark::Counter::kAvgThreads);
}

// Time per pair of events as the producers see it, each on its own core if there are that many.
void EmitThreads(benchmark::State& state) { emit_pairs(state); }
BENCHMARK(EmitThreads)->Setup(open_shared)->Teardown(close_shared)->Threads(1)->Threads(2)->UseRealTime();

// The flusher's work included: CPU time of the whole process per pair.
void EmitAllCpu(benchmark::State& state) { emit_pairs(state); }
BENCHMARK(EmitAllCpu)->Setup(open_shared)->Teardown(close_shared)->MeasureProcessCPUTime();

// Some 33 ns of work whose every step waits for the one before.
std::uint64_t work(std::uint64_t x) {
  for (int i = 0; i < 22; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
  return x;
}

void WorkAlone(benchmark::State& state) {
  std::uint64_t x = 1;
  for (auto _ : state) benchmark::DoNotOptimize(x = work(x));
}
BENCHMARK(WorkAlone);

// What cannot be avoided: the same loop with the floor of an event in it.
void WorkAndFloor(benchmark::State& state) {
  std::vector<std::uint64_t> ring(1 << 13);
  evt_stream clock = *evt_stream_open(nullptr, "");
  clock.clock = EVT_CLOCK_X86_TSC;
  std::size_t at = 0;
  std::uint64_t x = 1;
  for (auto _ : state) {
    benchmark::DoNotOptimize(x = work(x));
    ring[at] = evt_now(&clock);
    ring[at + 1] = x;
    at = (at + 2) & (ring.size() - 1);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(WorkAndFloor);

void WorkAndEmit(benchmark::State& state) {
  const auto types = shared_writer->declare<Start>();
  evt::Stream stream = shared_writer->stream("bench");
  std::uint64_t x = 1;
  for (auto _ : state) {
    benchmark::DoNotOptimize(x = work(x));
    stream.emit(types, Start{.thread = static_cast<std::uint32_t>(x)});
  }
}
BENCHMARK(WorkAndEmit)->Setup(open_shared)->Teardown(close_shared);

// Times of single events, the clock's own time included; the floor is two readings with nothing between.
void report_quantiles(benchmark::State& state, std::vector<std::uint32_t>& ticks, double ns_per_tick) {
  std::sort(ticks.begin(), ticks.end());
  const auto quantile = [&](double q) {
    return ns_per_tick * ticks[static_cast<std::size_t>(q * static_cast<double>(ticks.size() - 1))];
  };
  state.counters["p50_ns"] = quantile(0.5);
  state.counters["p99.9_ns"] = quantile(0.999);
  state.counters["p99.99_ns"] = quantile(0.9999);
  state.counters["max_us"] = quantile(1) / 1000;
}

template <typename Emit>
void time_each(benchmark::State& state, Emit emit) {
  evt_stream clock = *evt_stream_open(nullptr, "");
  clock.clock = EVT_CLOCK_X86_TSC;
  std::vector<std::uint32_t> ticks;
  ticks.reserve(4'000'000);
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t first = evt_now(&clock);
  std::uint32_t i = 0;
  for (auto _ : state) {
    const std::uint64_t before = evt_now(&clock);
    emit(i++);
    ticks.push_back(static_cast<std::uint32_t>(evt_now(&clock) - before));
  }
  const std::chrono::duration<double, std::nano> span = std::chrono::steady_clock::now() - begin;
  report_quantiles(state, ticks, span.count() / static_cast<double>(evt_now(&clock) - first));
}

void QuantilesOfNothing(benchmark::State& state) {
  time_each(state, [](std::uint32_t i) { benchmark::DoNotOptimize(i); });
}
BENCHMARK(QuantilesOfNothing)->Iterations(4'000'000);

void time_emits(benchmark::State& state) {
  const auto types = shared_writer->declare<Start>();
  evt::Stream stream = shared_writer->stream("bench");
  time_each(state, [&](std::uint32_t i) { stream.emit(types, Start{.thread = i}); });
}

void QuantilesOfEmit(benchmark::State& state) { time_emits(state); }
BENCHMARK(QuantilesOfEmit)->Setup(open_shared)->Teardown(close_shared)->Iterations(4'000'000);

// The flusher works longer, on a processor that the producer may be on.
void QuantilesOfEmitCompacting(benchmark::State& state) { time_emits(state); }
BENCHMARK(QuantilesOfEmitCompacting)->Setup(open_compacting)->Teardown(close_shared)->Iterations(4'000'000);

}  // namespace
