// Converts Cap'n Proto messages of a trace to plain structs. A damaged message gives what could be read, and false.
#pragma once

#include <evt/session.h>

#include <functional>

#include "format-spec/src/block/index_entries.h"

namespace evt {

bool read_session_info(Bytes message, Session* out);
bool read_clock_info(Bytes message, ClockInfo* out);
bool read_stream_info(Bytes message, StreamInfo* out);
// One by one: an index may have a great many.
bool read_index_info(Bytes message, const std::function<void(const IndexedStream&)>& take);
bool read_event_type_info(Bytes message, Role* role, std::vector<Field>* fields, TypeMeaning* meaning);
// Names of fields of which such a message states what does not go with their kind, or more than is allowed: reading
// leaves that out.
std::vector<std::string> overstated_fields(Bytes message);

}  // namespace evt
