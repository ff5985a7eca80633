#include <evt/analysis/overhead.h>

#include <algorithm>

#include "duration.h"
#include "parts.h"

namespace evt {

void Overhead::fold(const FoldedActors& gone) {
  const std::vector<Emitted> emitted = std::move(emitted_);
  emitted_.clear();
  by_emitter_.clear();
  for (const Emitted& each : emitted) emitted_[place_of({each.by.stream, gone(each.by.thread)})].events += each.events;
  // The next event of each stream sets it anew.
  for (Latest& latest : latest_) latest = Latest();
  const std::vector<Stall> stalls = std::move(stalls_);
  stalls_.clear();
  by_reason_.clear();
  for (const Stall& each : stalls) {
    stalls_[place_of({each.of.stream, gone(each.of.thread)}, each.reason)].lengths.add(each.lengths);
  }
}

std::uint32_t Overhead::place_of(const Emitter& who) {
  const auto place = static_cast<std::uint32_t>(emitted_.size());
  const auto [found, is_new] = by_emitter_.try_emplace(std::uint64_t{who.stream->id} << 32 | who.thread, place);
  if (is_new) emitted_.push_back({who, 0});
  return found->second;
}

std::uint32_t Overhead::place_of(const Emitter& who, std::uint32_t reason) {
  const auto place = static_cast<std::uint32_t>(stalls_.size());
  const auto [found, is_new] = by_reason_.try_emplace({who.stream->id, who.thread, reason}, place);
  if (is_new) stalls_.push_back({reason, who, {}});
  return found->second;
}

void Overhead::take(const RoleEvent& event) {
  if (event.fold != nullptr) return fold(*event.fold);
  if (event.lost) ++doubts_.losses;
  if (event.event == nullptr || event.lost || event.jump) return;
  count(event);
  if (event.role == Role::kOverhead) stall(event);
}

void Overhead::count(const RoleEvent& event) {
  Latest& latest = latest_[static_cast<std::size_t>(event.stream - actors_->session().streams.data())];
  const std::uint32_t thread = actors_->running_on(*event.stream);
  if (latest.emitted == Actor::kNone || latest.thread != thread) {
    latest = {thread, place_of({event.stream, thread})};
  }
  ++emitted_[latest.emitted].events;
}

void Overhead::stall(const RoleEvent& event) {
  const std::optional<Duration> duration = duration_of(*event.event, event.recorded_ns);
  if (!duration) {
    ++doubts_.without_duration;
    return;
  }
  if (duration->is_negative) ++doubts_.negative;
  std::int64_t begin = begin_of(duration->ns, event.recorded_ns);
  if (begin < since_) {
    ++doubts_.clipped;
    begin = std::min(since_, event.recorded_ns);
  }
  const bool is_named = event.event->type().field(Role::kThread) != nullptr;
  const Emitter who{event.stream, is_named ? event.thread : actors_->running_on(*event.stream)};
  const std::uint32_t place = place_of(who, reasons_.of(*event.event, Role::kReason));
  stalls_[place].lengths.add(length(begin, event.recorded_ns));
}

void Overhead::restart(std::int64_t ns) {
  since_ = ns;
  doubts_ = Doubts();
  for (Emitted& each : emitted_) each.events = 0;
  for (Stall& each : stalls_) each.lengths = Histogram();
}

}  // namespace evt
