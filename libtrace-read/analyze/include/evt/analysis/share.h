// Whose the time is: of spans, calls and threads, divided among those that are active at each moment.
#pragma once

#include <evt/analysis/cpu_time.h>
#include <evt/analysis/event_names.h>
#include <evt/analysis/shared_time.h>

#include <memory>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Who is active, and by what time is divided.
enum class ShareModel : std::uint8_t {
  // Threads that run, as CpuTime has them. While no event records that a thread runs or stops: threads with an open
  // span or
  // call.
  kRunning,
  // Threads from their creation, or the first event that mentions them, to their exit; so also those that sleep.
  kExisting,
  // The same. But a stretch of time in one span, or in none, is divided by the most that existed up to its end since
  // one alone did. Shares need not add up to the time that was.
  kPhase,
};

// Takes the events of one session in order; memory grows with threads, pairs of a thread and a name, and depth.
class Share {
 public:
  static constexpr std::uint32_t kNone = Actor::kNone;

  // A span, a call, or a thread by itself: time goes to the innermost span or call that is open in a thread, or else to
  // the thread.
  struct Row {
    std::uint32_t thread = 0;    // of Actors
    std::uint32_t name = kNone;  // of the span or function, of names(); kNone: the thread itself
    bool is_call = false;
    std::uint64_t times = 0;  // that it was open
    SharedTime time;
  };
  struct Doubts {
    std::uint64_t unmatched_ends = 0;  // of what was not open
    std::uint64_t unended = 0;         // what they were in has ended
    std::uint64_t crossing = 0;        // recorded at their end, and begun inside of others that had ended before
    std::uint64_t forgotten = 0;       // recorded at their end, and begun so long ago that only a part is counted
    std::uint64_t jumps = 0;
    std::uint64_t uncertain_ns = 0;   // of the time: events were lost that may have recorded stops or ends of spans
    std::uint64_t recorded_late = 0;  // recorded at their end, of threads that no event had shown active: not counted
    std::uint64_t not_timed = 0;      // the same, without a duration
  };

  // The session must outlive it.
  Share(const Session& session, ShareModel model);
  Share(Share&&) noexcept;
  Share& operator=(Share&&) noexcept;
  ~Share();

  void take(const RoleEvent& event);
  // Counts from this moment on alone, which is not before the latest event.
  void restart(std::int64_t ns);

  // At this moment, which is not before the latest event. Those of a thread are not next to one another.
  std::vector<Row> rows(std::int64_t ns) const;
  std::uint64_t idle_ns(std::int64_t ns) const;  // no thread was active
  const EventNames& names() const;
  ShareModel model() const;
  // By kRunning: threads with something open are taken to run, as no event records which do.
  bool by_open_spans() const;
  std::uint64_t open_now() const;
  std::uint64_t never_active() const;  // threads that have spans or calls
  Doubts doubts(std::int64_t ns) const;
  const CpuTime::Doubts& thread_doubts() const;  // of kRunning

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
