// What recording in one line costs, beside emitting the same fields: in the program, and in a library that it loads.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <evt/trace_macros.h>
#include <evt/writer.h>

struct LineStart {
  std::uint64_t thread = 0;
};
struct LineStop {
  std::uint64_t thread = 0;
  std::uint64_t status = 0;
};
template <>
inline constexpr auto evt::schema<LineStart> = evt::event("line.start", "", evt::field("thread", &LineStart::thread));
template <>
inline constexpr auto evt::schema<LineStop> = evt::event("line.stop", "", evt::field("thread", &LineStop::thread),
                                                         evt::field("status", &LineStop::status));

namespace {

// A call of another library is not what is measured.
constexpr std::int64_t kBatch = 1000;

class Session {
 public:
  Session() : writer_(*evt::Writer::open([](void*, const void*, std::size_t) { return 0; }, nullptr)) {
    writer_.make_default();
  }
  evt::Writer& writer() { return writer_; }

 private:
  evt::Writer writer_;
};

void count_events(benchmark::State& state) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * 2);
  state.counters["events"] = benchmark::Counter(2, benchmark::Counter::kAvgThreads);
}

void LineEmit(benchmark::State& state) {
  Session session;
  const auto types = session.writer().declare<LineStart, LineStop>();
  evt::Stream stream = session.writer().this_thread();
  std::uint64_t i = 0;
  for (auto _ : state) {
    stream.emit(types, LineStart{.thread = i});
    stream.emit(types, LineStop{.thread = i++, .status = 1});
  }
  count_events(state);
}
BENCHMARK(LineEmit);

void LineTrace(benchmark::State& state) {
  const Session session;
  std::uint64_t i = 0;
  for (auto _ : state) {
    EVT_TRACE("line.start", "thread", i);
    EVT_TRACE("line.stop", "thread", i++, "status", std::uint64_t{1});
  }
  count_events(state);
}
BENCHMARK(LineTrace);

void LineSpan(benchmark::State& state) {
  const Session session;
  for (auto _ : state) {
    EVT_SPAN("line.span");
    benchmark::ClobberMemory();
  }
  count_events(state);
}
BENCHMARK(LineSpan);

// The same lines, in a library that is loaded by dlopen.
void LineTraceInLibrary(benchmark::State& state) {
  const Session session;
  void* const library = dlopen(EVT_LINE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return state.SkipWithError(dlerror());
  const auto trace = reinterpret_cast<void (*)(std::uint64_t, std::uint64_t)>(dlsym(library, "trace_lines"));
  while (state.KeepRunningBatch(kBatch)) trace(0, kBatch);
  count_events(state);
  dlclose(library);
}
BENCHMARK(LineTraceInLibrary);

void LineOff(benchmark::State& state) {
  std::uint64_t i = 0;
  for (auto _ : state) {
    EVT_TRACE("line.start", "thread", i);
    EVT_TRACE("line.stop", "thread", i++, "status", std::uint64_t{1});
    benchmark::ClobberMemory();
  }
  count_events(state);
}
BENCHMARK(LineOff);

// A loop that only counts: what of the one before is no line.
void LineNone(benchmark::State& state) {
  std::uint64_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(i++);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(LineNone);

}  // namespace
