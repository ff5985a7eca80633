// Spans and calls, each with its enclosing one.
#include <evt/analysis/spans.h>
#include <evt/open_stack.h>

#include <optional>

#include "column_kinds.h"
#include "item_rows.h"

namespace evt {
namespace {

class SpanRows : public ItemRows {
 public:
  void begin_session(Timeline& timeline, std::int64_t from_ns) override {
    ItemRows::begin_session(timeline, from_ns);
    open_.clear();
    begun_ = 0;
    Spans::Options options;
    options.each = [this](const TimelineItem&, const Spans::Instance& instance) { instance_ = instance; };
    spans_.emplace(timeline, options);
  }

  void take(const TimelineItem& item, RowsInMaking* rows) override {
    instance_.reset();
    spans_->take(item);
    if (item.kind == ItemKind::kBegan) {
      open_.begin(item) = {++begun_, utc_ns(item, item.began_ns)};
    } else if (item.kind == ItemKind::kEnded) {
      const std::uint64_t parent = item.depth > 0 ? open_.of(item.thread)[item.depth - 1].id : 0;
      Open& ended = open_.end(item);
      // One that is recorded as a whole begins without its event.
      if (item.is_complete) ended.began_utc_ns = utc_ns(item, item.began_ns);
      if (!is_before(std::max(item.ns, item.ended_ns))) add(item, ended, parent, rows);
    }
  }

 private:
  struct Open {
    std::uint64_t id = 0;
    std::int64_t began_utc_ns = 0;
  };

  // `parent`: the id of the enclosing one; 0: none.
  void add(const TimelineItem& item, const Open& ended, std::uint64_t parent, RowsInMaking* rows) const {
    NewRow row = rows->add();
    row.number(session_key(session())).number(ended.id).number_unless_0(parent).number(item.depth);
    row.text(item.is_call ? "call" : "span").text(timeline().names().text(item.name)).number(item.stream->id);
    add_thread(item.thread, &row);
    row.time(ended.began_utc_ns).ns(item.began_ns);
    const bool has_ended = instance_.has_value();
    if (!has_ended) {
      row.null().null().null();
    } else if (is_before(item.began_ns)) {
      row.ns(item.ended_ns).null().null();
    } else {
      row.ns(item.ended_ns).number(instance_->place.ns).number(instance_->self_ns);
    }
    row.text(has_ended ? "ended" : item.is_open ? "open" : "cut").yes(item.is_uncertain);
    add_created(item.thread, &row);
  }

  std::optional<Spans> spans_;
  std::optional<Spans::Instance> instance_;  // that the item ended
  OpenStacks<Open> open_;
  std::uint64_t begun_ = 0;
};

}  // namespace

ItemTable spans_table() {
  return {
      {"spans", "Spans and calls of threads.",
       joined({{session_column(),
                never_null(count_column("id", "number of the span in its session, in order of their start, from 1 on")),
                count_column("parent", "id of the enclosing span or call; null: none"),
                never_null(count_column("depth", "number of enclosing spans and calls")),
                never_null(word_column("kind", "span or call")),
                never_null(word_column("name", "name of the span or called function")),
                never_null(count_column("stream", "id of the stream on which it began"))},
               thread_columns(),
               {time_column("time", "when it began"),
                never_null(ns_column("begin_ns", "the same, since the session's start")),
                ns_column("end_ns", "when it ended; null: its end was not recorded"),
                count_column("duration_ns",
                             "time from start to end, without stops of the process; null: it "
                             "has not ended, or began before the range",
                             "ns"),
                count_column("self_ns", "the part of that without nested spans and calls", "ns"),
                never_null(word_column(
                    "outcome",
                    "ended; open: it continues after the end of the session or range; cut: the enclosing span ended")),
                never_null(
                    yes_column("uncertain", "events were lost during that time, so its end may be that of another")),
                created_column()}})},
      new_rows<SpanRows>};
}

}  // namespace evt
