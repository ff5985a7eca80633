#include "child_stops.h"

#include <algorithm>
#include <utility>

namespace evt::record {
namespace {

// The two clocks are read one after the other, and a thread may wait for a cpu in between.
constexpr std::uint64_t kLeastSuspendedNs = StopClock::kLeastNs;

}  // namespace

void ChildStops::sleep(std::int64_t now_ns, std::int64_t until_ns) {
  clock_.sleep(static_cast<std::uint64_t>(now_ns), static_cast<std::uint64_t>(until_ns));
}

void ChildStops::wake(std::int64_t now_ns) {
  StopClock::Stop late;
  late_.reset();
  if (clock_.wake(static_cast<std::uint64_t>(now_ns), &late)) late_ = late;
}

void ChildStops::look_at_machine(const Look& look, const Take& take) {
  const std::uint64_t before = suspended_ns_.value_or(look.suspended_ns);
  if (suspended_ns_ && look.suspended_ns < before + kLeastSuspendedNs) return;
  suspended_ns_ = look.suspended_ns;
  if (look.suspended_ns == before) return;
  take({ChildStop::Cause::kSuspend, look.now_ns, look.now_ns, false, look.suspended_ns - before});
}

void ChildStops::look(const Look& look, const Take& take) {
  using Edge = Look::Edge;
  const bool is_late = late_.has_value();
  const StopClock::Stop late = std::exchange(late_, std::nullopt).value_or(StopClock::Stop());
  look_at_machine(look, take);
  // A continue ends the stop in progress, or one whose beginning the parent did not see.
  const auto late_end = static_cast<std::int64_t>(late.ended_ns);
  const auto late_begin = static_cast<std::int64_t>(late.ended_ns - late.ns);
  if (since_ns_) {
    if (look.edge == Edge::kNone || look.edge == Edge::kStopped) return;
    take({ChildStop::Cause::kSignal, *std::exchange(since_ns_, std::nullopt), look.now_ns, true, 0});
  } else if (is_late && look.edge == Edge::kContinued) {
    take({ChildStop::Cause::kSignal, late_begin, late_end, false, 0});
  } else if (is_late && !look.was_continued) {
    take({ChildStop::Cause::kPause, late_begin, late_end, false, 0});
  }
  if (look.edge == Edge::kStopped) since_ns_ = look.now_ns;
}

void StopTotals::add(std::int64_t began_ns, std::int64_t ended_ns) {
  ++count_;
  began_ns = std::max(began_ns, latest_end_ns_);
  if (ended_ns <= began_ns) return;
  total_ns_ += static_cast<std::uint64_t>(ended_ns) - static_cast<std::uint64_t>(began_ns);
  latest_end_ns_ = ended_ns;
}

}  // namespace evt::record
