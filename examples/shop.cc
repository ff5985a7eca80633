// A web shop, simulated in a time of its own: every run records the same events at the same nanoseconds.
//
//   shop FILE [fixed]
//
// Four workers on two cpus serve requests for four seconds, and trace to FILE, one stream per worker: what each does
// for which request, when it runs, what it waits for. A checkout writes its order to the disk while it holds the lock
// that all checkouts need; `fixed` writes before it takes the lock. The guide (docs/guide) looks into both.
#include <evt/events.h>
#include <evt/writer.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <queue>
#include <random>
#include <string>
#include <vector>

namespace shop {

struct Order {
  std::uint64_t order = 0;
  std::uint32_t items = 0;
  std::uint32_t total = 0;  // cents
};

}  // namespace shop

template <>
inline constexpr auto evt::schema<shop::Order> = evt::event(
    "shop.order", "an order was placed", evt::field("order", &shop::Order::order),
    evt::field("items", &shop::Order::items), evt::field("total", &shop::Order::total).measured_in("EUR", -2));

namespace shop {
namespace {

using namespace evt::events;
using Time = std::uint64_t;  // ns since the start

constexpr Time kMicrosecond = 1000;
constexpr Time kMillisecond = 1000 * kMicrosecond;
constexpr Time kOpeningTime = 4000 * kMillisecond;
constexpr Time kSlice = 4 * kMillisecond;   // that a thread runs at most while others could
constexpr Time kSwitch = 2 * kMicrosecond;  // from one thread of a cpu to the next
constexpr unsigned kWorkers = 4;
constexpr std::uint32_t kCpus = 2;
constexpr std::uint64_t kOrdersLock = 1, kCatalogue = 2, kOrdersFile = 3;  // objects

using Types = evt::Types<ThreadName, ThreadRun, ThreadStop, ThreadRunnable, ThreadWake, ThreadExit, SpanBegin, SpanEnd,
                         CallBegin, CallEnd, ObjectOpen, ObjectName, GcStart, GcEnd, Counter, Mark, Order>;

struct Worker {
  std::uint64_t thread;
  evt::Stream stream;
  std::deque<std::function<void()>> steps{};  // what it has left to do for its request
  Time left = 0;                              // of computing, before the next step
  std::uint32_t cpu = 0;
  bool waits = false;
};

// What happens at a time that is known before.
struct Happening {
  Time at;
  std::uint64_t number;  // of two at one time, the one that was planned first comes first
  std::function<void()> what;
  bool operator<(const Happening& other) const { return at != other.at ? at > other.at : number > other.number; }
};

class Shop {
 public:
  // `now` is the clock of the writer.
  Shop(evt::Writer& writer, std::atomic<Time>& now, bool is_fixed)
      : writer_(writer), now_(now), is_fixed_(is_fixed), types_(declare(writer)), queue_(writer.stream("queue")) {
    for (std::uint64_t i = 1; i <= kWorkers; ++i) {
      workers_.push_back({i, writer.stream("worker " + std::to_string(i))});
    }
    for (std::uint32_t cpu = kCpus; cpu > 0; --cpu) idle_cpus_.push_back(cpu - 1);
  }

  void serve() {
    open();
    for (Time at = 0; at < kOpeningTime; at += (1 + random_() % 6) * kMillisecond) {
      plan(at, [this] { arrive(); });
    }
    plan(kOpeningTime / 2, [this] { queue_.emit(types_, Mark{.message = "catalogue reloaded"}); });
    while (!agenda_.empty()) {
      const Happening next = agenda_.top();
      agenda_.pop();
      now_ = next.at;
      next.what();
      fill_cpus();
    }
    for (Worker& worker : workers_) emit(worker, ThreadExit{worker.thread});
  }

 private:
  static Types declare(evt::Writer& writer) {
    return writer.declare<ThreadName, ThreadRun, ThreadStop, ThreadRunnable, ThreadWake, ThreadExit, SpanBegin, SpanEnd,
                          CallBegin, CallEnd, ObjectOpen, ObjectName, GcStart, GcEnd, Counter, Mark, Order>();
  }
  template <typename Event>
  void emit(Worker& worker, const Event& event) {
    worker.stream.emit(types_, event);
  }
  void plan(Time at, std::function<void()> what) { agenda_.push({at, plans_++, std::move(what)}); }

  // All workers wait for work; the first opens what they share when it runs.
  void open() {
    for (Worker& worker : workers_) {
      emit(worker, ThreadName{.thread = worker.thread, .name = "worker " + std::to_string(worker.thread)});
      idle_.push_back(&worker);
    }
    const auto object = [this](std::uint64_t number, const char* resource, const char* name) {
      workers_[0].steps.push_back([this, number, resource, name] {
        emit(workers_[0], ObjectOpen{.object = number, .resource = writer_.intern(resource)});
        emit(workers_[0], ObjectName{.object = number, .name = name});
      });
    };
    object(kOrdersLock, "lock", "orders");
    object(kCatalogue, "file", "catalogue.db");
    object(kOrdersFile, "file", "orders.log");
  }

  // A request is steps of one worker, the first that is free.
  void arrive() {
    requests_.push_back(static_cast<unsigned>(random_() % 10));
    count_requests();
    if (idle_.empty()) return;
    Worker* const worker = idle_.front();
    idle_.pop_front();
    make_ready(*worker);
  }
  void count_requests() {
    const evt::Interned name = writer_.intern("requests waiting");
    queue_.emit(types_, Counter{.name = name, .value = static_cast<std::int64_t>(requests_.size())});
  }
  bool take_request(Worker& worker) {
    if (requests_.empty()) return false;
    const unsigned kind = requests_.front();
    requests_.pop_front();
    count_requests();
    if (kind < 5) {
      search(worker);
    } else if (kind < 8) {
      show_item(worker);
    } else {
      check_out(worker);
    }
    return true;
  }

  void search(Worker& worker) {
    within(worker, "GET /search", [&] {
      within(worker, "match", [&] { compute(worker, (2000 + random_() % 4000) * kMicrosecond); });
      within(worker, "render", [&] { compute(worker, 800 * kMicrosecond); });
    });
    if (++searches_ % 16 == 0) collect_garbage(worker);
  }
  void show_item(Worker& worker) {
    within(worker, "GET /item", [&] {
      use_disk(worker, "read", kCatalogue, 65536, (500 + random_() % 1000) * kMicrosecond);
      within(worker, "render", [&] { compute(worker, 1200 * kMicrosecond); });
    });
  }
  void check_out(Worker& worker) {
    // Now and then the disk takes long.
    const Time to_disk = (orders_ % 20 == 19 ? 60 : 3) * kMillisecond;
    const Order order = {
        .order = ++orders_, .items = 1 + std::uint32_t(random_() % 5), .total = 500 + std::uint32_t(random_() % 20000)};
    within(worker, "POST /checkout", [&] {
      compute(worker, 700 * kMicrosecond);
      if (is_fixed_) use_disk(worker, "write", kOrdersFile, 512, to_disk);
      lock(worker);
      within(worker, "place order", [&] {
        compute(worker, 400 * kMicrosecond);
        if (!is_fixed_) use_disk(worker, "write", kOrdersFile, 512, to_disk);
        worker.steps.push_back([this, &worker, order] { emit(worker, order); });
      });
      unlock(worker);
    });
  }

  // Steps, behind those that the worker has.
  template <typename Inside>
  void within(Worker& worker, const char* name, Inside inside) {
    const evt::Interned interned = writer_.intern(name);
    worker.steps.push_back([this, &worker, interned] { emit(worker, SpanBegin{.name = interned}); });
    inside();
    worker.steps.push_back([this, &worker] { emit(worker, SpanEnd{}); });
  }
  void compute(Worker& worker, Time time) {
    worker.steps.push_back([this, &worker, time] {
      worker.left = time;
      run_on(worker);
    });
  }
  void collect_garbage(Worker& worker) {
    worker.steps.push_back([this, &worker] { emit(worker, GcStart{}); });
    compute(worker, 2500 * kMicrosecond);
    worker.steps.push_back([this, &worker] { emit(worker, GcEnd{}); });
  }
  void use_disk(Worker& worker, const char* function, std::uint64_t file, std::uint64_t bytes, Time time) {
    const evt::Interned name = writer_.intern(function);
    worker.steps.push_back([this, &worker, name, file, bytes, time] {
      emit(worker, CallBegin{.function = name, .object = file, .resource = writer_.intern("file"), .amount = bytes});
      plan(now_ + time, [this, &worker] { make_ready(worker); });
      stop(worker, StopReason::kBlocked, file);
    });
    worker.steps.push_back([this, &worker, name, bytes] { emit(worker, CallEnd{.function = name, .amount = bytes}); });
  }
  void lock(Worker& worker) {
    const evt::Interned name = writer_.intern("lock");
    worker.steps.push_back([this, &worker, name] {
      emit(worker, CallBegin{.function = name, .object = kOrdersLock, .resource = name});
      if (!is_locked_) {
        is_locked_ = true;
      } else {
        waiting_for_lock_.push_back(&worker);
        stop(worker, StopReason::kBlocked, kOrdersLock);
      }
    });
    worker.steps.push_back([this, &worker, name] { emit(worker, CallEnd{.function = name}); });
  }
  void unlock(Worker& worker) {
    worker.steps.push_back([this, &worker] {
      is_locked_ = !waiting_for_lock_.empty();
      if (!is_locked_) return;
      Worker& next = *waiting_for_lock_.front();
      waiting_for_lock_.pop_front();
      emit(worker, ThreadWake{.thread = next.thread, .waker = worker.thread});
      ready_.push_back(&next);
    });
  }

  // The scheduler.
  void make_ready(Worker& worker) {
    emit(worker, ThreadRunnable{.thread = worker.thread});
    ready_.push_back(&worker);
  }
  void fill_cpus() {
    while (!ready_.empty() && !idle_cpus_.empty()) {
      Worker& worker = *ready_.front();
      ready_.pop_front();
      worker.cpu = idle_cpus_.back();
      idle_cpus_.pop_back();
      plan(now_ + kSwitch, [this, &worker] {
        worker.waits = false;
        emit(worker, ThreadRun{.thread = worker.thread, .cpu = worker.cpu});
        if (worker.left > 0) {
          run_on(worker);
        } else {
          do_steps(worker);
        }
      });
    }
  }
  void run_on(Worker& worker) {
    const Time time = std::min(worker.left, kSlice);
    plan(now_ + time, [this, &worker, time] {
      worker.left -= time;
      if (worker.left == 0) {
        do_steps(worker);
      } else if (ready_.empty()) {
        run_on(worker);
      } else {
        stop(worker, StopReason::kPreempted, 0);
        ready_.push_back(&worker);
      }
    });
  }
  void stop(Worker& worker, StopReason reason, std::uint64_t object) {
    emit(worker, ThreadStop{.thread = worker.thread, .reason = reason, .object = object});
    worker.waits = true;
    idle_cpus_.push_back(worker.cpu);
  }
  // Until it computes or waits.
  void do_steps(Worker& worker) {
    while (worker.left == 0 && !worker.waits) {
      if (worker.steps.empty() && !take_request(worker)) {
        idle_.push_back(&worker);
        stop(worker, StopReason::kSleeping, 0);
        return;
      }
      const std::function<void()> step = std::move(worker.steps.front());
      worker.steps.pop_front();
      step();
    }
  }

  evt::Writer& writer_;
  std::atomic<Time>& now_;
  bool is_fixed_;
  Types types_;
  evt::Stream queue_;
  std::minstd_rand random_;  // which the standard defines to the bit
  std::priority_queue<Happening> agenda_;
  std::uint64_t plans_ = 0;
  std::deque<Worker> workers_;
  std::deque<Worker*> idle_, ready_, waiting_for_lock_;
  std::vector<std::uint32_t> idle_cpus_;
  std::deque<unsigned> requests_;
  bool is_locked_ = false;
  std::uint64_t orders_ = 0;
  unsigned searches_ = 0;
};

}  // namespace
}  // namespace shop

int main(int argc, char** argv) {
  constexpr const char* kUsage = "usage: shop FILE [fixed]\n";
  const bool asks_for_help = argc == 2 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0);
  if (asks_for_help) return std::fputs(kUsage, stdout), 0;
  const bool is_fixed = argc == 3 && std::strcmp(argv[2], "fixed") == 0;
  const bool has_option = argc > 1 && argv[1][0] == '-';
  if (has_option || (argc != 2 && !is_fixed)) return std::fputs(kUsage, stderr), 2;
  // The writer's thread reads the time, too.
  static std::atomic<shop::Time> now = 0;
  evt_clock clock = {};
  clock.now = [](void*) -> std::uint64_t { return now; };
  clock.hz = 1'000'000'000;
  evt_options options = {};
  options.clock = &clock;
  options.anonymous = 1;
  auto writer = evt::Writer::open(argv[1], options);
  if (!writer) return std::fprintf(stderr, "shop: %s\n", writer.status().message().c_str()), 3;
  shop::Shop(*writer, now, is_fixed).serve();
  const evt::Status status = writer->close();
  if (!status.ok()) return std::fprintf(stderr, "shop: %s\n", status.message().c_str()), 3;
}
