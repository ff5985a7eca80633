#include "loss_rows.h"

#include "column_kinds.h"
#include "libtrace-read/text/enum_names.h"
#include "libtrace-read/text/session_key.h"
#include "utc_by_start.h"

namespace evt {

Table lost_table() {
  return {
      "lost",
      "Events that were lost.",
      {session_column(), count_column("stream", "id of their stream; null: not known"),
       word_column("cause",
                   "why the writer had no room for them, as ring_full; missing: they were written and cannot be read"),
       count_column("events", "number of events"), time_column("time", "when the first may have been"),
       ns_column("from_ns", "the same, since the session's start"),
       ns_column("to_ns", "when the last was; null: not known")}};
}

void add_lost_row(const Event& event, RowsInMaking* rows) {
  const auto count = event.value("count");
  const auto cause = event.value("cause");
  const auto duration = event.value("duration");
  const std::int64_t from_ns = event.ns() - (duration ? event.delta_to_ns(duration->as_signed()) : 0);
  NewRow row = rows->add();
  row.number(session_key(event.session())).number(event.stream().id);
  const std::uint64_t number = cause ? cause->as_unsigned() : 0;
  const Field::Label* const label = cause ? cause->field().label(number) : nullptr;
  row.text(label != nullptr ? label->text : "cause " + std::to_string(number));
  row.number(count ? count->as_unsigned() : 0).time(event.ns_to_utc(from_ns)).ns(from_ns).ns(event.ns());
}

void add_missing_rows(const Trace& trace, std::size_t number, const TimeRange& range, RowsInMaking* rows) {
  const Session& session = trace.sessions()[number];
  for (const MissingRows& missing : trace.missing()) {
    const std::int64_t to_ns = missing.or_later ? INT64_MAX : missing.to_ns;
    if (missing.session != number || to_ns < range.from_ns || missing.from_ns > range.to_ns) continue;
    NewRow row = rows->add();
    row.number(session_key(session)).number_unless_0(missing.stream).text("missing").number(missing.rows);
    row.time(utc_by_start(session, missing.from_ns)).ns(missing.from_ns);
    if (missing.or_later) {
      row.null();
    } else {
      row.ns(missing.to_ns);
    }
  }
}

}  // namespace evt
