#include "cmd/seen_rows.h"

#include <algorithm>

namespace evt::tools {

bool has_writer(const Trace& trace) {
  return std::ranges::any_of(trace.sessions(), [](const Session& session) { return session.ring == RingState::kLive; });
}

bool SeenRows::has_more(const Session& session, const StreamInfo& stream) const {
  const auto seen = streams_.find({session.uuid, stream.id});
  return seen == streams_.end() || stream.rows > seen->second.rows;
}

std::int64_t SeenRows::first_new_ns(const Session& session) const {
  // What a clock's later record may move.
  constexpr std::int64_t kMarginNs = 100'000'000;
  std::int64_t first_ns = INT64_MAX;
  for (const StreamInfo& stream : session.streams) {
    if (!has_more(session, stream)) continue;
    const auto seen = streams_.find({session.uuid, stream.id});
    const bool is_any = seen == streams_.end() || seen->second.jumps;
    const std::int64_t last_ns = is_any ? INT64_MIN : seen->second.last_ns;
    first_ns = std::min(first_ns, last_ns < INT64_MIN + kMarginNs ? INT64_MIN : last_ns - kMarginNs);
  }
  return first_ns;
}

EventOptions SeenRows::narrowed(const Trace& trace, const EventOptions& all) {
  for (const Session& session : trace.sessions()) {
    ranges_.try_emplace(session.uuid, all.range ? all.range(session) : TimeRange());
  }
  EventOptions options = all;
  options.range = [this](const Session& session) {
    TimeRange range = ranges_.at(session.uuid);
    range.from_ns = std::max(range.from_ns, first_new_ns(session));
    return range;
  };
  options.stream = [this, &all](const Session& session, const StreamInfo& stream) {
    return has_more(session, stream) && (!all.stream || all.stream(session, stream));
  };
  return options;
}

bool SeenRows::is_new(const Event& event) {
  Stream& stream = streams_[{event.session().uuid, event.stream().id}];
  if (event.ordinal() < stream.next) return false;
  // A jump has the ordinal of the row behind it.
  stream.after = std::max(stream.after, event.ordinal() + (event.is_jump() ? 0 : 1));
  stream.jumps |= event.is_jump();
  stream.last_ns = event.ns();
  return true;
}

void SeenRows::end(const Trace& trace) {
  for (const Session& session : trace.sessions()) {
    for (const StreamInfo& stream : session.streams) {
      Stream& seen = streams_[{session.uuid, stream.id}];
      seen.rows = stream.rows;
      seen.next = std::max(seen.next, seen.after);
    }
  }
}

}  // namespace evt::tools
