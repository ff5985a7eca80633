// The number of a session in tables, and UTC of its moments.
#pragma once

#include <evt/little_endian.h>
#include <evt/session.h>

#include <cstdint>

namespace evt {

// UTC of a moment of a session where no clock is at hand that was compared with it later: as if UTC had gone on since
// its start without a step. Clamped to what 64 bits hold.
inline std::int64_t utc_by_start(const Session& session, std::int64_t ns) {
  std::int64_t utc_ns = 0;
  if (!__builtin_add_overflow(session.start_utc_ns, ns, &utc_ns)) return utc_ns;
  return ns < 0 ? INT64_MIN : INT64_MAX;
}

// The first 8 bytes of its uuid, as people read them: the same in all tables of all traces.
inline std::uint64_t session_key(const Session& session) {
  return __builtin_bswap64(evt_load_u64(session.uuid.data()));
}

}  // namespace evt
