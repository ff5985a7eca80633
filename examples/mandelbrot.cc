// Renders frames of the Mandelbrot set on worker threads that record what they do:
//
//   mandelbrot FILE
//
// Workers take the tiles of a frame as they get ready for one; tiles of the set itself take longest. The orbits that
// each has computed are garbage when the frame is complete: then all workers stop, and each frees its own. Traces to
// FILE, one stream per worker: when it runs and collects, a span for each frame and each tile, how much garbage it has.
#include <evt/events.h>
#include <evt/writer.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <forward_list>
#include <string>
#include <thread>
#include <vector>

// The streams are what runs threads: these have no cpu of their own.
struct WorkerRuns {
  std::uint64_t worker = 0;
};
struct WorkerStops {
  std::uint64_t worker = 0;
  evt::events::StopReason reason{};
};
template <>
inline constexpr auto evt::schema<WorkerRuns> = evt::event("mandelbrot.run", "a worker runs", evt::Role::kThreadRun,
                                                           evt::field("worker", &WorkerRuns::worker,
                                                                      evt::Role::kThread));
template <>
inline constexpr auto evt::schema<WorkerStops> =
    evt::event("mandelbrot.stop", "a worker waits for the others", evt::Role::kThreadStop,
               evt::field("worker", &WorkerStops::worker, evt::Role::kThread),
               evt::field("reason", &WorkerStops::reason, evt::Role::kReason));

namespace {

constexpr unsigned kWorkers = 4;
constexpr unsigned kFrames = 5;
constexpr unsigned kTiles = 6;        // on each side of a frame
constexpr unsigned kTilePixels = 48;  // on each side of a tile
constexpr unsigned kMaxIterations = 400;
constexpr unsigned kKeptPoints = 24;      // of the orbit of a pixel
constexpr std::int64_t kPointBytes = 24;  // with the pointer beside it
constexpr std::complex<double> kCenter(-0.745, 0.105);

using Types = evt::Types<WorkerRuns, WorkerStops, evt::events::ThreadName, evt::events::SpanBegin, evt::events::SpanEnd,
                         evt::events::Counter, evt::events::Mark, evt::events::GcStart, evt::events::GcEnd>;

// What the workers share.
struct Work {
  explicit Work(evt::Writer& of)
      : writer(of),
        types(of.declare<WorkerRuns, WorkerStops, evt::events::ThreadName, evt::events::SpanBegin, evt::events::SpanEnd,
                         evt::events::Counter, evt::events::Mark, evt::events::GcStart, evt::events::GcEnd>()),
        garbage(of.intern("garbage, KiB")) {
    for (unsigned i = 0; i < kFrames; ++i) frames.push_back(of.intern("frame " + std::to_string(i + 1)));
    for (unsigned i = 0; i < kTiles * kTiles; ++i) tiles.push_back(of.intern("tile " + std::to_string(i)));
  }

  evt::Writer& writer;
  Types types;
  evt::Interned garbage;
  std::vector<evt::Interned> frames;
  std::vector<evt::Interned> tiles;
  std::atomic<unsigned> next_tile = 0;
  std::barrier<> together{kWorkers};
};

class Worker {
 public:
  Worker(Work& work, unsigned number)
      : work_(work), number_(number), stream_(work.writer.stream("worker " + std::to_string(number))) {}

  void render_frames() {
    emit(evt::events::ThreadName{.thread = number_, .name = "renderer " + std::to_string(number_)});
    for (unsigned frame = 0; frame < kFrames; ++frame) {
      emit(WorkerRuns{.worker = number_});
      if (number_ == 0) emit(evt::events::Mark{.message = "frame " + std::to_string(frame + 1)});
      emit(evt::events::SpanBegin{.name = work_.frames[frame]});
      render(frame);
      emit(evt::events::SpanEnd{});
      emit(WorkerStops{.worker = number_, .reason = evt::events::StopReason::kBlocked});
      work_.together.arrive_and_wait();
      collect();
      if (number_ == 0) work_.next_tile = 0;
      work_.together.arrive_and_wait();
    }
  }
  std::uint64_t iterations() const { return iterations_; }

 private:
  template <typename Event>
  void emit(const Event& event) {
    stream_.emit(work_.types, event);
  }

  void render(unsigned frame) {
    for (unsigned tile = work_.next_tile++; tile < kTiles * kTiles; tile = work_.next_tile++) {
      emit(evt::events::SpanBegin{.name = work_.tiles[tile]});
      const double pixel = 2.6 / (kTiles * kTilePixels) / (1 << frame);
      for (unsigned i = 0; i < kTilePixels * kTilePixels; ++i) {
        const double x = (tile % kTiles) * kTilePixels + i % kTilePixels;
        const double y = (tile / kTiles) * kTilePixels + i / kTilePixels;
        const double half = kTiles * kTilePixels / 2.0;
        iterate(kCenter + pixel * std::complex(x - half, y - half));
      }
      emit(evt::events::SpanEnd{});
      emit(evt::events::Counter{.name = work_.garbage, .value = kept_ * kPointBytes / 1024});
    }
  }

  void iterate(std::complex<double> c) {
    std::complex<double> z;
    unsigned n = 0;
    for (; n < kMaxIterations && std::norm(z) < 4; ++n) {
      z = std::complex(z.real() * z.real() - z.imag() * z.imag(), 2 * z.real() * z.imag()) + c;
      if (n < kKeptPoints) orbits_.push_front(z);
    }
    kept_ += std::min(n, kKeptPoints);
    iterations_ += n;
  }

  void collect() {
    emit(evt::events::GcStart{});
    orbits_.clear();
    kept_ = 0;
    emit(evt::events::GcEnd{});
    emit(evt::events::Counter{.name = work_.garbage, .value = 0});
  }

  Work& work_;
  std::uint64_t number_;
  evt::Stream stream_;
  std::forward_list<std::complex<double>> orbits_;
  std::int64_t kept_ = 0;
  std::uint64_t iterations_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  constexpr const char* kUsage = "usage: mandelbrot FILE\n";
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) return std::fputs(kUsage, stdout), 0;
  if (argc != 2 || argv[1][0] == '-') return std::fputs(kUsage, stderr), 2;
  auto writer = evt::Writer::open(argv[1]);
  if (!writer) return std::fprintf(stderr, "mandelbrot: %s\n", writer.status().message().c_str()), 3;
  Work work(*writer);
  std::deque<Worker> workers;
  for (unsigned i = 0; i < kWorkers; ++i) workers.emplace_back(work, i);
  std::vector<std::thread> threads;
  for (Worker& worker : workers) threads.emplace_back([&worker] { worker.render_frames(); });
  for (std::thread& thread : threads) thread.join();
  std::uint64_t iterations = 0;
  for (const Worker& worker : workers) iterations += worker.iterations();
  std::printf("%llu iterations\n", static_cast<unsigned long long>(iterations));
  const evt::Status status = writer->close();
  if (!status.ok()) return std::fprintf(stderr, "mandelbrot: %s\n", status.message().c_str()), 3;
}
