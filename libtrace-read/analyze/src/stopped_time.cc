#include "stopped_time.h"

#include "parts.h"

namespace evt {

StoppedTime::StoppedTime(Timeline& timeline)
    : timeline_(&timeline),
      sleep_(timeline.names().of_text("sleep")),
      stopped_(timeline.actors().session().parts.size() + 1) {}

void StoppedTime::take(const TimelineItem& item) {
  switch (item.kind) {
    case ItemKind::kThread: {
      Thread& thread = grown(&threads_, item.thread);
      thread.is_stopped = is_stopped(timeline_->actors().threads()[item.thread].part);
      thread.since_ns = item.ns;
      break;
    }
    case ItemKind::kState: {
      if (item.is_open) break;
      Thread& thread = grown(&threads_, item.thread);
      settle(&thread, item.ns);
      // Why it does not run may not be known.
      thread.waits = item.state == ThreadState::kWaiting || item.state == ThreadState::kUnknown;
      break;
    }
    case ItemKind::kStopBegan:
    case ItemKind::kStopEnded:
      stop(item);
      break;
    case ItemKind::kFold:
      for (const std::uint32_t thread : item.event->fold->all()) {
        if (thread < threads_.size()) threads_[thread] = Thread();
      }
      break;
    default:
      break;
  }
}

void StoppedTime::set_sleeping(std::uint32_t index, bool is_sleeping, std::int64_t ns) {
  Thread& thread = grown(&threads_, index);
  if (thread.is_sleeping == is_sleeping) return;
  settle(&thread, ns);
  thread.is_sleeping = is_sleeping;
}

bool StoppedTime::sleeps(const TimelineItem& call) {
  if (call.call != nullptr) return call.call->resource == sleep_;
  return call.event != nullptr && timeline_->names().said_by(*call.event->event, Role::kResource) == sleep_;
}

void StoppedTime::settle(Thread* thread, std::int64_t ns) const {
  if (!thread->is_stopped) return;
  if (ns > thread->since_ns && !thread->waits && !thread->is_sleeping) thread->lost_ns += length(thread->since_ns, ns);
  thread->since_ns = ns;
}

// Of its part of a merged session: others are other processes.
void StoppedTime::stop(const TimelineItem& item) {
  if (item.depth > 0) return;  // two at a time are one
  const bool begins = item.kind == ItemKind::kStopBegan;
  stopped_[item.part + std::uint32_t{1}] = begins;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (i == Actor::kOthers || timeline_->actors().threads()[i].part != item.part) continue;
    settle(&threads_[i], item.ns);
    threads_[i].is_stopped = begins;
    threads_[i].since_ns = item.ns;
  }
}

std::uint64_t StoppedTime::ns(std::uint32_t thread, std::int64_t until_ns) const {
  if (thread >= threads_.size()) return 0;
  Thread now = threads_[thread];
  settle(&now, until_ns);
  return now.lost_ns;
}

}  // namespace evt
