// The number of a session in tables.
#pragma once

#include <evt/little_endian.h>
#include <evt/session.h>

namespace evt {

// The first 8 bytes of its uuid, in the order that people read: the same in all tables of all traces.
inline std::uint64_t session_key(const Session& session) {
  return __builtin_bswap64(evt_load_u64(session.uuid.data()));
}

}  // namespace evt
