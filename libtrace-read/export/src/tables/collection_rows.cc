// Collections of garbage.
#include <map>
#include <utility>

#include "column_kinds.h"
#include "item_rows.h"

namespace evt {
namespace {

class CollectionRows : public ItemRows {
 public:
  void begin_session(Timeline& timeline, std::int64_t from_ns) override {
    ItemRows::begin_session(timeline, from_ns);
    began_.clear();
  }

  // An event of any stream may close it, so the time is kept from its begin. If the stream has begun the next one
  // since, it is that of the session.
  void take(const TimelineItem& item, RowsInMaking* rows) override {
    if (item.kind == ItemKind::kCollectorBegan) began_[item.stream] = {item.began_ns, utc_ns(item, item.began_ns)};
    if (item.kind != ItemKind::kCollection || is_before(item.ended_ns)) return;
    const auto [ns, began_utc_ns] = began_[item.stream];
    add(item, ns == item.began_ns ? began_utc_ns : utc_by_start(session(), item.began_ns), rows);
  }

 private:
  void add(const TimelineItem& item, std::int64_t utc_ns, RowsInMaking* rows) const {
    NewRow row = rows->add();
    row.number(session_key(session())).number(item.stream->id);
    add_part(*item.stream, &row);
    item.value != Timeline::kNoGeneration ? row.number(item.value) : row.null();
    item.name != EventNames::kNone ? row.text(timeline().names().text(item.name)) : row.null();
    row.time(utc_ns).ns(item.began_ns);
    item.is_cut || item.is_open ? row.null() : row.ns(item.ended_ns);
    row.text(item.is_cut ? "cut" : item.is_open ? "open" : "ended");
  }

  std::map<const StreamInfo*, std::pair<std::int64_t, std::int64_t>> began_;  // the latest: ns, UTC
};

}  // namespace

ItemTable collections_table() {
  return {
      {"collections",
       "Garbage collections, in the order in which they are known to be over; one if several streams collect together.",
       {session_column(), never_null(count_column("stream", "id of the stream that led it, or was the only one")),
        part_column(), count_column("generation", "which generation was collected; null: not stated"),
        word_column("reason", "why; null: not stated"), time_column("time", "when it began"),
        never_null(ns_column("begin_ns", "the same, since the session's start")),
        ns_column("end_ns", "when it ended; null: its end was not recorded"),
        never_null(word_column("outcome",
                               "ended; open: it continues after the end of the session or range; cut: the next "
                               "began on its stream"))}},
      new_rows<CollectionRows>};
}

}  // namespace evt
