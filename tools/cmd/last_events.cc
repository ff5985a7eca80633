#include "cmd/last_events.h"

#include <algorithm>
#include <vector>

namespace evt::tools {
namespace {

EventOptions options_from(std::int64_t from_ns, const EventOptions& all) {
  EventOptions options = all;
  options.range = [from_ns, &all](const Session& session) {
    TimeRange range = all.range ? all.range(session) : TimeRange();
    range.from_ns = std::max(range.from_ns, from_ns);
    return range;
  };
  return options;
}

// Where a clock stepped, or is the program's own, which may step back, the order of events is not that of their times.
bool has_order_of_times(const Session& session) {
  return session.clocks.size() == 1 && session.clocks.front().kind != EVT_CLOCK_OTHER;
}

}  // namespace

std::uint64_t number_of_events(Trace& trace, const EventOptions& options, const CountsEvent& counts) {
  std::uint64_t count = 0;
  Events events = trace.events(options);
  while (const Event* const event = events.next()) count += counts(*event) ? 1 : 0;
  return count;
}

LastEvents last_events(Trace& trace, const EventOptions& all, std::uint64_t wanted, const CountsEvent& counts) {
  const bool is_by_time = trace.sessions().size() == 1 && has_order_of_times(trace.sessions().front());
  auto blocks = is_by_time ? trace.rows_in_time(trace.sessions().front()) : std::vector<Trace::RowsInTime>();
  std::ranges::sort(blocks, [](const auto& a, const auto& b) { return a.first_ns > b.first_ns; });
  constexpr std::uint64_t kMoreEachTime = 8;
  std::uint64_t rows = 0;
  std::uint64_t enough = wanted;
  for (const Trace::RowsInTime& block : blocks) {
    rows += block.rows;
    if (rows < enough || &block == &blocks.back()) continue;
    const EventOptions options = options_from(block.first_ns, all);
    const std::uint64_t count = number_of_events(trace, options, counts);
    if (count >= wanted) return {options, count - wanted};
    enough = rows > UINT64_MAX / kMoreEachTime ? UINT64_MAX : rows * kMoreEachTime;
  }
  const std::uint64_t count = number_of_events(trace, all, counts);
  return {all, count - std::min(count, wanted)};
}

}  // namespace evt::tools
