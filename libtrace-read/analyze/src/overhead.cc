#include <evt/analysis/extent.h>
#include <evt/analysis/overhead.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "parts.h"

namespace evt {

class Overhead::Impl {
 public:
  explicit Impl(Timeline& timeline) : timeline_(&timeline), latest_(timeline.actors().session().streams.size()) {}

  void take(const TimelineItem& item) {
    if (item.kind == ItemKind::kFold) return fold(*item.event->fold);
    if (item.kind == ItemKind::kLost) ++doubts_.losses;
    if (item.kind != ItemKind::kRow || !item.is_wanted) return;
    const RoleEvent& event = *item.event;
    if (event.lost || event.jump) return;
    if (!event.is_facet) count(event);
    if (event.role == Role::kOverhead) stall(event);
  }

  void restart(std::int64_t ns) {
    since_ = ns;
    doubts_ = Doubts();
    for (Emitted& each : emitted_) each.events = 0;
    for (Stall& each : stalls_) each.lengths = Histogram();
  }

  struct Latest {
    std::uint32_t thread = Actor::kNone;
    std::uint32_t emitted = Actor::kNone;  // the place of both in emitted_
  };

  void fold(const FoldedActors& gone) {
    const std::vector<Emitted> emitted = std::move(emitted_);
    emitted_.clear();
    by_emitter_.clear();
    for (const Emitted& each : emitted)
      emitted_[place_of({each.by.stream, gone(each.by.thread)})].events += each.events;
    // The next event of each stream sets it again.
    for (Latest& latest : latest_) latest = Latest();
    const std::vector<Stall> stalls = std::move(stalls_);
    stalls_.clear();
    by_reason_.clear();
    for (const Stall& each : stalls) {
      stalls_[place_of({each.of.stream, gone(each.of.thread)}, each.reason)].lengths.add(each.lengths);
    }
  }

  void count(const RoleEvent& event) {
    Latest& latest = latest_[static_cast<std::size_t>(event.stream - timeline_->actors().session().streams.data())];
    const std::uint32_t thread = timeline_->actors().running_on(*event.stream);
    if (latest.emitted == Actor::kNone || latest.thread != thread) {
      latest = {thread, place_of({event.stream, thread})};
    }
    ++emitted_[latest.emitted].events;
  }

  void stall(const RoleEvent& event) {
    const std::optional<Extent> extent = extent_of(*event.event, event.recorded_ns);
    if (!extent) {
      ++doubts_.without_duration;
      return;
    }
    if (extent->is_negative) ++doubts_.negative;
    if (extent->ended_ns < since_) return;
    if (extent->began_ns < since_) ++doubts_.clipped;
    const bool is_named = event.event->type().field(Role::kThread) != nullptr;
    const Emitter who{event.stream, is_named ? event.thread : timeline_->actors().running_on(*event.stream)};
    const std::uint32_t place = place_of(who, timeline_->names().of(*event.event, Role::kReason));
    stalls_[place].lengths.add(length(std::max(extent->began_ns, since_), extent->ended_ns));
  }

  // The place in emitted_.
  std::uint32_t place_of(const Emitter& who) {
    const auto place = static_cast<std::uint32_t>(emitted_.size());
    const auto [found, is_new] = by_emitter_.try_emplace(std::uint64_t{who.stream->id} << 32 | who.thread, place);
    if (is_new) emitted_.push_back({who, 0});
    return found->second;
  }

  // The place in stalls_.
  std::uint32_t place_of(const Emitter& who, std::uint32_t reason) {
    const auto place = static_cast<std::uint32_t>(stalls_.size());
    const auto [found, is_new] = by_reason_.try_emplace({who.stream->id, who.thread, reason}, place);
    if (is_new) stalls_.push_back({reason, who, {}});
    return found->second;
  }

  Timeline* timeline_;
  std::vector<Latest> latest_;  // by stream
  std::vector<Emitted> emitted_;
  std::vector<Stall> stalls_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_emitter_;
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> by_reason_;  // stream, thread, reason
  Doubts doubts_;
  std::int64_t since_ = INT64_MIN;
};

Overhead::Overhead(Timeline& timeline) : impl_(std::make_unique<Impl>(timeline)) {}

void Overhead::take(const TimelineItem& item) { impl_->take(item); }
void Overhead::restart(std::int64_t ns) { impl_->restart(ns); }
const std::vector<Overhead::Emitted>& Overhead::emitted() const { return impl_->emitted_; }
const std::vector<Overhead::Stall>& Overhead::stalls() const { return impl_->stalls_; }
const Overhead::Doubts& Overhead::doubts() const { return impl_->doubts_; }

}  // namespace evt
