// Events as CSV (RFC 4180): ns, stream, event, then a column for each field that an event of these traces may have, and
// `rest` for bytes that no field describes; with DataOptions columns delta_ns, utc and local after ns; with several
// files or sessions the first columns are file and session; after stream a column stream_id if streams of one session
// share a name, and stream_thread if a stream has one. Values as in value_json(), text without its quotes; an array is
// one value. A control character or another that a terminal must not get becomes a backslash, an x and two hexadecimal
// digits, and a backslash stays itself: JSON keeps a text exactly.
#pragma once

#include <evt/export/json_lines.h>

#include <functional>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Fields of types for which `wanted` returns true get columns. Refers to the traces.
std::unique_ptr<EventLines> csv_lines(const DataOptions& options, const std::vector<const Trace*>& traces,
                                      const std::function<bool(const EventType&)>& wanted);

}  // namespace evt
#pragma GCC visibility pop
