// Lines for people: time, stream and name in columns, then the fields.
#pragma once

#include <evt/export/event_lines.h>

#include <memory>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

enum class TimeStyle {
  kSinceStart,  // of the session
  kSinceLast,   // line that was printed
  kUtc,
  kLocal,  // by the process's time zone
};

struct PeopleOptions {
  TimeStyle time = TimeStyle::kSinceStart;
  bool color = false;
  bool several = false;  // traces: each has a heading
  bool delta = false;    // behind the time, that since the line before
  // Where these are in a line, behind its times, they alone are coloured; upper and lower case of ASCII are the same if
  // `ignore_case`.
  std::vector<std::string> highlight{};
  bool ignore_case = false;
};

std::unique_ptr<EventLines> pretty_printer(const PeopleOptions& options);

}  // namespace evt
#pragma GCC visibility pop
