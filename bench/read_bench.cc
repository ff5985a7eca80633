// What reading in order costs, by the number of streams whose events are interleaved, and what making text of it does.
// Of all threads, as blocks may be decoded ahead by another one.
#include <benchmark/benchmark.h>
#include <evt/compact.h>
#include <evt/export/csv_lines.h>
#include <evt/export/json_lines.h>
#include <evt/export/pretty_printer.h>
#include <evt/little_endian.h>
#include <evt/merge.h>
#include <evt/trace.h>
#include <evt/writer.h>

#include <memory>
#include <string>
#include <vector>

#include "bench_events.h"
#include "in_memory.h"

namespace {

constexpr std::uint64_t kEvents = 4'000'000;

// Of the events of all sessions of a benchmark, in turn, those that are this one's.
struct Turn {
  std::uint64_t session = 0;
  std::uint64_t of = 1;
};

// Events in turn over the streams, one each 10 ticks.
std::string interleaved(std::size_t streams, const evt_compactor* compact = nullptr, Turn turn = {}) {
  std::string bytes;
  evt_clock clock = {};
  clock.hz = 1'000'000'000;
  evt_session_info session = {};
  session.exact = 1;
  session.uuid[15] = static_cast<std::uint8_t>(turn.session + 1);
  evt_options options = {};
  options.session = &session;
  options.flush_inline = 1;
  options.clock = &clock;
  options.buffer_size = 256 << 10;
  options.compact = compact;
  auto writer = evt::Writer::open(evt::bench::keep, &bytes, options);
  const auto types = writer->declare<Start, Stop>();
  std::vector<evt::Stream> all;
  for (std::size_t i = 0; i < streams; ++i) all.push_back(writer->stream("s" + std::to_string(i)));
  for (std::uint64_t i = 0; i < kEvents / turn.of; ++i) {
    const auto thread = static_cast<std::uint32_t>(i);
    const std::uint64_t ticks = (i * turn.of + turn.session) * 10;
    if (i % 2 == 0) {
      all[i % streams].emit_at(ticks, types, Start{.thread = thread});
    } else {
      all[i % streams].emit_at(ticks, types, Stop{.thread = thread, .status = 1});
    }
  }
  if (!writer->close().ok()) bytes.clear();
  return bytes;
}

// The floor of reading: steps over rows in memory, each of which has the distance to the next, and adds up their times.
void WalkRows(benchmark::State& state) {
  constexpr std::size_t kBlock = 256 << 10;
  std::vector<std::byte> rows(kBlock + 16);
  for (std::size_t at = 0, i = 0; at < kBlock; ++i) {
    const std::uint64_t size = i % 2 == 0 ? 12 : 14;
    evt_store_u64(rows.data() + at, i * 10 | std::uint64_t{1} << 32 | size << 48);
    at += size;
  }
  for (auto _ : state) {
    std::uint64_t sum = 0;
    const std::byte* p = rows.data();
    for (std::uint64_t i = 0; i < kEvents; ++i) {
      const std::uint64_t head = evt_load_u64(p);
      sum += head & 0xFFFFFFFF;
      p += head >> 48;
      if (p >= rows.data() + kBlock) p = rows.data();
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(kEvents));
  state.counters["events"] = static_cast<double>(kEvents);
}
BENCHMARK(WalkRows)->Unit(benchmark::kMillisecond);

void read_all(benchmark::State& state, const std::string& bytes) {
  for (auto _ : state) {
    auto trace = evt::Trace::from_memory(std::as_bytes(std::span(bytes)));
    evt::Events events = trace->events();
    std::uint64_t sum = 0;
    while (const evt::Event* event = events.next()) sum += event->ticks();
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(kEvents));
  state.counters["events"] = static_cast<double>(kEvents);
  state.counters["bytes/event"] = static_cast<double>(bytes.size()) / static_cast<double>(kEvents);
}

void ReadOrdered(benchmark::State& state) { read_all(state, interleaved(static_cast<std::size_t>(state.range(0)))); }
BENCHMARK(ReadOrdered)->Arg(1)->Arg(8)->Arg(64)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

// A merged trace of six streams; each clock is that of a session.
std::string merged(std::uint64_t clocks) {
  constexpr std::uint64_t kStreams = 6;
  std::vector<std::string> sessions;
  evt::MergeOptions options;
  for (std::uint64_t i = 0; i < clocks; ++i) {
    sessions.push_back(interleaved(kStreams / clocks, nullptr, {i, clocks}));
    options.inputs.push_back({std::to_string(i), 0});
  }
  options.open = [&](std::size_t i) -> evt::Result<std::shared_ptr<evt::Trace>> {
    auto trace = evt::Trace::from_memory(std::as_bytes(std::span(sessions[i])));
    if (!trace) return trace.status();
    return std::make_shared<evt::Trace>(*std::move(trace));
  };
  std::string bytes;
  const auto done =
      evt::merge(options, [&](evt::Bytes more) { return evt::bench::keep(&bytes, more.data(), more.size()); });
  return done ? bytes : "";
}

// Rows of one clock are ordered by ticks, those of several by their times.
void ReadClocks(benchmark::State& state) { read_all(state, merged(static_cast<std::uint64_t>(state.range(0)))); }
BENCHMARK(ReadClocks)->Arg(1)->Arg(3)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

// The same, compressed.
void ReadCompacted(benchmark::State& state) {
  read_all(state, interleaved(static_cast<std::size_t>(state.range(0)), evt_columns()));
}
BENCHMARK(ReadCompacted)->Arg(1)->Arg(8)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

// The same, each with its time in nanoseconds.
void read_times(benchmark::State& state, const std::string& bytes) {
  for (auto _ : state) {
    auto trace = evt::Trace::from_memory(std::as_bytes(std::span(bytes)));
    evt::Events events = trace->events();
    std::int64_t sum = 0;
    while (const evt::Event* event = events.next()) sum += event->ns();
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(kEvents));
  state.counters["events"] = static_cast<double>(kEvents);
}

void ReadTimes(benchmark::State& state) { read_times(state, interleaved(static_cast<std::size_t>(state.range(0)))); }
BENCHMARK(ReadTimes)->Arg(1)->Arg(8)->Arg(64)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

void ReadTimesCompacted(benchmark::State& state) {
  read_times(state, interleaved(static_cast<std::size_t>(state.range(0)), evt_columns()));
}
BENCHMARK(ReadTimesCompacted)->Arg(1)->Arg(8)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

// The same events as arrays, with their times in nanoseconds.
void ReadBatches(benchmark::State& state) {
  const std::string bytes = interleaved(8);
  for (auto _ : state) {
    auto trace = evt::Trace::from_memory(std::as_bytes(std::span(bytes)));
    evt::Events events = trace->events();
    std::int64_t sum = 0;
    while (const evt::EventBatch* batch = events.next_batch()) {
      for (const std::int64_t ns : batch->ns) sum += ns;
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(kEvents));
  state.counters["events"] = static_cast<double>(kEvents);
}
BENCHMARK(ReadBatches)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

void ReadTyped(benchmark::State& state) {
  const std::string bytes = interleaved(8);
  for (auto _ : state) {
    auto trace = evt::Trace::from_memory(std::as_bytes(std::span(bytes)));
    evt::Events events = trace->events();
    std::uint64_t sum = 0;
    while (const evt::Event* event = events.next()) {
      if (const auto stop = event->as<Stop>()) sum += stop->thread;
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(kEvents));
  state.counters["events"] = static_cast<double>(kEvents);
}
BENCHMARK(ReadTyped)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

// As evt dump does, but for the writing of what is a block's worth.
void ReadAsText(benchmark::State& state, std::unique_ptr<evt::EventLines> make(const evt::Trace&)) {
  const std::string bytes = interleaved(8);
  double made = 0;
  for (auto _ : state) {
    auto trace = evt::Trace::from_memory(std::as_bytes(std::span(bytes)));
    const auto lines = make(*trace);
    evt::TextBuffer out;
    lines->begin(out, "", *trace);
    evt::Events events = trace->events();
    while (const evt::Event* event = events.next()) {
      lines->append(out, *event);
      if (out.size() < 64 << 10) continue;
      made += static_cast<double>(out.size());
      out.clear();
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(kEvents));
  state.counters["events"] = static_cast<double>(kEvents);
  state.counters["s/byte"] = {made, benchmark::Counter::kIsRate | benchmark::Counter::kInvert};
}
BENCHMARK_CAPTURE(ReadAsText, people, [](const evt::Trace&) { return evt::pretty_printer({}); })
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ReadAsText, json, [](const evt::Trace&) { return evt::json_lines({}); })
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ReadAsText, csv,
                  [](const evt::Trace& trace) {
                    return evt::csv_lines({}, {&trace}, [](const evt::EventType&) { return true; });
                  })
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
