// Events that were lost, and rows that are missing.
#pragma once

#include <evt/trace.h>

#include "rows_in_making.h"

namespace evt {

Table lost_table();
// REQUIRES: the event is_lost().
void add_lost_row(const Event& event, RowsInMaking* rows);
// For a session whose rows were all read: adds the missing ones that overlap the range. `number`: index among the
// trace's.
void add_missing_rows(const Trace& trace, std::size_t number, const TimeRange& range, RowsInMaking* rows);

}  // namespace evt
