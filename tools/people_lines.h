// Lines for people: time, stream and name in columns, then the fields.
#pragma once

#include <memory>

#include "event_lines.h"

namespace evt::tools {

enum class TimeStyle {
  kSinceStart,  // of the session
  kSinceLast,   // line that was printed
  kUtc,
};

struct PeopleOptions {
  TimeStyle time = TimeStyle::kSinceStart;
  bool color = false;
  bool several = false;  // traces: each has a heading
};

std::unique_ptr<EventLines> people_lines(const PeopleOptions& options);

}  // namespace evt::tools
