#include "session_range.h"

#include <algorithm>

namespace evt::report {
namespace {

// The extent of a session: from its first event to its last, or the range that it was cut to.
TimeRange whole_of(const Session& session) {
  TimeRange whole = {first_event_ns(session), session.last_ns};
  const TimeRange cut = cut_of(session);
  if (cut.from_ns != INT64_MIN) whole.from_ns = cut.from_ns;
  if (cut.to_ns != INT64_MAX) whole.to_ns = cut.to_ns;
  return whole;
}

TimeRange asked_of(const Session& session, const RangeWanted& wanted) {
  return wanted.range ? wanted.range(session) : TimeRange{};
}

}  // namespace

TimeRange times_of(const Session& session) {
  const std::int64_t from_ns = std::min<std::int64_t>(0, first_event_ns(session));
  return {from_ns, std::max(from_ns, session.last_ns)};
}

bool asks_for_a_begin(const Session& session, const RangeWanted& wanted) {
  return asked_of(session, wanted).from_ns != INT64_MIN;
}

TimeRange range_in(const Session& session, const RangeWanted& wanted) {
  const TimeRange asked = asked_of(session, wanted);
  TimeRange range = asked;
  const TimeRange whole = wanted.whole_session ? times_of(session) : whole_of(session);
  const std::int64_t first_ns = asks_for_a_begin(session, wanted) ? times_of(session).from_ns : whole.from_ns;
  range.from_ns = std::max({range.from_ns, first_ns, cut_of(session).from_ns});
  // Before everything there is nothing, not even the first event.
  if (range.to_ns < range.from_ns && asked.from_ns <= asked.to_ns) range.from_ns = range.to_ns;
  range.to_ns = std::max(range.from_ns, std::min({range.to_ns, whole.to_ns, cut_of(session).to_ns}));
  return range;
}

TimeRange range_in(Timeline& timeline, const RangeWanted& wanted) {
  const Session& session = timeline.actors().session();
  TimeRange range = range_in(session, wanted);
  if (cut_of(session).from_ns != INT64_MIN || wanted.whole_session || asks_for_a_begin(session, wanted)) return range;
  range.from_ns = std::min(range.from_ns, timeline.first_ns());
  return range;
}

}  // namespace evt::report
