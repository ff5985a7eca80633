#include "span_search.h"

#include <algorithm>

#include "thread_text.h"

namespace evt::tools {

// From a mark on, to the end of the span that is found.
class SpanSearch::Pass {
 public:
  Pass(const EventRows& rows, std::uint32_t group, const Mark* from, std::int64_t ns, FindEvent find)
      : rows_(rows), group_(group), from_(from), ns_(ns), find_(find) {}

  // False: nothing behind it matters.
  bool take(Timeline& timeline, const TimelineItem& item) {
    if (!span_) begin(timeline);
    if (is_behind(item)) is_chosen_ = true;
    pass_->take(timeline, item);
    span_->take(item);
    const bool may_be = !is_chosen_ && item.kind == ItemKind::kBegan && is_on_row();
    if (may_be && (find_ != FindEvent::kNext || item.ns > ns_)) choose(timeline, item);
    if (has_candidate_ && span_->is_done() && !thread_) end(timeline, item);
    return !(is_chosen_ && (!has_candidate_ || span_->is_done()));
  }

  bool has_candidate() const { return has_candidate_; }
  // Of what began before the mark, when it did; what is found is not all of it.
  std::optional<std::int64_t> began_before() const {
    if (!has_candidate_ || !span_->found() || !span_->found()->was_open) return std::nullopt;
    return span_->found()->from_ns;
  }
  std::optional<Found> found() const {
    if (!has_candidate_ || !event_ || !span_->found()) return std::nullopt;
    return Found{*event_, *span_->found(), thread_.value_or(""), object_};
  }

 private:
  void begin(Timeline& timeline) {
    pass_.emplace(rows_, timeline, from_);
    if (from_ == nullptr) return void(span_.emplace(timeline));
    span_.emplace(timeline, from_->rows->spans());
    if (find_ == FindEvent::kNext) return;
    std::uint64_t number = 0;
    from_->rows->spans().each_open([&](std::uint32_t, const view::SpanRows::OpenSpan& open) {
      ++number;
      if (rows_.group_of(open.place) != group_) return;
      span_->want(number);
      has_candidate_ = true;
    });
  }

  bool is_on_row() const { return rows_.group_of(pass_->latest_span()) == group_; }
  bool is_behind(const TimelineItem& item) const {
    return (find_ == FindEvent::kAt && item.ns > ns_) || (find_ == FindEvent::kPrevious && item.ns >= ns_);
  }

  void choose(Timeline& timeline, const TimelineItem& item) {
    span_->want(span_->begun());
    object_ = pass_->object_of(timeline, item);
    has_candidate_ = true;
    is_chosen_ = find_ == FindEvent::kNext;
    thread_.reset();
    event_.reset();
    if (item.event != nullptr) event_.emplace(*item.event->event);
  }

  // One event may have recorded all of it, at its end.
  void end(Timeline& timeline, const TimelineItem& item) {
    thread_ = thread_text(timeline.actors(), item.thread);
    if (!event_ && item.event != nullptr) event_.emplace(*item.event->event);
  }

  const EventRows& rows_;
  std::uint32_t group_;
  const Mark* from_;
  std::int64_t ns_;
  FindEvent find_;
  std::optional<EventRows::Pass> pass_;
  std::optional<EnclosingSpan> span_;
  bool has_candidate_ = false;
  bool is_chosen_ = false;  // no other can be the one
  std::optional<EventFacts> event_;
  std::optional<std::string> thread_;  // once it has ended
  std::string object_;
};

// What began before a mark is read again from before its begin: there are its event and its self time.
std::optional<SpanSearch::Found> SpanSearch::on_row(std::uint32_t row, std::int64_t ns, FindEvent find) {
  for (const Mark* from = tiles_->mark_before(ns);;) {
    Pass pass(rows_, rows_.group_of(row), from, ns, find);
    const auto take = [&](Timeline& timeline, const TimelineItem& item) {
      return pass.take(timeline, item) && patience_->lasts();
    };
    tiles_->each_item(INT64_MAX, take, from);
    const std::optional<std::int64_t> began = pass.began_before();
    const bool is_earlier = began || (!pass.has_candidate() && find != FindEvent::kNext);
    if (!is_earlier || from == nullptr || !patience_->lasts()) return pass.found();
    from = tiles_->mark_before(std::min(began.value_or(INT64_MAX), from->timeline.ns()));
  }
}

}  // namespace evt::tools
