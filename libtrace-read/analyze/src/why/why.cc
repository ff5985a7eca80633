#include <evt/analysis/why.h>

#include <optional>

#include "backward_walk.h"
#include "sooner_end.h"
#include "wait_log.h"

namespace evt {

class Why::Impl {
 public:
  Impl(Timeline& timeline, TimeRange range, std::size_t most_bytes) : log(timeline, range, most_bytes) {}

  void finish() {
    if (walk) return;
    log.finish();
    walk.emplace(log);
  }

  WaitLog log;
  std::optional<BackwardWalk> walk;
};

Why::Why(Timeline& timeline, TimeRange range, std::size_t most_bytes)
    : impl_(std::make_unique<Impl>(timeline, range, most_bytes)) {}

ItemKinds Why::items() {
  return {ItemKind::kRow,    ItemKind::kThread,         ItemKind::kState,         ItemKind::kUncertain,
          ItemKind::kWake,   ItemKind::kIdleThread,     ItemKind::kBegan,         ItemKind::kEnded,
          ItemKind::kObject, ItemKind::kLockRelease,    ItemKind::kStopBegan,     ItemKind::kStopEnded,
          ItemKind::kFold,   ItemKind::kCollectorBegan, ItemKind::kCollectorEnded};
}
RoleSet Why::rows() {
  return {Role::kFlowOut,   Role::kFlowIn, Role::kMessageSend, Role::kMessageReceive,
          Role::kGcRequest, Role::kGcSync, Role::kGcStatistics};
}

bool Why::take(const TimelineItem& item) {
  impl_->log.take(item);
  return !impl_->log.is_complete();
}
void Why::set_groups(GroupsOf groups) { impl_->log.set_groups(std::move(groups)); }
Why::Moment Why::moment(std::uint32_t thread) const { return impl_->log.latest(thread); }
void Why::divide(std::uint32_t thread, std::int64_t from_ns, std::int64_t to_ns, const Take& take, Moment end) {
  impl_->finish();
  if (from_ns < to_ns) impl_->walk->walk(thread, from_ns, to_ns, take, end);
}
std::int64_t Why::sooner(std::uint32_t thread, std::int64_t from_ns, std::int64_t to_ns, const Shorter& shorter) {
  impl_->finish();
  return SoonerEnd(impl_->log, shorter, from_ns).sooner(thread, to_ns);
}
const std::vector<WhyPlace>& Why::places() const { return impl_->log.places(); }
const std::vector<Usage::Target>& Why::targets() const { return impl_->log.targets(); }
bool Why::has_runs() const { return impl_->log.has_runs(); }
bool Why::has_waits() const { return impl_->log.has_waits(); }
const Status& Why::status() const { return impl_->log.status(); }

}  // namespace evt
