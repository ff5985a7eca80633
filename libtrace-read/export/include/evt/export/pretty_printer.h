// Lines for people: time, stream and name in columns, then the fields.
#pragma once

#include <evt/export/event_lines.h>

#include <memory>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

enum class TimeStyle {
  kSinceStart,  // since the session's start
  kSinceLast,   // line that was printed
  kUtc,
  kLocal,  // in the process's time zone
};

struct PeopleOptions {
  TimeStyle time = TimeStyle::kSinceStart;
  bool color = false;
  bool several = false;  // traces: each has a heading
  bool delta = false;    // after the time, the time since the line before
  // If one of these is in a line, after its times, only these are coloured; with `ignore_case`, ASCII case does not
  // matter.
  std::vector<std::string> highlight{};
  bool ignore_case = false;
};

std::unique_ptr<EventLines> pretty_printer(const PeopleOptions& options);

}  // namespace evt
#pragma GCC visibility pop
