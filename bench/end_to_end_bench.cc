// What recording costs from the opening of a session to its end, by all threads of the process: those that emit, the
// flusher, and the thread that closes. Processor time alone is shown, as other work on the
// machine adds least to it; the share of those that emit, and the bytes of an event in the file, are counters.
#include <benchmark/benchmark.h>
#include <evt/compact.h>
#include <evt/writer.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "bench_events.h"

namespace {

constexpr const char* kPath = "/tmp/evt_end_to_end.evt";
constexpr std::uint32_t kPairs = 1'000'000;  // of all threads together
// So much at a time, then a rest: a program that does nothing but emit leaves the flusher no processor for compacting,
// and its rows are stored as they are. In a rest, the flusher catches up.
constexpr std::uint32_t kPairsAtATime = 1 << 15;
constexpr auto kRest = std::chrono::milliseconds(4);

double seconds(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Ids that come back, in no order, as those of real threads do: consecutive numbers would compact to nothing.
std::uint32_t thread_of(std::uint32_t i) {
  std::uint32_t mixed = i * 2654435761u;
  mixed = (mixed ^ mixed >> 15) * 2246822519u;
  return mixed >> 22;
}

enum class Pace { kHot, kRests };

// Calls emit(i) for a thread's share of pairs; returns the processor time that this took in seconds.
template <typename EmitPair>
double emit_share(Pace pace, std::uint32_t pairs, EmitPair emit) {
  double hot = 0;
  for (std::uint32_t done = 0; done < pairs;) {
    const std::uint32_t end = pace == Pace::kHot ? pairs : std::min(pairs, done + kPairsAtATime);
    const double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
    for (; done < end; ++done) emit(done);
    hot += seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
    if (pace == Pace::kRests) std::this_thread::sleep_for(kRest);
  }
  return hot;
}

// As many threads, each of which runs share(pairs); their hot seconds, on average.
template <typename Share>
double on_threads(std::size_t count, Share share) {
  const auto pairs = static_cast<std::uint32_t>(kPairs / count);
  std::vector<double> hot(count);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&, i] { hot[i] = share(pairs); });
  for (std::thread& each : threads) each.join();
  return std::accumulate(hot.begin(), hot.end(), 0.0) / static_cast<double>(count);
}

// Runs `all`, which returns hot seconds, as one iteration.
template <typename All>
void measure(benchmark::State& state, All all) {
  double hot = 0;
  for (auto _ : state) {
    const double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
    hot += all();
    state.SetIterationTime(seconds(CLOCK_PROCESS_CPUTIME_ID) - begin);
  }
  const auto threads = static_cast<double>(state.range(0));
  const double events = 2.0 * kPairs * static_cast<double>(state.iterations());
  state.counters["events"] = 2.0 * kPairs;
  state.counters["hot_ns"] = hot * 1e9 * threads / events;
}

// The floor: the same threads read the clock and store 16 bytes.
void bare(benchmark::State& state, Pace pace) {
  const auto share = [&](std::uint32_t pairs) {
    std::vector<std::uint64_t> ring(1 << 13);
    evt_stream clock = *evt_stream_open(nullptr, "");
    clock.clock = EVT_CLOCK_X86_TSC;
    std::size_t at = 0;
    const auto event = [&](std::uint32_t i) {
      ring[at] = evt_now(&clock);
      ring[at + 1] = i;
      at = (at + 2) & (ring.size() - 1);
      benchmark::ClobberMemory();
    };
    return emit_share(pace, pairs, [&](std::uint32_t i) {
      event(thread_of(i));
      event(thread_of(i));
    });
  };
  measure(state, [&] { return on_threads(static_cast<std::size_t>(state.range(0)), share); });
}

double record(benchmark::State& state, Pace pace, const evt_compactor* compactor) {
  evt_options options = {};
  options.full_wait_ms = EVT_WAIT_FOR_EVER;  // what is lost costs less
  options.compact = compactor;
  auto writer = evt::Writer::open(kPath, options);
  if (!writer) {
    state.SkipWithError(writer.status().message().c_str());
    return 0;
  }
  const auto types = writer->declare<Start, Stop>();
  const double hot = on_threads(static_cast<std::size_t>(state.range(0)), [&](std::uint32_t pairs) {
    evt::Stream stream = writer->stream("bench");
    return emit_share(pace, pairs, [&](std::uint32_t i) {
      stream.emit(types, Start{.thread = thread_of(i)});
      stream.emit(types, Stop{.thread = thread_of(i), .status = 1});
    });
  });
  const evt_counts counts = writer->counts();
  if (const evt::Status closed = writer->close(); !closed.ok()) state.SkipWithError(closed.message().c_str());
  for (const std::uint64_t lost : counts.lost) {
    if (lost != 0) state.SkipWithError("events were lost");
  }
  return hot;
}

void session(benchmark::State& state, Pace pace, const evt_compactor* compactor) {
  measure(state, [&] { return record(state, pace, compactor); });
  struct stat file = {};
  if (stat(kPath, &file) == 0) state.counters["bytes"] = static_cast<double>(file.st_size) / (2.0 * kPairs);
  unlink(kPath);
}

void HotBare(benchmark::State& state) { bare(state, Pace::kHot); }
void HotRows(benchmark::State& state) { session(state, Pace::kHot, nullptr); }
void HotColumns(benchmark::State& state) { session(state, Pace::kHot, evt_columns()); }
void RestsBare(benchmark::State& state) { bare(state, Pace::kRests); }
void RestsRows(benchmark::State& state) { session(state, Pace::kRests, nullptr); }
void RestsColumns(benchmark::State& state) { session(state, Pace::kRests, evt_columns()); }

void one_and_two_threads(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(1)->Arg(2)->Iterations(2)->UseManualTime()->Unit(benchmark::kMillisecond);
}
BENCHMARK(HotBare)->Apply(one_and_two_threads);
BENCHMARK(HotRows)->Apply(one_and_two_threads);
BENCHMARK(HotColumns)->Apply(one_and_two_threads);
BENCHMARK(RestsBare)->Apply(one_and_two_threads);
BENCHMARK(RestsRows)->Apply(one_and_two_threads);
BENCHMARK(RestsColumns)->Apply(one_and_two_threads);

}  // namespace
