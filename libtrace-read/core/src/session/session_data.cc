#include "session_data.h"

#include <algorithm>

namespace evt {

void settle_times(const SessionData& data, StreamParts& stream) {
  stream.info->first_ns = INT64_MAX;
  stream.info->last_ns = INT64_MIN;
  bool any_piece = false;
  for (const StreamSpan part : stream.parts) {
    const bool whole = part.piece == StreamSpan::kWhole;
    if (!whole && any_piece) continue;  // what is known of pieces is known of all of them
    any_piece |= !whole;
    const EventsHeader& events = data.blocks[part.block].events;
    const ClockMap& clock = data.clocks.at(events.clock_id);
    const auto ns_of = [&](std::uint64_t ticks) { return distance_ns(data.session->start_ns, clock.to_ns(ticks)); };
    stream.info->first_ns = std::min(stream.info->first_ns, ns_of(whole ? events.first_ticks : stream.first_ticks));
    stream.info->last_ns = std::max(stream.info->last_ns, ns_of(whole ? events.last_ticks : stream.last_ticks));
  }
}

}  // namespace evt
