// Times that a user asks for, and whether traces have any of them.
#pragma once

#include <evt/trace.h>

#include <optional>
#include <vector>

#include "base/time_spec.h"

namespace evt::tools {

// --from and --to; what is not given is not asked for.
struct AskedRange {
  std::optional<TimeSpec> from{};
  std::optional<TimeSpec> to{};

  // What is asked for of a session.
  TimeRange range(const Session& session) const;
};

// An error if none of these traces has anything between these moments.
Status check_times(const std::optional<TimeSpec>& from, const std::optional<TimeSpec>& to,
                   const std::vector<const Trace*>& traces);
// An error if a moment is in none of them.
Status check_times(const std::optional<TimeSpec>& at, const std::vector<const Trace*>& traces);
// An error if all of them have begun at this moment, and none of them has recorded anything yet: `option` asks for it.
Status check_is_recorded(const char* option, const std::optional<TimeSpec>& moment,
                         const std::vector<const Trace*>& traces);

}  // namespace evt::tools
