#include "imported_session.h"

#include "format-spec/src/session/metadata_records.h"
#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt {

void add_imported_session(const evt_session_info& session, std::uint64_t start_ticks, TraceOutput* out) {
  Buffer payload;
  append_session(payload, session, 0);
  out->add_metadata(EVT_BLOCK_SESSION, bytes_of(payload));
  payload.clear();
  ClockRecord clock;
  clock.id = kImportedClock;
  clock.hz = 1'000'000'000;
  clock.start_ticks = start_ticks;
  append_clock(payload, clock, session);
  out->add_metadata(EVT_BLOCK_CLOCK, bytes_of(payload));
}

}  // namespace evt
