// Whose the time is: of spans, calls and threads, divided among those that are active at each moment.
#pragma once

#include <evt/analysis/event_names.h>
#include <evt/analysis/occupancy.h>
#include <evt/analysis/span_shares.h>
#include <evt/analysis/stop_reasons.h>

#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Who is active, and by what time is divided.
enum class ShareModel : std::uint8_t {
  // Threads that run, by Occupancy. While no event records that a thread runs or stops: threads with an open span or
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
  struct Doubts : SpanShares::Doubts {
    std::uint64_t jumps = 0;
    std::uint64_t uncertain_ns = 0;   // of the time: events were lost that may have recorded stops or ends of spans
    std::uint64_t recorded_late = 0;  // recorded at their end, of threads that no event had shown active: not counted
    std::uint64_t not_timed = 0;      // the same, without a duration
  };

  // The session must outlive it.
  Share(const Session& session, ShareModel model);

  void take(const RoleEvent& event);
  // Counts from this moment on alone, which is not before the latest event.
  void restart(std::int64_t ns);

  // At this moment, which is not before the latest event.
  std::vector<SpanShares::Row> rows(std::int64_t ns) const { return spans_.rows(ns); }
  std::uint64_t idle_ns(std::int64_t ns) const { return spans_.clock().idle_ns(ns); }  // no thread was active
  const EventNames& names() const { return names_; }
  ShareModel model() const { return model_; }
  // By kRunning: threads with something open are taken to run, as no event records which do.
  bool by_open_spans() const { return model_ == ShareModel::kRunning && !has_runs_; }
  std::uint64_t open_now() const { return spans_.open_now(); }
  std::uint64_t never_active() const { return spans_.never_active(); }
  Doubts doubts(std::int64_t ns) const;
  const Occupancy::Doubts& thread_doubts() const { return occupancy_.doubts(); }  // of kRunning

 private:
  struct Thread {
    bool ended = false;
    bool uncertain = false;
    std::uint32_t stream = 0;  // the id of that which recorded it last
  };

  void fold(const RoleEvent& event);
  void advance(std::int64_t ns);
  void follow_running(const RoleEvent& event);
  void follow_existing(const RoleEvent& event);
  void exist(std::uint32_t thread, bool again);
  void open(const RoleEvent& event, bool is_call);
  void close(const RoleEvent& event, bool is_call);
  void complete(const RoleEvent& event, bool is_call);
  void lose(const RoleEvent& event);
  void know(std::uint32_t thread);

  ShareModel model_;
  bool begun_ = false;
  bool has_runs_ = false;
  EventNames names_;
  Occupancy occupancy_;
  StopReasons reasons_;
  SpanShares spans_;
  std::vector<Thread> threads_;
  std::uint32_t uncertain_ = 0;          // threads
  std::int64_t certain_ns_ = INT64_MIN;  // all is known, or counted as uncertain, until then
  Doubts doubts_;
};

}  // namespace evt
#pragma GCC visibility pop
