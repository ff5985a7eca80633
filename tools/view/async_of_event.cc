#include "async_of_event.h"

namespace evt::tools {
namespace {

bool are_of_one_span(const TimelineItem& a, const TimelineItem& b) {
  return a.part == b.part && a.value == b.value && a.name == b.name && a.began_ns == b.began_ns;
}

}  // namespace

void AsyncOfEvent::take(const TimelineItem& item) {
  if (item.kind == ItemKind::kRow) is_at_event_ = is_at_event_ && item.event->is_facet;
  if (is_expected_) {
    is_expected_ = false;
    is_at_event_ = true;
  }
  if (item.kind == ItemKind::kAsyncBegan && is_at_event_) begun_ = item;
  if (item.kind != ItemKind::kAsyncEnded) return;
  const bool is_its = begun_ ? are_of_one_span(*begun_, item) : is_at_event_ && !item.is_cut;
  if (!is_its) return;
  begun_.reset();
  found_ = {timeline_->names().text(item.name), item.value, item.stream->name, item.began_ns, item.ended_ns,
            item.is_open || item.is_cut};
}

}  // namespace evt::tools
