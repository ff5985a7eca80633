// Lines for people: time, stream and name in columns, then the fields.
#pragma once

#include <evt/export/event_lines.h>

#include <memory>

#pragma GCC visibility push(default)
namespace evt {

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

std::unique_ptr<EventLines> pretty_printer(const PeopleOptions& options);

}  // namespace evt
#pragma GCC visibility pop
