#include "replay.h"

#include <utility>

#include "libtrace-read/analyze/src/cpu_time_impl.h"
#include "libtrace-read/analyze/src/event_counts_impl.h"

namespace evt {

Replay::Replay(RoleEvents& roles) : roles_(roles), threads_(Actors::Impl::of(roles.actors())) {
  items_.want(CpuTime::items());
}

void Replay::take(const RoleEvent& event) {
  counts_.take(event);
  for (const TimelineItem& item : follow(event)) cpu_.take(item);
}

const TimelineItems& Replay::follow(const RoleEvent& event) {
  items_.clear();
  if (event.role == Role::kNone && !event.lost && !event.jump && event.fold == nullptr) return items_;
  TimelineItem at;
  at.ns = event.ns;
  at.event = &event;
  threads_.take(event, at, &items_);
  if (event.fold != nullptr) items_.append(at, ItemKind::kFold);
  return items_;
}

void Replay::archive(Archive& archive) {
  Actors& actors = roles_.actors();
  Actors::Impl::of(actors).archive(archive);
  threads_.archive(archive, actors);
  CpuTime::Impl::of(cpu_).archive(archive, actors);
  EventCounts::Impl::of(counts_).archive(archive, actors.session());
}

std::map<std::uint32_t, std::uint32_t> Replay::running() const {
  std::map<std::uint32_t, std::uint32_t> all;
  for (std::uint32_t i = 0; i < roles_.actors().threads().size(); ++i) {
    if (threads_.runs(i)) all[i] = threads_.occupancy().stream_of(i);
  }
  return all;
}

SessionState Replay::finish() {
  SessionState state(roles_.actors().session());
  state.actors = std::move(roles_.actors());
  state.cpu = std::move(cpu_);
  state.counts = counts_;
  state.doubts = threads_.occupancy().doubts();
  return state;
}

}  // namespace evt
