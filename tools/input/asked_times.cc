#include "input/asked_times.h"

#include <evt/timeline.h>
#include <fmt/core.h>

#include <algorithm>

#include "libtrace-read/report/shared/session_range.h"
#include "libtrace-read/text/number_with_unit.h"
#include "libtrace-read/text/shown.h"

namespace evt::tools {
namespace {

using report::times_of;

// True of no session at all too.
template <typename Test>
bool all_sessions(const std::vector<const Trace*>& traces, Test test) {
  return std::ranges::all_of(traces, [&](const Trace* trace) { return std::ranges::all_of(trace->sessions(), test); });
}

// From its first event to its last, or what it was cut to.
TimeRange recorded_times_of(const Session& session) { return report::range_in(session, {}); }

// The first and the last time of all of them; as times of day where that was asked for.
std::string times_in_words(const std::vector<const Trace*>& traces, bool utc, TimeRange (*times_in)(const Session&)) {
  TimeRange all = {INT64_MAX, INT64_MIN};
  for (const Trace* const trace : traces) {
    for (const Session& session : trace->sessions()) {
      const TimeRange times = times_in(session);
      const auto shown = [&](std::int64_t ns) {
        std::int64_t of_day = 0;
        if (!utc) return ns;
        return __builtin_add_overflow(session.start_utc_ns, ns, &of_day) ? INT64_MAX : of_day;
      };
      all.from_ns = std::min(all.from_ns, shown(times.from_ns));
      all.to_ns = std::max(all.to_ns, shown(times.to_ns));
    }
  }
  const auto text = [&](std::int64_t ns) { return utc ? utc_text(ns) : report::seconds_text(ns); };
  return fmt::format("from {} to {}", text(all.from_ns), text(all.to_ns));
}

std::string traces_in_words(const std::vector<const Trace*>& traces, bool utc) {
  return fmt::format("the {} {}", traces.size() == 1 ? "trace is" : "traces are",
                     times_in_words(traces, utc, times_of));
}

// A trace of which not even the first block can be read has none.
bool have_sessions(const std::vector<const Trace*>& traces) {
  return std::ranges::any_of(traces, [](const Trace* trace) { return !trace->sessions().empty(); });
}

bool is_of_day(const std::optional<TimeSpec>& moment) { return moment && moment->is_of_day(); }

}  // namespace

TimeRange AskedRange::range(const Session& session) const {
  TimeRange range;
  if (from) range.from_ns = from->in(session);
  if (to) range.to_ns = to->in(session);
  return range;
}

Status check_times(const std::optional<TimeSpec>& from, const std::optional<TimeSpec>& to,
                   const std::vector<const Trace*>& traces) {
  const auto from_in = [&](const Session& session) { return from ? from->in(session) : INT64_MIN; };
  const auto to_in = [&](const Session& session) { return to ? to->in(session) : INT64_MAX; };
  const auto is_turned = [&](const Session& session) { return from_in(session) > to_in(session); };
  const auto is_behind = [&](const Session& session) {
    return from_in(session) > std::max(times_of(session).to_ns, end_ns_of(session));
  };
  const auto is_before = [&](const Session& session) { return to_in(session) < times_of(session).from_ns; };
  const auto is_outside = [&](const Session& session) {
    return is_turned(session) || is_behind(session) || is_before(session);
  };
  if ((!from && !to) || !have_sessions(traces) || !all_sessions(traces, is_outside)) return {};
  const std::string words = traces_in_words(traces, is_of_day(from) || is_of_day(to));
  if (from && to && all_sessions(traces, is_turned)) {
    return {Code::kInvalid, fmt::format("--from {} is later than --to {}: {}", from->text, to->text, words)};
  }
  if (from && all_sessions(traces, is_behind))
    return {Code::kInvalid, fmt::format("--from {} is after the end: {}", from->text, words)};
  if (to && all_sessions(traces, is_before))
    return {Code::kInvalid, fmt::format("--to {} is before the start: {}", to->text, words)};
  return {Code::kInvalid, fmt::format("nothing is between --from {} and --to {}: {}", from->text, to->text, words)};
}

Status check_times(const std::optional<TimeSpec>& at, const std::vector<const Trace*>& traces) {
  if (!at || !have_sessions(traces)) return {};
  const auto is_outside = [&](const Session& session) { return !times_of(session).contains(at->in(session)); };
  if (!all_sessions(traces, is_outside)) return {};
  return {Code::kInvalid, fmt::format("--at {} is outside: {}", at->text, traces_in_words(traces, is_of_day(at)))};
}

Status check_is_recorded(const char* option, const std::optional<TimeSpec>& moment,
                         const std::vector<const Trace*>& traces) {
  if (!moment || !have_sessions(traces)) return {};
  const auto is_before_events = [&](const Session& session) {
    const std::int64_t ns = moment->in(session);
    return ns >= times_of(session).from_ns && ns < recorded_times_of(session).from_ns;
  };
  if (!all_sessions(traces, is_before_events)) return {};
  return {Code::kInvalid, fmt::format("{} {} is before the first event: there are events {}", option, moment->text,
                                      times_in_words(traces, is_of_day(moment), recorded_times_of))};
}

}  // namespace evt::tools
