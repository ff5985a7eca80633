#include "session_end.h"

namespace evt::tools {

SessionEnd end_of(const Session& session) {
  if (session.closed) return {"closed", "closed"};
  if (session.goes_on) return {"continued", "goes on in another segment"};
  switch (session.ring) {
    case RingState::kLive:
      return {"living", "its writer still runs"};
    case RingState::kRecovered:
      return {"killed", "its writer ended without closing it"};
    case RingState::kNone:
    case RingState::kPrivate:
    case RingState::kAway:
    case RingState::kOther:
      break;
  }
  return {"truncated", "truncated"};
}

}  // namespace evt::tools
