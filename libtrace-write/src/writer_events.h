// The events that a session records about its writer: time that tracing took (trace.overhead) and stops of the process
// (process.stopped).
#pragma once

#include <evt/evt.h>

#include "clock.h"
#include "stream_state.h"

namespace evt {

class WriterEvents {
 public:
  explicit WriterEvents(const Clock& clock) : clock_(clock) {}

  // Why tracing took time; `reason` refers to the texts.
  enum Reason : std::uint8_t { kWaiting, kWriting, kFlusher };
  static constexpr int kReasons = 3;
  // Shorter times are added to later ones.
  static constexpr std::uint64_t kLeastNs = 1'000'000;

  // Called by open: the session records some.
  void allow() { allowed_ = true; }
  bool allowed() const { return allowed_; }

  // There is something to record, and no type for it yet. Any thread, any signal handler.
  void want() { __atomic_store_n(&wanted_, true, __ATOMIC_RELAXED); }
  bool are_wanted() const { return __atomic_load_n(&wanted_, __ATOMIC_RELAXED); }
  // They may be recorded; null: one is off. `reasons`: ids of their texts.
  void declared(const evt_type* overhead, const evt_type* stopped, const std::uint32_t* reasons);

  // Null: not declared yet; number 0: off. Any thread.
  const evt_type* overhead() const { return __atomic_load_n(&overhead_, __ATOMIC_ACQUIRE); }
  const evt_type* stopped() const { return __atomic_load_n(&stopped_, __ATOMIC_ACQUIRE); }
  // REQUIRES: overhead() is on.
  std::uint32_t reason(Reason reason) const { return reasons_[reason]; }

  // --- Of a stream's producer, busy being set.

  // Adds so much time that tracing took, until now.
  void add(StreamState& stream, std::uint64_t ns) const;
  // There is enough to record.
  static bool is_due(const StreamState& stream) { return stream.tracing.ns >= kLeastNs; }
  // Records it at the cursor, where there is room, in time order: now, if it ended before the next row, at `ticks`.
  // `is_last`: no other row comes after that one, so it is recorded then at the latest. REQUIRES: a slot.
  void record(StreamState& stream, Reason reason, std::uint64_t ticks, bool is_last = false);

 private:
  const Clock& clock_;
  bool allowed_ = false;
  std::uint32_t reasons_[kReasons] = {};
  bool has_reasons_ = false;
  // Atomic.
  bool wanted_ = false;
  const evt_type* overhead_ = nullptr;
  const evt_type* stopped_ = nullptr;
};

}  // namespace evt
