#include "open_flows.h"

#include <utility>

namespace evt::view {

void OpenFlows::take_change(const TimelineItem& item, bool begins, const Completed& f) {
  steals_.take(item);
  switch (item.kind) {
    case ItemKind::kSpark:
      if (item.event->role != Role::kSparkSteal || !begins) return;
      if (const std::optional<Flow> steal = steals_.flow_of(item)) f(*steal);
      return;
    case ItemKind::kWake:
      return wake(item, begins, f);
    case ItemKind::kState:
      if (item.state == ThreadState::kRunning && !item.is_open) return end_wake(item.thread, &item, f);
      if (item.state == ThreadState::kEnded) return end_wake(item.thread, nullptr, f);
      return;
    case ItemKind::kFold:
      for (const std::uint32_t thread : item.event->fold->all()) end_wake(thread, nullptr, f);
      return;
    default:
      return;
  }
}

void OpenFlows::finish(const Completed& f) {
  for (std::uint32_t thread = 0; thread < woken_.size(); ++thread) end_wake(thread, nullptr, f);
}

// The life in which the thread is now; none of one that was not met.
FlowEnd OpenFlows::end_of(std::uint32_t thread, const TimelineItem& item) const {
  RoleEvent about;
  about.thread = thread;
  const std::size_t life = lives_->life_at(about);
  const auto stream = static_cast<std::uint32_t>(item.stream - actors_->session().streams.data());
  return {item.ns, stream, life < lives_->all().size() ? life : ThreadLives::kNone, Actor::kNone};
}

// Who woke it may not be known: a timer, another process.
void OpenFlows::wake(const TimelineItem& item, bool begins, const Completed& f) {
  if (item.thread >= Actor::kOthers) return;
  end_wake(item.thread, nullptr, f);
  if (item.other >= Actor::kOthers || !begins) return;
  if (item.thread >= woken_.size()) woken_.resize(item.thread + std::size_t{1});
  woken_[item.thread] = {FlowKind::kWake, end_of(item.other, item), end_of(item.thread, item)};
  ++wakes_;
}

void OpenFlows::end_wake(std::uint32_t thread, const TimelineItem* runs, const Completed& f) {
  if (thread >= woken_.size() || !woken_[thread]) return;
  Flow flow = *std::exchange(woken_[thread], std::nullopt);
  --wakes_;
  if (runs != nullptr) flow.to = end_of(thread, *runs);
  f(flow);
}

void OpenFlows::take_message(const TimelineItem& item, bool begins, const Completed& f) {
  const Role role = item.event->role;
  const bool is_message = role == Role::kMessageSend || role == Role::kMessageReceive;
  std::uint64_t number = 0;
  if (!item.event->event->get_number(Role::kFlow, &number)) return;
  const OpenMessages::Key key = {is_message ? FlowKind::kMessage : FlowKind::kArrow,
                                 actors_->part_of_ids(*item.event->event, Role::kFlow), number};
  const FlowEnd end = end_of(item.thread, item);
  const bool leaves = role == Role::kMessageSend || role == Role::kFlowOut;
  const std::optional<Flow> flow = leaves ? messages_.leave(key, end, begins) : messages_.arrive(key, end, begins);
  if (flow) f(*flow);
}

}  // namespace evt::view
