// Events as CSV (RFC 4180): ns, stream, event, then a column for each field that an event of these traces may have, and
// `rest` for bytes that no field describes. With --utc a column utc; several files or sessions add file, session.
// Values as plain_value.h has them; an array is one value, as in JSON. Control characters and others that a terminal
// must not get are \xHH, as in append_harmless, and a backslash is itself: who needs a text exactly takes JSON.
#pragma once

#include <evt/export/json_lines.h>

#include <functional>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Fields of types for which `wanted` is true have columns. Refers to the traces.
std::unique_ptr<EventLines> csv_lines(const DataOptions& options, const std::vector<const Trace*>& traces,
                                      const std::function<bool(const EventType&)>& wanted);

}  // namespace evt
#pragma GCC visibility pop
