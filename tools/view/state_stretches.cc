#include "state_stretches.h"

#include <evt/saturating_add.h>

#include <algorithm>

#include "base/table_forms.h"
#include "thread_text.h"

namespace evt::tools {
namespace {

using view::RowState;

RowState shown(ThreadState state, bool is_collecting) {
  if (is_collecting) return RowState::kCollecting;
  switch (state) {
    case ThreadState::kRunning:
      return RowState::kRunning;
    case ThreadState::kRunnable:
      return RowState::kRunnable;
    case ThreadState::kWaiting:
      return RowState::kWaiting;
    case ThreadState::kOutside:
      return RowState::kOutside;
    default:
      return RowState::kUnknown;
  }
}

std::string text_unless_none(const Actors& actors, std::uint32_t thread) {
  return thread < Actor::kOthers ? thread_text(actors, thread) : "";
}

}  // namespace

void StateStretch::add_members(JsonObject& json) const {
  json.number_or_null("key", state ? view::key_of(*state) : 0, state.has_value());
  json.digits("from", from_ns);
  json.digits("to", to_ns);
  json.yes("open", is_open);
  json.name_text("reason", reason);
  json.name_text("thread", thread);
  json.name_text("cpu", cpu);
  json.name_text("woken_by", woken_by);
}

bool StateStretches::goes_on() const {
  const auto is_one = [](const auto& each) { return each.group != EventRows::kNone; };
  return std::any_of(threads_.begin(), threads_.end(), is_one) || std::any_of(cpus_.begin(), cpus_.end(), is_one);
}

void StateStretches::take(Timeline& timeline, const EventRows::Pass& pass, const TimelineItem& item) {
  const bool is_of_thread = item.kind == ItemKind::kState || item.kind == ItemKind::kWake;
  if ((!is_of_thread && item.kind != ItemKind::kIdleThread) || item.thread >= Actor::kOthers) return;
  if (item.thread >= threads_.size()) threads_.resize(item.thread + std::size_t{1});
  OfThread& thread = threads_[item.thread];
  if (item.kind == ItemKind::kWake) {
    thread.waker = item.other;
    return;
  }
  end_thread(timeline, item.thread, item);
  const std::uint32_t before = thread.cpu;
  const bool was_woken = item.kind == ItemKind::kState && item.state == ThreadState::kRunnable && !item.is_collecting;
  const std::uint32_t waker = was_woken ? thread.waker : Actor::kNone;
  thread = {};
  const bool is_there = item.state == ThreadState::kRunning || item.is_collecting;
  const bool has_state = item.kind == ItemKind::kState && item.state != ThreadState::kEnded && !item.is_open;
  if (has_state) {
    const std::uint32_t group = pass.group_of_thread(item.thread);
    thread = {is_wanted(group) ? group : EventRows::kNone,
              item.state,
              item.is_collecting,
              item.other,
              is_there ? item.cpu : Actor::kNone,
              waker,
              item.ns};
  }
  if (before < Actor::kOthers && before != thread.cpu) change_cpu(timeline, before, Actor::kNone, item);
  if (thread.cpu < Actor::kOthers) change_cpu(timeline, thread.cpu, item.thread, item);
}

void StateStretches::end_thread(Timeline& timeline, std::uint32_t thread, const TimelineItem& item) {
  const OfThread& now = threads_[thread];
  if (now.group == EventRows::kNone || now.since_ns == item.ns) return;
  const Actors& actors = timeline.actors();
  StateStretch stretch;
  stretch.group = now.group;
  stretch.from_ns = now.since_ns;
  stretch.to_ns = item.ns;
  stretch.is_open = item.is_open;
  stretch.state = shown(now.state, now.is_collecting);
  if (now.reason < timeline.reasons().size()) stretch.reason = timeline.reasons()[now.reason].text;
  stretch.thread = thread_text(actors, thread);
  if (now.cpu < Actor::kOthers) {
    stretch.cpu = cell_text(report::actor_cell(actors, actors.cpus(), now.cpu), CellKind::kText, true);
  }
  stretch.woken_by = text_unless_none(actors, now.waker);
  take_(stretch);
}

void StateStretches::change_cpu(Timeline& timeline, std::uint32_t cpu, std::uint32_t thread, const TimelineItem& item) {
  if (cpu >= cpus_.size()) cpus_.resize(cpu + std::size_t{1});
  OfCpu& now = cpus_[cpu];
  if (thread == Actor::kNone && now.thread != item.thread) return;  // another runs there by now
  end_cpu(timeline, cpu, item);
  const std::uint32_t group = rows_->group_of_cpu(cpu);
  now = {is_wanted(group) && !item.is_open ? group : EventRows::kNone, thread, item.is_collecting, item.ns};
}

void StateStretches::end_cpu(Timeline& timeline, std::uint32_t cpu, const TimelineItem& item) {
  const OfCpu& now = cpus_[cpu];
  if (now.group == EventRows::kNone || now.since_ns == item.ns) return;
  StateStretch stretch;
  stretch.group = now.group;
  stretch.from_ns = now.since_ns;
  stretch.to_ns = item.ns;
  stretch.is_open = item.is_open;
  if (now.thread != Actor::kNone) {
    stretch.state = shown(ThreadState::kRunning, now.is_collecting);
    stretch.thread = thread_text(timeline.actors(), now.thread);
  }
  const Actors& actors = timeline.actors();
  stretch.cpu = cell_text(report::actor_cell(actors, actors.cpus(), cpu), CellKind::kText, true);
  take_(stretch);
}

}  // namespace evt::tools
