// Encoders of the records inside metadata blocks (FORMAT.md, section 6), each appended to a buffer.
#pragma once

#include <evt/describe.h>

#include <cstdint>

#include "format-spec/src/base/buffer.h"

namespace evt {

struct ClockRecord {
  std::uint16_t id = 0;
  std::uint8_t kind = EVT_CLOCK_OTHER;
  std::uint64_t hz = 0;  // ticks per second, times hz_denominator
  std::uint64_t start_ticks = 0;
  std::int64_t start_ns = 0;  // the same moment on the session's time scale
  std::uint64_t tolerance_ns = 0;
  std::uint32_t hz_denominator = 1;
};

struct SyncRecord {
  std::uint16_t clock_id = 0;
  std::uint16_t flags = 0;  // enum evt_sync_flag
  std::uint64_t ticks = 0;
  std::int64_t ns = 0;
  std::int64_t utc_ns = 0;
  std::uint64_t rows_before = 0;
  std::uint64_t lost_before = 0;
  std::uint64_t uncertainty_ns = 0;
};

struct TrailerRecord {
  std::uint64_t session_size = 0;
  std::uint64_t index_distance = 0;
  std::uint64_t rows = 0;
  std::uint64_t lost = 0;
  // In segments after the first: `rows` and `lost` are the segment's, these are totals so far.
  bool continued = false;
  std::uint64_t rows_so_far = 0;
  std::uint64_t lost_so_far = 0;
};

void append_session(Buffer& out, const evt_session_info& session, std::int64_t start_ns);
void append_clock(Buffer& out, const ClockRecord& clock, const evt_session_info& session);
// Turns a payload of append_clock() into that of another epoch of the clock.
void restart_clock(std::uint8_t* payload, std::uint16_t id, std::uint64_t start_ticks, std::int64_t start_ns);
void append_sync(Buffer& out, const SyncRecord& sync);
void append_trailer(Buffer& out, const TrailerRecord& trailer);

// One record each; the block's payload is a u32 count, then the records.
void append_type_record(Buffer& out, const evt_event_type& type, std::uint32_t number);
void append_stream_record(Buffer& out, const evt_stream_info& stream);
void append_string_record(Buffer& out, std::uint32_t id, const void* text, std::uint32_t size);
// REQUIRES: a key of 1 to EVT_MAX_FACT_KEY bytes, a value of at most EVT_MAX_FACT_VALUE.
void append_fact_record(Buffer& out, const evt_fact_info& fact);

// The payload size that every row of the type has, or EVT_SIZE_VARIABLE.
std::uint16_t fixed_payload_size(const evt_event_type& type);

}  // namespace evt
