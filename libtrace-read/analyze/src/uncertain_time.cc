#include "uncertain_time.h"

#include <algorithm>

namespace evt {

void UncertainTime::doubt(const TimelineItem& item) {
  Thread& thread = grown(&threads_, item.thread);
  thread.has_state = item.state != ThreadState::kUnknown;
  if (thread.since_ns == kCertain) ++uncertain_;
  thread.since_ns = std::min(thread.since_ns, std::max(item.began_ns, from_ns_));
}

void UncertainTime::look_for_end(const TimelineItem& item) {
  switch (item.kind) {
    case ItemKind::kState:
    case ItemKind::kIdleThread:
      if (!item.is_open) settle(item.thread, item.ns);
      break;
    case ItemKind::kBegan:
    case ItemKind::kEnded:
    case ItemKind::kUnmatchedEnd:
      if (item.is_open || item.thread >= threads_.size() || threads_[item.thread].has_state) break;
      return settle(item.thread, item.ns);
    case ItemKind::kFold:
      for (const std::uint32_t thread : item.event->fold->all()) settle(thread, item.ns);
      break;
    default:
      break;
  }
}

void UncertainTime::settle(std::uint32_t thread, std::int64_t ns) {
  if (thread >= threads_.size() || threads_[thread].since_ns == kCertain) return;
  ns_ += ns > threads_[thread].since_ns ? length(threads_[thread].since_ns, ns) : 0;
  threads_[thread].since_ns = kCertain;
  --uncertain_;
}

void UncertainTime::restart(std::int64_t ns) {
  from_ns_ = ns;
  ns_ = 0;
  for (Thread& thread : threads_) {
    if (thread.since_ns != kCertain) thread.since_ns = std::max(thread.since_ns, ns);
  }
}

std::uint64_t UncertainTime::ns(std::int64_t until_ns) const {
  std::uint64_t ns = ns_;
  for (const Thread& thread : threads_) {
    if (thread.since_ns < until_ns) ns += length(thread.since_ns, until_ns);
  }
  return ns;
}

void UncertainTime::archive(Archive& archive, std::size_t threads) {
  archive.list(threads_, threads, [&](Thread& thread) {
    archive.numbers(thread.since_ns, thread.has_state);
    if (archive.is_reading() && thread.since_ns != kCertain) ++uncertain_;
  });
}

void UncertainTime::begin(TimelineItem at, TimelineItems* items) const {
  at.kind = ItemKind::kUncertain;
  for (at.thread = 0; at.thread < threads_.size(); ++at.thread) {
    const Thread& thread = threads_[at.thread];
    if (thread.since_ns == kCertain) continue;
    at.state = thread.has_state ? ThreadState::kRunnable : ThreadState::kUnknown;
    at.began_ns = thread.since_ns;
    items->append(at);
  }
}

}  // namespace evt
