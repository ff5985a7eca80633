#include "replay.h"

#include <utility>

#include "libtrace-read/analyze/src/cpu_time_impl.h"
#include "libtrace-read/analyze/src/event_counts_impl.h"

namespace evt {
namespace {

// Nothing of other sessions.
Timeline::Options of_session(const Session& session, Timeline::Options options) {
  options.range = [&session, range = std::move(options.range)](const Session& each) {
    if (&each != &session) return TimeRange{1, 0};
    return range ? range(each) : TimeRange();
  };
  return options;
}

}  // namespace

Replay::Replay(Trace& trace, std::size_t session, std::int64_t known_ns, Follows follows, Timeline::Options options)
    : follows_(follows), collections_(trace.sessions()[session]) {
  const Session& of = trace.sessions()[session];
  const std::int64_t from_ns = known_ns == INT64_MIN ? known_ns : known_ns + 1;
  const std::uint32_t most = options.most_threads;
  timeline_ = std::make_unique<Timeline::Impl>(trace, of_session(of, std::move(options)), from_ns);
  timeline_->begin_session(session, Actors(of, most));
  if (follows == Follows::kRange) return;
  timeline_->leave_open(follows == Follows::kAll);
  if (follows == Follows::kAll) return;
  ItemKinds kinds = CpuTime::items();
  timeline_->hand_out(kinds |= {ItemKind::kRow, ItemKind::kLost});
}

void Replay::take(const TimelineItem& item) {
  if (item.kind == ItemKind::kRow) counts_.take(*item.event);
  cpu_.take(item);
  if (follows_ != Follows::kAll) return;
  past_.take(item, &timeline_->names());
  collections_.take(item);
}

void Replay::archive(Archive& archive) {
  timeline_->archive(archive, past_);
  CpuTime::Impl::of(cpu_).archive(archive, actors());
  EventCounts::Impl::of(counts_).archive(archive, actors().session());
  collections_.archive(archive);
  has_past_ = archive.is_reading();
}

std::map<std::uint32_t, std::uint32_t> Replay::running() const {
  std::map<std::uint32_t, std::uint32_t> all;
  const ThreadStates& threads = timeline_->threads();
  for (std::uint32_t i = 0; i < actors().threads().size(); ++i) {
    if (threads.runs(i)) all[i] = threads.occupancy().stream_of(i);
  }
  return all;
}

SessionState Replay::finish() {
  SessionState state(actors().session());
  state.actors = std::move(timeline_->actors());
  state.cpu = std::move(cpu_);
  state.counts = counts_;
  state.doubts = timeline_->threads().occupancy().doubts();
  return state;
}

SessionStart Replay::begin() {
  if (has_past_) timeline_->begin_with(std::move(past_));
  return {Timeline(std::move(timeline_)), std::move(cpu_), std::move(collections_)};
}

}  // namespace evt
