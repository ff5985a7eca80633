// Takes slots back from idle streams, when these fill the ring and other streams wait.
#pragma once

#include "ring.h"
#include "stream_state.h"

namespace evt {

// Used by the flusher. A producer works on its slot without a lock: so its stream is switched off for a moment, and the
// slot is taken if the producer is not in the middle of something. An event that comes meanwhile waits until that is
// decided.
class IdleSlots {
 public:
  explicit IdleSlots(Ring& ring) : ring_(ring) {}

  // Hands over some slots of streams that have recorded nothing since the last look; of all streams if none is idle.
  void take_back();

 private:
  struct Claim {
    StreamState* stream;
    SlotState* slot;
    std::uint8_t* limit;
  };
  static constexpr std::uint32_t kAtOnce = 512;

  std::uint32_t look(std::uint32_t* slots_left);
  bool claim(SlotState& slot, Claim* claim);
  bool settle(const Claim& claim, bool is_seen);

  Ring& ring_;
  std::uint32_t next_ = 0;  // slot to look at
};

}  // namespace evt
