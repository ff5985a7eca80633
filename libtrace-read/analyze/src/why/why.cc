#include <evt/analysis/why.h>

#include <optional>

#include "backward_walk.h"
#include "wait_log.h"

namespace evt {

class Why::Impl {
 public:
  Impl(Timeline& timeline, TimeRange range, std::size_t most_bytes) : log(timeline, range, most_bytes) {}

  void divide(std::uint32_t thread, std::int64_t from_ns, std::int64_t to_ns, const Take& take) {
    if (!walk) {
      log.finish();
      walk.emplace(log);
    }
    if (from_ns < to_ns) walk->walk(thread, from_ns, to_ns, take);
  }

  WaitLog log;
  std::optional<BackwardWalk> walk;
};

Why::Why(Timeline& timeline, TimeRange range, std::size_t most_bytes)
    : impl_(std::make_unique<Impl>(timeline, range, most_bytes)) {}

ItemKinds Why::items() {
  return {ItemKind::kRow,        ItemKind::kThread,    ItemKind::kState, ItemKind::kUncertain, ItemKind::kWake,
          ItemKind::kIdleThread, ItemKind::kBegan,     ItemKind::kEnded, ItemKind::kObject,    ItemKind::kLockRelease,
          ItemKind::kStopBegan,  ItemKind::kStopEnded, ItemKind::kFold};
}
RoleSet Why::rows() { return {Role::kFlowOut, Role::kFlowIn, Role::kMessageSend, Role::kMessageReceive}; }

bool Why::take(const TimelineItem& item) {
  impl_->log.take(item);
  return !impl_->log.is_complete();
}
void Why::divide(std::uint32_t thread, std::int64_t from_ns, std::int64_t to_ns, const Take& take) {
  impl_->divide(thread, from_ns, to_ns, take);
}
const std::vector<WhyPlace>& Why::places() const { return impl_->log.places(); }
const std::vector<Usage::Target>& Why::targets() const { return impl_->log.targets(); }
bool Why::has_runs() const { return impl_->log.has_runs(); }
bool Why::has_waits() const { return impl_->log.has_waits(); }
const Status& Why::status() const { return impl_->log.status(); }

}  // namespace evt
