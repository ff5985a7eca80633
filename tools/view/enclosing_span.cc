#include "enclosing_span.h"

namespace evt::tools {

EnclosingSpan::EnclosingSpan(Timeline& timeline, const view::SpanRows& open) : EnclosingSpan(timeline) {
  open.each_open([&](std::uint32_t thread, const view::SpanRows::OpenSpan& each) {
    TimelineItem item;
    item.kind = ItemKind::kBegan;
    item.thread = thread;
    item.name = each.name;
    item.is_call = each.is_call;
    item.began_ns = item.ns = each.began_ns;
    item.stream = timeline.actors().session().streams.data();
    selves_.take(item);
    begin(item);
  });
  were_open_ = began_;
}

void EnclosingSpan::take(const TimelineItem& item) {
  if (item.kind == ItemKind::kRow) is_at_event_ = is_at_event_ && item.event->is_facet;
  if (is_expected_) {
    is_expected_ = false;
    has_event_ = is_at_event_ = true;
    // An event without a role has no thread of its own.
    thread_ = item.thread != Actor::kNone ? item.thread : timeline_->actors().thread_of(*item.stream);
    if (open_.has_any(thread_)) wanted_ = open_.of(thread_).innermost().number;
  }
  if (item.kind == ItemKind::kEnded) return end(item);
  selves_.take(item);
  if (item.kind == ItemKind::kBegan) begin(item);
}

void EnclosingSpan::want(std::uint64_t number) {
  wanted_ = number;
  has_event_ = true;
  found_.reset();
}

// What the event itself begins is around it.
void EnclosingSpan::begin(const TimelineItem& item) {
  open_.begin(item) = {++began_, item.name, item.began_ns};
  if (is_at_event_ && item.event != nullptr && item.thread == thread_) wanted_ = began_;
}

void EnclosingSpan::end(const TimelineItem& item) {
  const Frame& frame = open_.end(item);
  if (wanted_ != frame.number) return selves_.take(item);
  std::vector<Around> around;
  for (std::uint32_t depth = 0; depth < item.depth; ++depth) {
    const Frame& each = open_.of(item.thread)[depth];
    around.push_back({timeline_->names().text(each.name), each.began_ns});
  }
  found_ = {timeline_->names().text(frame.name),
            item.thread,
            std::move(around),
            frame.began_ns,
            item.ended_ns,
            selves_.end(item),
            item.is_open || item.is_cut,
            frame.number <= were_open_};
  wanted_.reset();
}

}  // namespace evt::tools
