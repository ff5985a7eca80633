// The number of a session in tables.
#pragma once

#include <evt/session.h>

namespace evt {

// The first 8 bytes of its uuid, as people read them: the same in all tables of all traces.
inline std::uint64_t session_key(const Session& session) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < 8; ++i) key = key << 8 | session.uuid[i];
  return key;
}

}  // namespace evt
