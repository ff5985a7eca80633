// Snapshots of one input, each in a file of its own.
#pragma once

#include <evt/describe.h>
#include <evt/recode.h>

#include <functional>
#include <string>

#include "base/progress.h"
#include "base/report.h"
#include "cmd/commands.h"
#include "input/trace_inputs.h"

namespace evt::tools {

// Refers to its arguments while it lives.
class SnapshotTaker {
 public:
  SnapshotTaker(SnapshotArguments& options, Report& report);

  const TraceInput& input() const { return input_; }
  // The session of the program; 0: those of a file.
  std::uint64_t session_id() const { return session_id_; }
  // What the program has recorded up to now.
  Result<Trace> open();
  // The session of the program; all, of a file.
  bool is_wanted(const Session& session) const {
    return session_id_ == 0 || evt_session_id(session.uuid.data()) == session_id_;
  }
  // Writes a snapshot of this trace, with events in that range, or all if it is empty; says what it has. `why` is a
  // part of that sentence, or empty.
  using RangeOf = std::function<TimeRange(const Session&)>;
  Status take(Trace& trace, const RangeOf& range, const std::string& why);
  // Reports losses and damage, and names that are not in the trace; the exit status.
  int finish(const Trace& trace);

 private:
  Status write(Trace& trace, const RangeOf& range, const std::string& path);
  Status copy_into(Trace& trace, const TakeBytes& take);
  Status cut_into(Trace& trace, const RangeOf& range, const TakeBytes& take);
  void say_what_it_has(const std::string& path, const std::string& why) const;
  std::uint64_t pid_of(const Trace& trace) const;

  SnapshotArguments& options_;
  Report& report_;
  TraceInput input_;
  std::uint64_t session_id_ = 0;  // 0: all
  Progress progress_;
};

}  // namespace evt::tools
