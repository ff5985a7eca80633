// Snapshots that a session takes of itself: after events of certain types, and when the program asks for one in a
// signal handler. A thread of their own copies, so that neither the program nor the thread that writes the trace waits.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "notices.h"
#include "recording.h"
#include "snapshot_trigger.h"
#include "take_snapshot.h"

namespace evt {

class AutomaticSnapshots {
 public:
  explicit AutomaticSnapshots(Recording& recording) : recording_(recording) {}
  AutomaticSnapshots(const AutomaticSnapshots&) = delete;
  AutomaticSnapshots& operator=(const AutomaticSnapshots&) = delete;

  // True if the options ask for them.
  static bool are_wanted(const evt_options& options);
  // Called by open. Returns false, with the reason in `error`, if the options do not fit: `trace` is the pattern of the
  // session's path, and `has_thread` tells whether a thread writes the trace.
  bool choose(const evt_options& options, evt_writer* writer, Notices& notices, const char* trace, bool has_thread,
              evt_error* error);
  SnapshotTrigger& trigger() { return trigger_; }

  // Asks for one now; false if the session has no path for it. Any thread, any signal handler.
  bool request();

  // --- For the thread that writes the trace.

  // A request has not been seen by go_on().
  bool is_requested() const { return __atomic_load_n(&is_requested_, __ATOMIC_ACQUIRE); }
  // Rows are to be written soon: an event among them may ask for a snapshot.
  bool are_watching() const { return trigger_.glob() != nullptr && __atomic_load_n(&taken_, __ATOMIC_RELAXED) < most_; }
  // Notes the events that were written. Afterwards finish() knows of them.
  void note_events();
  // Starts what is due.
  void go_on();

  // Takes those that are due or wait for the time after their event, states what was left out, and ends the thread.
  // Called by the thread that closes the session, without its lock. False if another one did so before.
  bool finish();
  bool is_ending() const { return __atomic_load_n(&is_ending_, __ATOMIC_ACQUIRE); }
  // Releases its memory, when nothing is written any more.
  void release();

 private:
  struct Event {
    SnapshotTrigger::Met met;
    std::int64_t ns;
  };

  bool choose_next(std::uint64_t now);
  bool start();
  void take();
  void describe(SnapshotReason* reason);
  void report(const char* path, const SnapshotReason& reason, const evt_error& error);
  void state(const char* key, const char* value, std::int64_t ns);
  void state_passed_over(std::int64_t ns);
  void report_unmatched();
  std::uint64_t passed_over();
  std::int64_t ns_of(const SnapshotTrigger::Met& met) const;
  static void* run(void* self);

  Recording& recording_;
  evt_writer* writer_ = nullptr;
  Notices* notices_ = nullptr;
  char* pattern_ = nullptr;  // the path of snapshots; null: there are none
  std::uint64_t after_ns_ = 0;
  std::uint64_t rearm_ns_ = 0;
  std::uint32_t most_ = 0;
  SnapshotTrigger trigger_;
  bool is_requested_ = false;  // atomic

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  // Guarded by it.
  bool is_ending_ = false;
  bool is_taking_ = false;
  bool has_thread_ = false;
  pthread_t thread_ = {};
  bool wants_one_ = false;  // as requested
  bool has_event_ = false;
  Event event_ = {};
  std::uint64_t due_ns_ = 0;       // CLOCK_MONOTONIC: of the event's snapshot
  std::uint64_t armed_at_ns_ = 0;  // CLOCK_MONOTONIC: no event counts before
  bool is_by_event_ = false;       // what is being taken
  std::uint32_t taken_ = 0;        // by events; atomic
  std::uint64_t passed_over_ = 0;
  std::uint32_t numbers_ = 0;  // how many were taken or failed
};

}  // namespace evt
