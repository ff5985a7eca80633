#include "past.h"

namespace evt {

void Past::take(const TimelineItem& item, EventNames* names) {
  uncertain_.take(item);
  if (item.kind == ItemKind::kEnded) resources_[item.thread].remove(item.depth);
  if (item.kind != ItemKind::kBegan) return;
  std::uint32_t& resource = grown(&resources_, item.thread).add();
  resource = EventNames::kNone;
  if (!item.is_call) return;
  if (item.call != nullptr) resource = item.call->resource;
  if (item.event != nullptr) resource = names->said_by(*item.event->event, Role::kResource);
}

void Past::archive(Archive& archive, std::size_t threads, std::size_t names) {
  uncertain_.archive(archive, threads);
  archive.list(resources_, threads, [&](OpenStack<std::uint32_t>& stack) {
    archive.list(stack, Archive::kMost, [&](std::uint32_t& resource) { archive.index(resource, names); });
  });
}

std::uint32_t Past::resource(std::uint32_t thread, std::uint32_t depth) const {
  const bool is_there = thread < resources_.size() && depth < resources_[thread].size();
  return is_there ? resources_[thread][depth] : EventNames::kNone;
}

}  // namespace evt
