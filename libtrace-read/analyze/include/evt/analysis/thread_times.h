// The life of each thread: how long it ran, could have run, waited and for what, where, and who woke it.
#pragma once

#include <evt/analysis/occupancy.h>
#include <evt/analysis/stop_reasons.h>

#include <optional>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the events of one session in order; memory grows with threads, and with pairs of a thread and a cpu, a reason
// or a waker. Times are nanoseconds since the session's start. "(others)" is the sum of threads that have ended;
// threads that are not followed are none of it.
class ThreadTimes {
 public:
  static constexpr std::size_t kStates = 6;  // of ThreadState

  struct Waiting {
    std::uint32_t reason = 0;  // of StopReasons
    std::uint64_t ns = 0;
    std::uint64_t times = 0;
  };
  struct Waker {
    std::uint32_t thread = Actor::kNone;  // kNone: no thread was named
    std::uint64_t times = 0;
  };
  struct Row {
    std::uint32_t thread = 0;
    std::optional<std::int64_t> created_ns;
    std::optional<std::int64_t> ended_ns;
    ThreadState state = ThreadState::kUnknown;  // now
    std::uint64_t ns[kStates] = {};             // in each state; kEnded: 0
    std::uint64_t uncertain_ns = 0;             // of them: events were lost meanwhile that may have recorded otherwise
    std::uint64_t slices = 0;
    std::uint64_t cpus = 0;        // on how many it ran
    std::uint64_t migrations = 0;  // how often it ran on another than before
    std::vector<Waiting> waiting;  // for each reason; the longest first
    std::vector<Waker> wakers;     // the busiest first
  };

  // The actors of the events, which must outlive it.
  explicit ThreadTimes(Actors& actors) : actors_(&actors) {}

  void take(const RoleEvent& event);
  // Counts from this moment on alone, which is not before the latest event.
  void restart(std::int64_t ns);

  // At this moment, which is not before the latest event. Threads of which events recorded something, in order of their
  // indexes.
  std::vector<Row> rows(std::int64_t ns) const;
  const StopReasons& reasons() const { return reasons_; }
  const Occupancy::Doubts& doubts() const { return occupancy_.doubts(); }

 private:
  static constexpr std::uint32_t kNone = Actor::kNone;

  struct Thread {
    ThreadState state = ThreadState::kUnknown;
    bool met = false;
    std::uint32_t reason = 0;  // why it waits
    std::uint32_t last_cpu = kNone;
    std::uint32_t stream = 0;  // the id of that which recorded it last
    std::int64_t since = 0;    // it is in its state; counted from
    std::int64_t uncertain_since = Occupancy::kCertain;
    Row row;  // without waiting and wakers
  };
  // What is counted for a thread and something else; in the order in which they were met.
  class Pairs {
   public:
    struct Times {
      std::uint32_t thread = 0;
      std::uint32_t other = 0;
      std::uint64_t ns = 0;
      std::uint64_t times = 0;
    };
    Times& of(std::uint32_t thread, std::uint32_t other) {
      const auto next = static_cast<std::uint32_t>(all_.size());
      const std::uint32_t index = indexes_.index(thread, other, next);
      if (index == next) all_.push_back({thread, other, 0, 0});
      return all_[index];
    }
    const std::vector<Times>& all() const { return all_; }
    // Those whose threads are gone; `others_too`: what is counted with them is a thread as well.
    void fold(const FoldedActors& gone, bool others_too);

   private:
    IndexTable indexes_;
    std::vector<Times> all_;
  };

  void fold(const FoldedActors& gone, std::int64_t ns);
  Thread& meet(std::uint32_t thread, const RoleEvent& event);
  void become(Thread* thread, ThreadState state, std::int64_t ns);
  void start(const Occupancy::Change& change, const RoleEvent& event);
  void stop(const RoleEvent& event);
  void lose(const RoleEvent& event);
  void count(const Thread& thread, std::int64_t ns, Row* row) const;

  Actors* actors_;
  Occupancy occupancy_;
  StopReasons reasons_;
  std::vector<Thread> threads_;
  Pairs cpus_;
  Pairs waiting_;  // for each reason
  Pairs wakers_;
};

}  // namespace evt
#pragma GCC visibility pop
