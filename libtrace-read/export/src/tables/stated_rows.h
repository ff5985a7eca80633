// Tables of the metadata of traces, and of events that were lost and rows that are missing.
#pragma once

#include <evt/trace.h>

#include "rows_in_making.h"

namespace evt {

Table sessions_table();
Table attributes_table();
Table streams_table();
Table types_table();

// `trace`: its index among those that are read, `number`: of the session in it.
void add_session_row(const Session& session, std::size_t trace, std::size_t number, RowsInMaking* rows);
void add_attribute_rows(const Session& session, RowsInMaking* rows);
void add_stream_rows(const Session& session, RowsInMaking* rows);
// Reads the events of a session whose index does not count them.
void add_type_rows(Trace& trace, const Session& session, RowsInMaking* rows);

Table lost_table();
// REQUIRES: the event is_lost().
void add_lost_row(const Event& event, RowsInMaking* rows);
// For a session whose rows were all read: adds the missing ones that overlap the range. `number`: index among the
// trace's.
void add_missing_rows(const Trace& trace, std::size_t number, const TimeRange& range, RowsInMaking* rows);

}  // namespace evt
