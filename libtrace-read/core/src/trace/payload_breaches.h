// Payloads of metadata blocks, SYNC, TRAILER, SEGMENT and INDEX: fixed parts, records and fields, as FORMAT.md has them
// for writers of this version.
#pragma once

#include "breach_list.h"
#include "libtrace-read/core/src/base/cursor.h"

namespace evt {

// What cannot be read at all is left to the code that reads it. `rows`: those of the blocks before it in its segment.
void find_payload_breaches(const Block& block, Bytes payload, std::uint64_t rows, BreachList* breaches);

// What a type states of its fields. `block`: has its record.
void find_type_breaches(const Block& block, const EventType& type, BreachList* breaches);

}  // namespace evt
