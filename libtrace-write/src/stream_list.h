// The streams of a session: their states, made and reused, their numbers, and the switch that turns all of them off.
#pragma once

#include <evt/evt.h>

#include "stream_state.h"

namespace evt {

// Guarded by the session's lock, unless stated otherwise.
class StreamList {
 public:
  // Linked by `next`. Streams are only ever added at the front, and stay, so any thread may walk the list.
  StreamState* first() const { return __atomic_load_n(&first_, __ATOMIC_ACQUIRE); }

  // The id of the flusher's own stream, far from those that programs choose, and a 31-bit number for tools that have no
  // larger ones.
  static constexpr std::uint32_t kFlusherId = 0x7FFF'FFFF;

  // The id for a stream that asks for `wanted`, or for any with 0. A number is used up even if the stream is not made:
  // its description may already be on its way. Returns false if it is taken.
  bool take_id(std::uint32_t wanted, std::uint32_t* id, evt_error* error);

  // A state for a stream, possibly reused; null without memory. It is in the list once it was added.
  StreamState* make();
  void add(StreamState& stream);

  // The stream's producer has ended it, or one of its slots has been written. After the last of these calls another
  // stream may get its state. Any thread.
  void release(StreamState& stream);

  // Streams that are neither sealed nor closed. Any thread.
  std::uint64_t open_count() const { return __atomic_load_n(&open_, __ATOMIC_RELAXED); }
  void count_sealed() { __atomic_fetch_sub(&open_, 1, __ATOMIC_RELAXED); }

  // Stops all streams from recording. Any thread.
  void switch_off();
  // Like switch_off(), in a fork child, where no flusher would end its claims.
  void leave_to_parent();
  bool are_off() const { return __atomic_load_n(&all_off_, __ATOMIC_ACQUIRE); }

  // Adds the losses and shortened texts of streams.
  void add_counts(evt_counts& counts) const;

  // Called when nothing is repeated any more.
  void free_names();

 private:
  StreamState* new_state();
  StreamState* retired_state();
  void retire(StreamState& stream);

  StreamState* first_ = nullptr;
  StreamState* unused_ = nullptr;  // have memory already
  std::size_t unused_count_ = 0;
  bool were_used_again_ = false;
  std::uint32_t next_id_ = 1;
  StreamState* retired_ = nullptr;  // atomic list
  StreamState* reusable_ = nullptr;
  std::uint64_t open_ = 0;  // atomic
  bool all_off_ = false;    // atomic

  // Totals of streams whose states were reused.
  std::uint64_t lost_[EVT_LOST_CAUSES] = {};
  std::uint64_t texts_cut_ = 0;
};

}  // namespace evt
