#include "cmd/snapshot_watch.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <thread>

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

// What was recorded before the command began is no reason.
void SnapshotWatch::begin(const Trace& trace) {
  std::map<Session::Uuid, std::int64_t> from;
  for (const Session& session : trace.sessions()) from[session.uuid] = sum(session.last_ns, session.rows > 0 ? 1 : 0);
  new_ones_.range = [from](const Session& session) {
    const auto known = from.find(session.uuid);
    return TimeRange{known == from.end() ? INT64_MIN : known->second, INT64_MAX};
  };
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

// A type or field that is not known yet may be declared later.
Status SnapshotWatch::look(Trace& trace) {
  if (Status status = options_.trigger.resolve({&trace}); !status.ok()) return status;
  const EventOptions options = seen_.narrowed(trace, new_ones_);
  Events events = trace.events(options);
  while (const Event* const event = events.next()) {
    if (seen_.is_new(*event) && taker_.is_wanted(event->session()) && options_.trigger.wants(*event)) meet(*event);
  }
  seen_.end(trace);
  return {};
}

Status SnapshotWatch::take(Trace& trace) {
  const Met met = *met_;
  met_.reset();
  ++taken_;
  const TimeRange range{sum(met.ns, -options_.before_ns), sum(met.ns, options_.after_ns)};
  const auto range_of = [&](const Session& session) { return session.uuid == met.session ? range : TimeRange{1, 0}; };
  return taker_.take(trace, range_of, fmt::format("{} at {} s: ", shown(met.type), report::seconds_text(met.ns)));
}

int SnapshotWatch::end(const Trace& trace) {
  if (passed_over_ > 0) {
    report_.say(fmt::format("{} more such event{} came within {} after another: no snapshot was taken of {}",
                            grouped(passed_over_), passed_over_ == 1 ? "" : "s",
                            report::duration_text(static_cast<std::uint64_t>(options_.rearm_ns)),
                            passed_over_ == 1 ? "it" : "them"));
  }
  if (taken_ > 0) return taker_.finish(trace);
  return report_.say_missing({"the program has ended, and no such event was met"});
}

int SnapshotWatch::run() {
  bool has_begun = false;
  for (int looks = kLooksWithoutWriter;;) {
    auto trace = taker_.open();
    if (!trace) return report_.no_answer(trace.status());
    if (!has_begun) begin(*trace);
    has_begun = true;
    looks = has_writer(*trace) ? kLooksWithoutWriter : looks - 1;
    const Status looked = look(*trace);
    if (looked.code() == Code::kInvalid && looks == 0) return report_.usage(looked.message());
    if (met_ && (looks == 0 || Clock::now() >= met_->due)) {
      if (const Status taken = take(*trace); !taken.ok()) return report_.no_answer(taken);
    }
    if (looks == 0 || taken_ == options_.most) return end(*trace);
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

}  // namespace evt::tools
