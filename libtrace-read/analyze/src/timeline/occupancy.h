// Which thread runs on which cpu now, from threadRun and threadStop.
#pragma once

#include <evt/timeline.h>

#include <vector>

#include "libtrace-read/analyze/src/archive.h"
#include "libtrace-read/analyze/src/parts.h"

namespace evt {

// A cpu runs one thread at a time, and a thread runs on one cpu: a new run ends the old one. It is unknown when threads
// and cpus run that are not followed. Takes the events of one session in order.
class Occupancy {
 public:
  static constexpr std::uint32_t kNone = Actor::kNone;
  static constexpr std::int64_t kCertain = INT64_MAX;

  // Effects of an event. Threads and cpus are indexes in Actors; kNone: no such change.
  struct Change {
    std::uint32_t started = kNone;   // runs from now on
    std::uint32_t on_cpu = kNone;    // there
    std::uint32_t stopped = kNone;   // ran until now
    std::uint32_t replaced = kNone;  // ran on `on_cpu` until now, without a stop
    bool resumes = false;            // the started one ran there before another did for no time at all
  };
  using Doubts = Timeline::Doubts;

  // State of a cpu that has nothing to do.
  struct Idle {
    std::uint32_t thread = kNone;  // that it runs then; kNone: it is not idle
    std::int64_t since = 0;
  };

  // For events of these roles.
  Change run(const RoleEvent& event);
  Change stop(const RoleEvent& event);
  void leave(std::uint32_t thread);
  void lose(const RoleEvent& event);
  void jump() { ++doubts_.jumps; }

  bool runs(std::uint32_t thread) const { return cpu_of(thread) != kNone; }
  std::uint32_t cpu_of(std::uint32_t thread) const { return thread < threads_.size() ? threads_[thread].cpu : kNone; }
  // The id of the stream that recorded the run. REQUIRES: it runs.
  std::uint32_t stream_of(std::uint32_t thread) const { return cpus_[threads_[thread].cpu].stream; }
  // When the first events were lost that could have recorded the stop of a running thread; kCertain: none. For a thread
  // that has just stopped, until it runs again.
  std::int64_t uncertain_since(std::uint32_t thread) const {
    return thread < threads_.size() ? threads_[thread].uncertain_since : kCertain;
  }
  // For a pseudo-thread that cpus run when they have nothing to do, any number of them at a time. Returns the thread
  // that ran there until now; kNone if none did.
  std::uint32_t begin_idle(const RoleEvent& event);
  void end_idle(std::uint32_t cpu) { cpus_[cpu].idle = Idle(); }
  // The cpu on which it runs as a thread is idle from then on.
  void become_idle(std::uint32_t thread, std::int64_t ns);
  Idle idle(std::uint32_t cpu) const { return cpu < cpus_.size() ? cpus_[cpu].idle : Idle(); }
  // These threads stop running.
  void fold(const FoldedActors& gone);
  const Doubts& doubts() const { return doubts_; }
  void forget_doubts() { doubts_ = Doubts(); }
  // Between two moments: without state that only another event of the same moment needs.
  void archive(Archive& archive, std::size_t threads, std::size_t cpus);

 private:
  struct Thread {
    std::uint32_t cpu = kNone;
    std::int64_t since = 0;
    std::int64_t uncertain_since = kCertain;
    std::uint32_t moved_from = 0;  // the stream that recorded its run on the previous cpu, and no stop yet; 0: none
    std::int64_t replaced_ns = INT64_MIN;  // by another, where it ran last
  };
  struct Cpu {
    std::uint32_t thread = kNone;
    std::uint32_t stream = 0;  // the id of the stream that recorded the run
    // The thread that ran there for no time when another replaced it: streams have no order within a tick.
    std::uint32_t displaced = kNone;
    std::int64_t displaced_ns = 0;
    Idle idle;
  };

  // Another runs in its place.
  void replace(Thread* thread, std::int64_t ns) {
    if (thread->uncertain_since == kCertain) ++doubts_.replaced;
    thread->replaced_ns = ns;
    thread->cpu = kNone;
  }
  Change run_of_others(const RoleEvent& event);
  Change stop_displacing(std::uint32_t on, const RoleEvent& event);

  std::vector<Thread> threads_;
  std::vector<Cpu> cpus_;
  Doubts doubts_;
};

[[gnu::always_inline]] inline void Occupancy::leave(std::uint32_t thread) {
  Thread& t = grown(&threads_, thread);
  if (t.cpu == kNone) return;
  cpus_[t.cpu].thread = kNone;
  t.cpu = kNone;
}

[[gnu::always_inline]] inline Occupancy::Change Occupancy::run(const RoleEvent& event) {
  if (event.thread == Actor::kOthers || event.cpu == Actor::kOthers) return run_of_others(event);
  Thread& thread = grown(&threads_, event.thread);
  Cpu& cpu = grown(&cpus_, event.cpu);
  std::uint32_t moved_from = 0;
  if (thread.cpu != kNone) {
    // Its stop may yet come, if their clocks differ a little.
    if (thread.cpu != event.cpu) {
      ++doubts_.moved;
      moved_from = cpus_[thread.cpu].stream;
    }
    leave(event.thread);
  }
  Change change;
  std::uint32_t displaced = kNone;
  if (cpu.thread != kNone) {
    Thread& there = threads_[cpu.thread];
    if (there.since == event.ns && cpu.stream != event.stream->id) displaced = cpu.thread;
    change.replaced = cpu.thread;
    replace(&there, event.ns);
  }
  thread = {event.cpu, event.ns, kCertain, moved_from, INT64_MIN};
  cpu = {event.thread, event.stream->id, displaced, event.ns, {}};
  change.started = event.thread;
  change.on_cpu = event.cpu;
  return change;
}

[[gnu::always_inline]] inline Occupancy::Change Occupancy::stop(const RoleEvent& event) {
  Change change;
  if (event.thread == Actor::kOthers || event.cpu == Actor::kOthers) return change;
  Thread& thread = grown(&threads_, event.thread);
  if (thread.cpu == kNone) {
    if (thread.replaced_ns != event.ns) {
      ++doubts_.unmatched_stops;
    } else if (thread.uncertain_since == kCertain && doubts_.replaced > 0) {
      // Streams have no order within a moment: it had stopped before.
      --doubts_.replaced;
    }
    thread.replaced_ns = INT64_MIN;
    return change;
  }
  // A stop that names no cpu belongs to the cpu that its stream records.
  const bool late = event.cpu != kNone
                        ? thread.cpu != event.cpu
                        : thread.moved_from == event.stream->id && cpus_[thread.cpu].stream != event.stream->id;
  if (!late) {
    const std::uint32_t on = thread.cpu;
    leave(event.thread);
    if (cpus_[on].displaced != kNone) return stop_displacing(on, event);
    change.stopped = event.thread;
    return change;
  }
  if (thread.moved_from != 0 && doubts_.moved > 0) --doubts_.moved;
  thread.moved_from = 0;
  return change;
}

}  // namespace evt
