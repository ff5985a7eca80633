#include "flows.h"

#include <algorithm>
#include <utility>

namespace evt::view {

Flows::Flows(Actors& actors, Options options)
    : actors_(&actors), options_(std::move(options)), scale_(0, 1, 1), lives_(actors, scale_), steals_(actors) {}

void Flows::take(const TimelineItem& item) {
  is_behind_ = is_behind_ || item.ns > options_.range.to_ns;
  lives_.take(item);
  steals_.take(item);
  switch (item.kind) {
    case ItemKind::kRow:
      return take_message(item);
    case ItemKind::kSpark:
      if (item.event->role != Role::kSparkSteal || is_behind_) return;
      if (const std::optional<Flow> steal = steals_.flow_of(item)) add(*steal);
      return;
    case ItemKind::kWake:
      return wake(item);
    case ItemKind::kState:
      if (item.state == ThreadState::kRunning && !item.is_open) return end_wake(item.thread, &item);
      if (item.state == ThreadState::kEnded) return end_wake(item.thread, nullptr);
      return;
    case ItemKind::kFold:
      for (const std::uint32_t thread : item.event->fold->all()) end_wake(thread, nullptr);
      return;
    default:
      return;
  }
}

void Flows::finish() {
  for (std::uint32_t thread = 0; thread < woken_.size(); ++thread) end_wake(thread, nullptr);
}

// The life in which the thread is now; none of one that was not met.
FlowEnd Flows::end_of(std::uint32_t thread, const TimelineItem& item) const {
  RoleEvent about;
  about.thread = thread;
  const std::size_t life = lives_.life_at(about);
  const auto stream = static_cast<std::uint32_t>(item.stream - actors_->session().streams.data());
  return {item.ns, stream, life < lives_.all().size() ? life : ThreadLives::kNone, Actor::kNone};
}

// Who woke it may not be known: a timer, another process.
void Flows::wake(const TimelineItem& item) {
  if (item.thread >= Actor::kOthers) return;
  end_wake(item.thread, nullptr);
  if (item.other >= Actor::kOthers || is_behind_) return;
  if (item.thread >= woken_.size()) woken_.resize(item.thread + std::size_t{1});
  woken_[item.thread] = {FlowKind::kWake, end_of(item.other, item), end_of(item.thread, item)};
  ++wakes_;
}

void Flows::end_wake(std::uint32_t thread, const TimelineItem* runs) {
  if (thread >= woken_.size() || !woken_[thread]) return;
  Flow flow = *std::exchange(woken_[thread], std::nullopt);
  --wakes_;
  if (runs != nullptr) flow.to = end_of(thread, *runs);
  add(flow);
}

void Flows::take_message(const TimelineItem& item) {
  const Role role = item.event->role;
  const bool is_message = role == Role::kMessageSend || role == Role::kMessageReceive;
  if (!is_message && role != Role::kFlowOut && role != Role::kFlowIn) return;
  std::uint64_t number = 0;
  if (!item.event->event->get_number(Role::kFlow, &number)) return;
  const OpenMessages::Key key = {is_message ? FlowKind::kMessage : FlowKind::kArrow,
                                 actors_->part_of_ids(*item.event->event, Role::kFlow), number};
  const FlowEnd end = end_of(item.thread, item);
  const bool leaves = role == Role::kMessageSend || role == Role::kFlowOut;
  const std::optional<Flow> flow =
      leaves ? messages_.leave(key, end, !is_behind_) : messages_.arrive(key, end, !is_behind_);
  if (flow) add(*flow);
}

void Flows::add(const Flow& flow) {
  const auto [first_ns, last_ns] = std::minmax(flow.from.ns, flow.to.ns);
  if (last_ns < options_.range.from_ns || first_ns > options_.range.to_ns) return;
  if (options_.wanted && !options_.wanted(flow)) return;
  if (flows_.size() < options_.most) {
    flows_.push_back(flow);
  } else {
    ++more_;
  }
}

}  // namespace evt::view
