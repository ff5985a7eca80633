// From one row of a session to another: who woke a thread, whose spark was run, where a message went.
#pragma once

#include <cstdint>

#include "libtrace-view/rows/thread_lives.h"

namespace evt::view {

enum class FlowKind : std::uint8_t {
  kWake,     // from who wakes a thread to when that runs next; to the wake-up itself if it never does
  kSteal,    // from the cpu that offered a spark to the one that runs it
  kMessage,  // roles messageSend and messageReceive
  kArrow,    // roles flowOut and flowIn
};

// On which row it is, as far as that is known: of a cpu, of a thread, or of the events of its stream.
struct FlowEnd {
  std::int64_t ns = 0;
  std::uint32_t stream = 0;               // that recorded it: its place in the session
  std::size_t life = ThreadLives::kNone;  // of the session's
  std::uint32_t cpu = Actor::kNone;       // of Actors
};

struct Flow {
  FlowKind kind = FlowKind::kWake;
  FlowEnd from;
  FlowEnd to;  // of messages also before `from`, where clocks differ
};

}  // namespace evt::view
