// Asynchronous spans.
#include <algorithm>
#include <map>
#include <tuple>

#include "column_kinds.h"
#include "item_rows.h"

namespace evt {
namespace {

class AsyncSpanRows : public ItemRows {
 public:
  void begin_session(Timeline& timeline, std::int64_t from_ns) override {
    ItemRows::begin_session(timeline, from_ns);
    began_utc_ns_.clear();
  }

  void take(const TimelineItem& item, RowsInMaking* rows) override {
    if (item.kind == ItemKind::kAsyncBegan) {
      began_utc_ns_[{item.stream, item.value, item.began_ns}] = utc_ns(item, item.began_ns);
    } else if (item.kind == ItemKind::kAsyncEnded) {
      const std::int64_t began_utc_ns = take_began_utc_ns(item);
      if (!is_before(std::max(item.ns, item.ended_ns))) add(item, began_utc_ns, rows);
    }
  }

 private:
  using Key = std::tuple<const StreamInfo*, std::uint64_t, std::int64_t>;  // where it began, its id, and when

  // By the clock of its begin.
  std::int64_t take_began_utc_ns(const TimelineItem& item) {
    const auto known = began_utc_ns_.find({item.stream, item.value, item.began_ns});
    if (known == began_utc_ns_.end()) return utc_ns(item, item.began_ns);
    const std::int64_t ns = known->second;
    began_utc_ns_.erase(known);
    return ns;
  }

  void add(const TimelineItem& item, std::int64_t began_utc_ns, RowsInMaking* rows) const {
    const bool has_ended = !item.is_open && !item.is_cut;
    NewRow row = rows->add();
    row.number(session_key(session())).text(timeline().names().text(item.name)).number(item.value);
    row.number(item.stream->id);
    has_ended ? row.number(item.event->stream->id) : row.null();
    add_part(*item.stream, &row);
    row.time(began_utc_ns).ns(item.began_ns);
    has_ended ? row.ns(item.ended_ns) : row.null();
    if (has_ended && !is_before(item.began_ns)) {
      row.number(static_cast<std::uint64_t>(std::max(item.began_ns, item.ended_ns)) -
                 static_cast<std::uint64_t>(item.began_ns));
    } else {
      row.null();
    }
    row.text(item.is_cut ? "cut" : item.is_open ? "open" : "ended").yes(item.is_uncertain);
  }

  std::map<Key, std::int64_t> began_utc_ns_;  // begins of the open ones
};

}  // namespace

ItemTable async_spans_table() {
  return {
      {"async_spans",
       "Asynchronous spans, which may end on another stream, in the order in which they end.",
       {session_column(), never_null(word_column("name", "name of the span")),
        never_null(count_column("id", "id that pairs its begin and end")),
        never_null(count_column("stream", "id of the stream on which it began")),
        count_column("end_stream", "id of the stream on which it ended; null: its end was not recorded"), part_column(),
        time_column("time", "when it began"), never_null(ns_column("begin_ns", "the same, since the session's start")),
        ns_column("end_ns", "when it ended; null: its end was not recorded"),
        count_column("duration_ns",
                     "time from start to end, including stops of the process; null: it has not ended, or "
                     "began before the range",
                     "ns"),
        never_null(word_column("outcome",
                               "ended; open: it continues after the end of the session or range; cut: more than "
                               "65,536 were open")),
        never_null(yes_column("uncertain", "events were lost during that time, so its end may be that of another"))}},
      new_rows<AsyncSpanRows>};
}

}  // namespace evt
