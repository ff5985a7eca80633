// A small work-stealing scheduler that traces itself; parfib.cc shows it at work.
//
// Each worker is a thread with a deque of sparks. A spark is work that another worker may take, and that its creator
// runs itself when it needs the result and no thief has taken it. A worker pushes and takes at one end of its deque, so
// that it goes on with what is warm in its cache; thieves take from the other end, where the work is oldest and
// largest.
#pragma once

#include <evt/writer.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace work_stealing {

// What is traced. Each event is a struct; its name, and what its fields are called and mean, follow below.

enum class StopReason : std::uint8_t { kNoWork = 0, kFinished = 1, kJoining = 2 };

struct SparkCreate {
  std::uint64_t spark = 0;
};
struct SparkRun {
  std::uint64_t spark = 0;
};
struct SparkSteal {
  std::uint64_t spark = 0;
  std::uint32_t victim = 0;
};
struct WorkerRun {
  std::uint32_t worker = 0;
};
struct WorkerStop {
  std::uint32_t worker = 0;
  StopReason reason{};
};
struct WorkerPark {
  std::uint32_t worker = 0;
};

}  // namespace work_stealing

template <>
inline constexpr auto evt::labels<work_stealing::StopReason> =
    std::array{evt::Label{0, "no_work"}, evt::Label{1, "finished"}, evt::Label{2, "joining"}};

template <>
inline constexpr auto evt::schema<work_stealing::SparkCreate> =
    evt::event("spark.create", "a spark was created, for any worker to run",
               evt::field("spark", &work_stealing::SparkCreate::spark, evt::Role::kObject));
template <>
inline constexpr auto evt::schema<work_stealing::SparkRun> = evt::event(
    "spark.run", "a spark starts to run", evt::field("spark", &work_stealing::SparkRun::spark, evt::Role::kObject));
template <>
inline constexpr auto evt::schema<work_stealing::SparkSteal> =
    evt::event("spark.steal", "a spark was stolen from another worker",
               evt::field("spark", &work_stealing::SparkSteal::spark, evt::Role::kObject),
               // Not Role::kThread: that is who acts, and here it is the owner of the stream.
               evt::field("victim", &work_stealing::SparkSteal::victim));
template <>
inline constexpr auto evt::schema<work_stealing::WorkerRun> =
    evt::event("worker.run", "a worker runs", evt::Role::kThreadRun,
               evt::field("worker", &work_stealing::WorkerRun::worker, evt::Role::kThread));
template <>
inline constexpr auto evt::schema<work_stealing::WorkerStop> =
    evt::event("worker.stop", "a worker stops running", evt::Role::kThreadStop,
               evt::field("worker", &work_stealing::WorkerStop::worker, evt::Role::kThread),
               evt::field("reason", &work_stealing::WorkerStop::reason, evt::Role::kReason));
template <>
inline constexpr auto evt::schema<work_stealing::WorkerPark> =
    evt::event("worker.park", "a worker sleeps until something changes",
               evt::field("worker", &work_stealing::WorkerPark::worker, evt::Role::kThread));

namespace work_stealing {

using EventTypes = evt::Types<SparkCreate, SparkRun, SparkSteal, WorkerRun, WorkerStop, WorkerPark>;

inline EventTypes declare_events(evt::Writer& writer) {
  return writer.declare<SparkCreate, SparkRun, SparkSteal, WorkerRun, WorkerStop, WorkerPark>();
}

class Pool;
class Worker;

// How many events a worker has recorded, kept in memory that may outlive the program: then the trace of a program that
// was killed can be held against it. Between the two stores an event is in the making.
struct alignas(64) EventTally {
  std::atomic<std::uint64_t> begun = 0;
  std::atomic<std::uint64_t> done = 0;
};

// Work that may run on any worker, once. Its creator keeps it alive from Worker::fork until Worker::join returns.
class Spark {
 public:
  Spark() = default;
  Spark(const Spark&) = delete;
  Spark& operator=(const Spark&) = delete;
  virtual void run(Worker& worker) = 0;

 protected:
  ~Spark() = default;

 private:
  friend class SparkDeque;
  friend class Worker;
  std::uint64_t id_ = 0;
  std::uint32_t thief_ = 0;         // who stole it; written and read with, or after, the lock of the deque
  std::atomic<bool> done_ = false;  // by the thief; its last touch, for the spark may be gone a moment later
};

// The sparks that one worker offers. A lock is all it takes while sparks are much longer than the lock is held.
class SparkDeque {
 public:
  // For the owner.
  void push(Spark& spark) {
    const std::lock_guard lock(mutex_);
    sparks_.push_back(&spark);
  }
  // For the owner: takes the newest spark if it is this one; false when this one was stolen.
  bool take(const Spark& spark) {
    const std::lock_guard lock(mutex_);
    if (sparks_.empty() || sparks_.back() != &spark) return false;
    sparks_.pop_back();
    return true;
  }
  // For any other worker: the oldest spark, or null.
  Spark* steal(std::uint32_t thief) {
    const std::lock_guard lock(mutex_);
    if (sparks_.empty()) return nullptr;
    Spark* const spark = sparks_.front();
    sparks_.pop_front();
    spark->thief_ = thief;
    return spark;
  }

 private:
  std::mutex mutex_;
  std::deque<Spark*> sparks_;
};

// Counts changes. Who reads the count, looks for something, finds nothing and waits, misses no change since he read.
class Changes {
 public:
  std::uint32_t count() const { return count_.load(); }
  void announce() {
    count_.fetch_add(1);
    count_.notify_all();
  }
  void wait_after(std::uint32_t count) const { count_.wait(count); }

 private:
  std::atomic<std::uint32_t> count_ = 0;
};

// One thread's share: its deque and its stream. Aligned, so that no two workers share a cache line.
class alignas(64) Worker {
 public:
  // `tally` may be null.
  Worker(Pool& pool, std::uint32_t index, evt::Stream stream, EventTally* tally)
      : pool_(pool),
        index_(index),
        next_spark_(index),
        stream_(stream),
        tally_(tally != nullptr ? *tally : own_tally_) {}

  // Offers the spark to all workers. REQUIRES: called by this worker's thread, as all here.
  void fork(Spark& spark);
  // Returns when the spark has run. REQUIRES: it is the newest that was forked here and not joined yet.
  void join(Spark& spark);

 private:
  friend class Pool;
  void work(const std::function<void(Worker&)>& root);
  void run(Spark& spark);
  void run_stolen(Spark& spark);
  Spark* steal_from(Worker& victim);
  Spark* steal_from_any();
  template <typename Done, typename Find>
  void help_until(Done done, Find find, StopReason reason);
  void park(std::uint32_t seen, StopReason reason);
  template <typename E>
  void record(const E& event);
  // The clock is read after everything before, which may be what another worker did.
  template <typename E>
  void record_ordered(const E& event);

  Pool& pool_;
  const std::uint32_t index_;
  std::uint64_t next_spark_;
  evt::Stream stream_;
  EventTally own_tally_;
  EventTally& tally_;
  SparkDeque deque_;
};

// As many workers as streams.
class Pool {
 public:
  // `tallies`: one for each worker, or null. It outlives the pool.
  Pool(const std::vector<evt::Stream>& streams, const EventTypes& types, EventTally* tallies = nullptr)
      : types_(types) {
    for (const evt::Stream stream : streams) {
      workers_.emplace_back(*this, size(), stream, tallies == nullptr ? nullptr : tallies + size());
    }
  }

  // Runs `root` on the first worker and its sparks on all; returns when root has. Once per pool. REQUIRES: root joins
  // whatever it forks.
  void run(const std::function<void(Worker&)>& root) {
    std::vector<std::thread> threads;
    for (Worker& worker : workers_) threads.emplace_back([&worker, &root] { worker.work(root); });
    for (std::thread& thread : threads) thread.join();
  }

 private:
  friend class Worker;
  std::uint32_t size() const { return static_cast<std::uint32_t>(workers_.size()); }

  const EventTypes types_;
  std::deque<Worker> workers_;
  std::atomic<bool> finished_ = false;
  Changes changes_;  // a spark was offered, a stolen one is done, the root has finished
};

template <typename E>
void Worker::record(const E& event) {
  const std::uint64_t count = tally_.done.load(std::memory_order_relaxed) + 1;
  tally_.begun.store(count, std::memory_order_release);
  stream_.emit(pool_.types_, event);
  tally_.done.store(count, std::memory_order_release);
}

template <typename E>
void Worker::record_ordered(const E& event) {
  const std::uint64_t count = tally_.done.load(std::memory_order_relaxed) + 1;
  tally_.begun.store(count, std::memory_order_release);
  stream_.emit_ordered(pool_.types_, event);
  tally_.done.store(count, std::memory_order_release);
}

inline void Worker::work(const std::function<void(Worker&)>& root) {
  record(WorkerRun{.worker = index_});
  if (index_ == 0) {
    root(*this);
    pool_.finished_ = true;
    pool_.changes_.announce();
  } else {
    help_until([this] { return pool_.finished_.load(); }, [this] { return steal_from_any(); }, StopReason::kNoWork);
  }
  record(WorkerStop{.worker = index_, .reason = StopReason::kFinished});
}

inline void Worker::fork(Spark& spark) {
  spark.id_ = next_spark_;
  next_spark_ += pool_.size();  // so ids differ between workers without a shared counter
  // Before the spark can be seen, so that no thief has an earlier time than this.
  record(SparkCreate{.spark = spark.id_});
  deque_.push(spark);
  pool_.changes_.announce();
}

inline void Worker::join(Spark& spark) {
  if (deque_.take(spark)) return run(spark);
  // Thieves take the oldest first, so our deque is empty. We help our thief and no other worker ("leapfrogging"): what
  // he offers is part of what we wait for, so we are not held up by other work, nor does our stack grow with it.
  Worker& thief = pool_.workers_[spark.thief_];
  help_until([&] { return spark.done_.load(); }, [&] { return steal_from(thief); }, StopReason::kJoining);
}

inline void Worker::run(Spark& spark) {
  record(SparkRun{.spark = spark.id_});
  spark.run(*this);
}

inline void Worker::run_stolen(Spark& spark) {
  run(spark);
  spark.done_ = true;
  pool_.changes_.announce();
}

inline Spark* Worker::steal_from(Worker& victim) {
  Spark* const spark = victim.deque_.steal(index_);
  if (spark == nullptr) return nullptr;
  // Ordered: the clock must not be read ahead of the steal, or the spark may seem stolen before it was created.
  record_ordered(SparkSteal{.spark = spark->id_, .victim = victim.index_});
  return spark;
}

inline Spark* Worker::steal_from_any() {
  for (std::uint32_t i = 1; i < pool_.size(); ++i) {
    if (Spark* const spark = steal_from(pool_.workers_[(index_ + i) % pool_.size()])) return spark;
  }
  return nullptr;
}

// Runs the sparks that `find` finds until `done`, and sleeps while there are none.
template <typename Done, typename Find>
void Worker::help_until(Done done, Find find, StopReason reason) {
  while (true) {
    const std::uint32_t seen = pool_.changes_.count();  // before we look: see Changes
    if (done()) return;
    if (Spark* const spark = find()) {
      run_stolen(*spark);
    } else {
      park(seen, reason);
    }
  }
}

inline void Worker::park(std::uint32_t seen, StopReason reason) {
  record(WorkerStop{.worker = index_, .reason = reason});
  record(WorkerPark{.worker = index_});
  pool_.changes_.wait_after(seen);
  // Ordered: after what woke us.
  record_ordered(WorkerRun{.worker = index_});
}

}  // namespace work_stealing
