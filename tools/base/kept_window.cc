#include "base/kept_window.h"

#include <algorithm>

namespace evt::tools {

std::int64_t kept_window_ns(const Session& session) {
  std::int64_t from_ns = INT64_MIN;
  std::int64_t first_ns = session.last_ns;
  for (const StreamInfo& stream : session.streams) {
    if (stream.rows == 0) continue;
    first_ns = std::min(first_ns, stream.first_ns);
    if (stream.not_kept > 0) from_ns = std::max(from_ns, stream.first_ns);
  }
  return std::max<std::int64_t>(0, session.last_ns - (from_ns == INT64_MIN ? first_ns : from_ns));
}

}  // namespace evt::tools
