// The streams of a session: their states, made and used again, their numbers, and the switch that turns all of them
// off.
#pragma once

#include <evt/evt.h>

#include "stream_state.h"

namespace evt {

// Guarded by the session's lock, but for what is named otherwise.
class StreamList {
 public:
  // Linked by `next`. Streams are only ever added at the front, and stay, so any thread may walk the list.
  StreamState* first() const { return __atomic_load_n(&first_, __ATOMIC_ACQUIRE); }

  // The id of the flusher's own stream, far from those that programs choose, and a number of 31 bits for tools that
  // have no larger ones.
  static constexpr std::uint32_t kFlusherId = 0x7FFF'FFFF;

  // The id for a stream that asks for `wanted`, or for any with 0. A number is used up even if nothing comes of it: its
  // description may be on its way. False when it is taken.
  bool take_id(std::uint32_t wanted, std::uint32_t* id, evt_error* error);

  // A state for a stream, perhaps one that another stream had; null without memory. It is in the list when it was
  // added.
  StreamState* make();
  void add(StreamState& stream);

  // The stream's producer has ended it, or one of its slots has been written. After the last of them another stream may
  // have its state. Any thread.
  void release(StreamState& stream);

  // Streams that are neither sealed nor closed. Any thread.
  std::uint64_t open_count() const { return __atomic_load_n(&open_, __ATOMIC_RELAXED); }
  void count_sealed() { __atomic_fetch_sub(&open_, 1, __ATOMIC_RELAXED); }

  // No stream records any more. Any thread.
  void switch_off();
  // The same in a fork child, which has no flusher that would end its claims.
  void leave_to_parent();
  bool are_off() const { return __atomic_load_n(&all_off_, __ATOMIC_ACQUIRE); }

  // Adds what streams have lost and shortened.
  void add_counts(evt_counts& counts) const;

  // When nothing is repeated any more.
  void free_names();

 private:
  StreamState* new_state();
  StreamState* retired_state();
  void retire(StreamState& stream);

  StreamState* first_ = nullptr;
  StreamState* unused_ = nullptr;  // of those that have memory already
  std::size_t unused_count_ = 0;
  bool were_used_again_ = false;
  std::uint32_t next_id_ = 1;
  StreamState* retired_ = nullptr;  // atomic list
  StreamState* reusable_ = nullptr;
  std::uint64_t open_ = 0;  // atomic
  bool all_off_ = false;    // atomic

  // Of streams whose states are used again.
  std::uint64_t lost_[EVT_LOST_CAUSES] = {};
  std::uint64_t texts_cut_ = 0;
};

}  // namespace evt
