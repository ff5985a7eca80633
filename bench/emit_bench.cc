// What an event costs its program. The floor is what no program can go below: reading the clock and storing 16 bytes.
#include <benchmark/benchmark.h>
#include <evt/writer.h>

#include <vector>

#include "bench_events.h"

namespace {

int discard(void*, const void*, std::size_t) { return 0; }

evt::Writer open(evt_sink sink) { return *evt::Writer::open(sink, nullptr); }

void Floor(benchmark::State& state) {
  std::vector<std::uint64_t> ring(1 << 13);
  const evt_stream* const clock = evt_stream_open(nullptr, "");
  evt_stream fast = *clock;
  fast.clock = EVT_CLOCK_X86_TSC;
  std::size_t at = 0;
  for (auto _ : state) {
    ring[at] = evt_now(&fast);
    ring[at + 1] = at;
    at = (at + 2) & (ring.size() - 1);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(Floor);

void EmitCpp(benchmark::State& state) {
  evt::Writer writer = open(discard);
  const auto types = writer.declare<Start, Stop>();
  evt::Stream stream = writer.stream("bench");
  std::uint32_t i = 0;
  for (auto _ : state) {
    stream.emit(types, Start{.thread = i});
    stream.emit(types, Stop{.thread = i++, .status = 1});
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * 2);
  state.counters["events"] = benchmark::Counter(2, benchmark::Counter::kAvgThreads);
}
BENCHMARK(EmitCpp);

void EmitC(benchmark::State& state) {
  evt::Writer writer = open(discard);
  const auto types = writer.declare<Start, Stop>();
  const evt_type* const start = types.get<Start>().get();
  const evt_type* const stop = types.get<Stop>().get();
  evt_stream* const stream = writer.stream("bench").get();
  std::uint32_t i = 0;
  for (auto _ : state) {
    evt_row row = evt_begin(stream, start);
    if (row.p != nullptr) {
      evt_u32(&row, i);
      evt_commit(&row);
    }
    row = evt_begin(stream, stop);
    if (row.p != nullptr) {
      evt_u32(&row, i++);
      evt_u16(&row, 1);
      evt_commit(&row);
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * 2);
  state.counters["events"] = benchmark::Counter(2, benchmark::Counter::kAvgThreads);
}
BENCHMARK(EmitC);

[[gnu::noinline]] void emit_pairs_to(benchmark::State& state, evt::Stream& stream,
                                     const evt::Types<Start, Stop>& types) {
  for (auto _ : state) {
    stream.emit(types, Start{.thread = 1});
    stream.emit(types, Stop{.thread = 1, .status = 1});
  }
}

void emit_to(benchmark::State& state, const evt_options& options) {
  auto writer = evt::Writer::open("/tmp/evt_bench.evt", options);
  const auto types = writer->declare<Start, Stop>();
  evt::Stream stream = writer->stream("bench");
  emit_pairs_to(state, stream, types);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * 2);
  state.counters["events"] = benchmark::Counter(2, benchmark::Counter::kAvgThreads);
}

void EmitToFile(benchmark::State& state) { emit_to(state, {}); }
BENCHMARK(EmitToFile)->Iterations(2'000'000);

// So few that each finds memory that is new to the processor, and none waits for the flusher.
void EmitToNewRing(benchmark::State& state) { emit_to(state, {}); }
BENCHMARK(EmitToNewRing)->Iterations(5'000);

void EmitToFlight(benchmark::State& state) {
  evt_options options = {};
  options.flight_bytes = 64 << 20;
  emit_to(state, options);
}
BENCHMARK(EmitToFlight)->Iterations(2'000'000);

void EmitOff(benchmark::State& state) {
  evt::Stream stream(evt_stream_open(nullptr, ""));
  const evt::Types<Start, Stop> types;
  for (auto _ : state) {
    stream.emit(types, Start{.thread = 1});
    benchmark::ClobberMemory();
  }
}
BENCHMARK(EmitOff);

}  // namespace
