// Values of counters.
#include <evt/analysis/counters.h>

#include <optional>

#include "column_kinds.h"
#include "item_rows.h"

namespace evt {
namespace {

class CounterRows : public ItemRows {
 public:
  RoleSet rows() const override { return {Role::kCounter, Role::kCounterTotal, Role::kCounterDelta}; }

  void begin_session(Timeline& timeline, std::int64_t from_ns) override {
    ItemRows::begin_session(timeline, from_ns);
    counters_.emplace(session(), timeline.names());
  }

  void take(const TimelineItem& item, RowsInMaking* rows) override {
    const std::uint32_t place = counters_->take(item);
    if (place == Counters::kNone || is_before(item.ns)) return;
    const Counters::Counter& counter = counters_->all()[place];
    NewRow row = rows->add();
    row.number(session_key(session())).number(counter.stream->id).text(counter.name).text_unless_empty(counter.unit);
    row.time(utc_ns(item, item.ns)).ns(item.ns).real(counter.value);
  }

 private:
  std::optional<Counters> counters_;
};

}  // namespace

ItemTable counters_table() {
  return {{"counters",
           "Values of counters, each from its time on.",
           {session_column(), never_null(count_column("stream", "id of the stream that counts")),
            never_null(word_column("name", "name of the counter")),
            word_column("unit", "unit of the value, such as ns or B"),
            time_column("time", "since when the counter has the value"),
            never_null(ns_column("ns", "the same, since the session's start")),
            never_null(column(ColumnKind::kFloat, "value", "the value; the sum, where the trace has differences"))}},
          new_rows<CounterRows>};
}

}  // namespace evt
