// UTC for times without a clock that was compared with it later.
#pragma once

#include <evt/session.h>

#include <cstdint>

namespace evt {

// UTC of a moment of a session, as if UTC had not stepped since its start; limited to 64 bits.
inline std::int64_t utc_by_start(const Session& session, std::int64_t ns) {
  std::int64_t utc_ns = 0;
  if (!__builtin_add_overflow(session.start_utc_ns, ns, &utc_ns)) return utc_ns;
  return ns < 0 ? INT64_MIN : INT64_MAX;
}

}  // namespace evt
