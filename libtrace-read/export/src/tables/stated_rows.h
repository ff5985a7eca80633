// Tables of what traces state of themselves, and of what they lack.
#pragma once

#include <evt/trace.h>

#include "rows_in_making.h"

namespace evt {

Table sessions_table();
Table attributes_table();
Table streams_table();
Table types_table();

// `trace`: which of those that are read it is, `number`: which of its sessions.
void add_session_row(const Session& session, std::size_t trace, std::size_t number, RowsInMaking* rows);
void add_attribute_rows(const Session& session, RowsInMaking* rows);
void add_stream_rows(const Session& session, RowsInMaking* rows);
// Reads the events of a session whose index does not count them.
void add_type_rows(Trace& trace, const Session& session, RowsInMaking* rows);

// Events that were lost, and rows that are missing.
Table lost_table();
// REQUIRES: the event is_lost().
void add_lost_row(const Event& event, RowsInMaking* rows);
// Of a session whose rows were all read, those that are missing and reach into the range. `number`: which of the
// trace's.
void add_missing_rows(const Trace& trace, std::size_t number, const TimeRange& range, RowsInMaking* rows);

}  // namespace evt
