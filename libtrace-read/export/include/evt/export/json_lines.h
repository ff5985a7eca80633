// Events as JSON, one object per line:
//   {"ns":41280,"stream":"worker 0","stream_id":1,"event":"spark.run","fields":{"spark":0}}
//
// ns: since the session's start; with DataOptions also "delta_ns" since the line before, "utc", "local". A stream that
// has a thread adds "thread"; several files or sessions add "file", "session" (from 0 on). Fields as in value_json(),
// arrays as arrays; bytes that no field describes are "rest". Characters that a terminal must not get become a
// backslash, u and four hexadecimal digits.
#pragma once

#include <evt/export/event_lines.h>

#include <memory>

#pragma GCC visibility push(default)
namespace evt {

struct DataOptions {
  bool utc = false;
  bool several = false;  // traces
  bool local = false;    // in the process's time zone
  bool delta = false;
};

std::unique_ptr<EventLines> json_lines(const DataOptions& options);

}  // namespace evt
#pragma GCC visibility pop
