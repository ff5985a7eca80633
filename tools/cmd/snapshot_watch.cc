#include "cmd/snapshot_watch.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/grouped.h"
#include "libtrace-read/text/number_with_unit.h"
#include "libtrace-read/text/shown.h"

namespace evt::tools {
namespace {

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (!__builtin_add_overflow(a, b, &result)) return result;
  return b < 0 ? INT64_MIN : INT64_MAX;
}

}  // namespace

void SnapshotWatch::begin(const Trace& trace) {
  for (const Session& session : trace.sessions()) {
    from_[session.uuid] = sum(session.last_ns, session.rows > 0 ? 1 : 0);
  }
}

void SnapshotWatch::meet(const Event& event) {
  const std::int64_t ns = event.ns();
  if (met_ || (armed_from_ns_ && ns < *armed_from_ns_)) {
    ++passed_over_;
    return;
  }
  met_ = Met{event.session().uuid, event.type().name(), ns, Clock::now() + std::chrono::nanoseconds(options_.after_ns)};
  armed_from_ns_ = sum(ns, options_.rearm_ns);
}

// A type or field that is not known yet may be declared later: then the next look has these events.
Status SnapshotWatch::look(Follow& follow) {
  if (Status status = options_.trigger.resolve({&follow.trace()}); !status.ok()) return status;
  while (const Event* const event = follow.next()) {
    if (taker_.is_wanted(event->session()) && options_.trigger.wants(*event)) meet(*event);
  }
  return {};
}

Status SnapshotWatch::take() {
  auto trace = taker_.open();
  if (!trace) return trace.status();
  const Met met = *met_;
  met_.reset();
  ++taken_;
  const TimeRange range{sum(met.ns, -options_.before_ns), sum(met.ns, options_.after_ns)};
  const auto range_of = [&](const Session& session) { return session.uuid == met.session ? range : TimeRange{1, 0}; };
  return taker_.take(*trace, range_of, fmt::format("{} at {} s: ", shown(met.type), report::seconds_text(met.ns)));
}

int SnapshotWatch::end() {
  if (passed_over_ > 0) {
    report_.say(fmt::format("{} more such event{} came within {} after another: no snapshot was taken of {}",
                            grouped(passed_over_), passed_over_ == 1 ? "" : "s",
                            report::duration_text(static_cast<std::uint64_t>(options_.rearm_ns)),
                            passed_over_ == 1 ? "it" : "them"));
  }
  if (taken_ == 0) return report_.say_missing({"the program has ended, and no such event was met"});
  const auto trace = taker_.open();
  return trace ? taker_.finish(*trace) : report_.no_answer(trace.status());
}

int SnapshotWatch::run() {
  if (taker_.input().first() == "-")
    return report_.usage("--when takes a program or a file, because a pipe is read once");
  FollowOptions wanted;
  wanted.events.range = [this](const Session& session) {
    const auto known = from_.find(session.uuid);
    return TimeRange{known == from_.end() ? INT64_MIN : known->second, INT64_MAX};
  };
  auto followed = follow(taker_.input(), wanted);
  if (!followed) return report_.no_answer(followed.status());
  begin(followed->trace());
  for (bool goes_on = true; goes_on && taken_ < options_.most;) {
    const Status looked = look(*followed);
    if (options_.trigger.where.has_durations()) {
      return report_.usage("--where does not know how long spans are before they end");
    }
    goes_on = followed->wait();
    if (!goes_on && !looked.ok()) return report_.usage(looked.message());
    if (!met_ || (goes_on && Clock::now() < met_->due)) continue;
    if (const Status taken = take(); !taken.ok()) return report_.no_answer(taken);
  }
  return followed->status().ok() ? end() : report_.no_answer(followed->status());
}

}  // namespace evt::tools
