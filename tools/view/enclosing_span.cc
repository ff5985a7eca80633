#include "enclosing_span.h"

#include <algorithm>

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
    spans_.take(item);
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
  spans_.take(item);
  if (item.kind == ItemKind::kBegan) begin(item);
}

// What the event itself begins is around it.
void EnclosingSpan::begin(const TimelineItem& item) {
  open_.begin(item) = {++began_, item.name, item.began_ns};
  if (is_at_event_ && item.event != nullptr && item.thread == thread_) wanted_ = began_;
}

// Of what no event ended, the self time is that of one that ends now.
void EnclosingSpan::end(const TimelineItem& item) {
  const Frame& frame = open_.end(item);
  if (wanted_ != frame.number) return spans_.take(item);
  TimelineItem ended = item;
  ended.is_open = ended.is_cut = false;
  const std::uint64_t before = self_of(item);
  spans_.take(ended);
  found_ = {timeline_->names().text(frame.name),
            frame.began_ns,
            item.ended_ns,
            self_of(item) - before,
            item.is_open || item.is_cut,
            frame.number <= were_open_};
  wanted_.reset();
}

// Of all that have this name, so far.
std::uint64_t EnclosingSpan::self_of(const TimelineItem& item) const {
  const std::vector<Spans::Row>& rows = spans_.rows(item.is_call ? SpanKind::kCall : SpanKind::kSpan);
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const Spans::Row& each) { return each.name == item.name; });
  return row != rows.end() ? row->self_ns : 0;
}

}  // namespace evt::tools
