// Which thread runs on which cpu now, from threadRun and threadStop.
#pragma once

#include <evt/analysis/cpu_time.h>

#include <vector>

namespace evt {

// On a cpu runs one thread at a time, and a thread on one cpu: what begins ends what was there. Of threads and cpus
// that are not followed it is not known when they run. Takes the events of one session in order.
class Occupancy {
 public:
  static constexpr std::uint32_t kNone = Actor::kNone;
  static constexpr std::int64_t kCertain = INT64_MAX;

  // What an event changes. Threads and cpus are indexes of Actors; kNone: no such change.
  struct Change {
    std::uint32_t started = kNone;   // runs from now on
    std::uint32_t on_cpu = kNone;    // there
    std::uint32_t stopped = kNone;   // ran until now
    std::uint32_t off_cpu = kNone;   // there
    std::uint32_t replaced = kNone;  // ran on `on_cpu` until now, and did not say so
  };
  using Doubts = CpuTime::Doubts;

  // Holds until the next call.
  const Change& take(const RoleEvent& event) {
    change_ = Change();
    if (event.role == Role::kThreadRun) {
      run(event);
    } else if (event.role == Role::kThreadStop) {
      stop(event);
    } else if (event.role == Role::kThreadExit) {
      leave(event.thread);
    } else if (event.lost) {
      lose(event);
    } else if (event.jump) {
      ++doubts_.jumps;
    }
    return change_;
  }

  bool runs(std::uint32_t thread) const { return cpu_of(thread) != kNone; }
  std::uint32_t cpu_of(std::uint32_t thread) const { return thread < threads_.size() ? threads_[thread].cpu : kNone; }
  std::uint32_t thread_on(std::uint32_t cpu) const { return cpu < cpus_.size() ? cpus_[cpu].thread : kNone; }
  // From when on events were lost that could have recorded that a running thread stopped; kCertain: none. Of a thread
  // that has just stopped, until it runs again.
  std::int64_t uncertain_since(std::uint32_t thread) const { return threads_[thread].uncertain_since; }
  // Those threads run no more.
  void fold(const FoldedActors& gone);
  const Doubts& doubts() const { return doubts_; }
  void forget_doubts() { doubts_ = Doubts(); }

 private:
  friend class CheckpointWords;

  struct Thread {
    std::uint32_t cpu = kNone;
    std::int64_t since = 0;
    std::int64_t uncertain_since = kCertain;
    std::uint32_t moved_from = 0;  // the stream that recorded its run on the cpu before, and no stop yet; 0: none
  };
  struct Cpu {
    std::uint32_t thread = kNone;
    std::uint32_t stream = 0;  // the id of that which recorded the run
  };

  void run(const RoleEvent& event);
  void run_of_others(const RoleEvent& event);
  void stop(const RoleEvent& event);
  void leave(std::uint32_t thread);
  void lose(const RoleEvent& event);

  std::vector<Thread> threads_;
  std::vector<Cpu> cpus_;
  Change change_;
  Doubts doubts_;
};

}  // namespace evt
