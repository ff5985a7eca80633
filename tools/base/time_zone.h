// The time zone of times of day that state none.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace evt::tools {

// One for the whole process: that of the machine (TZ, or /etc/localtime) until another one is chosen. Choose before
// there are threads.
class TimeZone {
 public:
  // Europe/Berlin, UTC, +02:00, -0330. Errors: kInvalid, of a zone that does not exist.
  static Status choose(const std::string& name);
  static bool is_chosen();

  // Seconds since 1970 in UTC when clocks of the zone show `shown`, which is counted as if they showed UTC. Where they
  // show it twice, the first; where they pass over it, as long behind the step as it would have been.
  static std::int64_t utc_of(std::int64_t shown);
  // What they show at this second.
  static std::int64_t shown_at(std::int64_t utc);
};

// +02:00, -0330, +02 or Z: seconds east of Greenwich.
std::optional<std::int64_t> parse_zone_offset(std::string_view text);

}  // namespace evt::tools
