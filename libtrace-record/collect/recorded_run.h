// One program, recorded from its start to its end: the process, the folder of sessions, the recording from outside.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "child_process.h"
#include "libtrace-record/recorded/restriction_events.h"
#include "libtrace-record/sched/sched_session.h"
#include "libtrace-record/stacks/cpu_samples.h"
#include "libtrace-record/stops/child_stops.h"
#include "libtrace-record/stops/stop_stream.h"
#include "session_folder.h"
#include "shared_budget.h"

namespace evt::record {

// Events by which a process records that it restricted its own system calls.
inline constexpr std::string_view kRestricted = RUN_RESTRICTED;
inline constexpr std::string_view kUnrestricted = RUN_UNRESTRICTED;
inline constexpr std::string_view kUnrestrictedThreads = RUN_UNRESTRICTED_THREADS;

// Who samples the running code: the kernel where it allows that (perf events), else the program by a signal.
enum class SamplesBy : std::uint8_t { kEither, kPerf, kSignal };

struct RunWanted {
  std::vector<std::string> words;  // the program and its arguments
  std::string output;              // the trace; empty: PROGRAM.PID.evt
  std::string groups;              // groups of calls, separated by commas; empty: none
  // Every imported function instead of groups: trace, time (count and time them), sample (time only some of many short
  // ones) or count; empty: none.
  std::string hooks;
  std::string globs;               // filters for hooks, LIBRARY:FUNCTION or FUNCTION, separated by commas; empty: all
  bool must_record_calls = false;  // the user asked for them by an option
  SessionBudget budget;            // for all processes together, and for what this one records
  bool has_scheduling = true;
  unsigned samples_hz = 997;  // stacks for each second of processor time; 0: none
  SamplesBy samples_by = SamplesBy::kEither;
  bool follows_children = true;
};

class RecordedRun {
 public:
  explicit RecordedRun(const RunWanted& wanted) : wanted_(wanted) {}

  // The program runs afterwards; an error if it does not. not_executed(): it has the reason, an errno; 0: another one.
  Status start();
  int not_executed() const { return not_executed_; }
  // Until the program has ended. `look`: called some fifty times a second meanwhile.
  void wait(const std::function<void()>& look);
  // Ends the recording from outside, which states how the program ended.
  Status close();

  const RunWanted& wanted() const { return wanted_; }
  // REQUIRES: it was started.
  pid_t pid() const { return pid_; }
  const std::string& output() const { return output_; }
  const std::string& folder() const { return folder_; }
  const ProcessEnd& end() const { return end_; }  // after wait()
  const SchedSession& sched() const { return sched_; }
  // Those of which the budget left nothing.
  std::size_t processes_not_kept() const { return processes_not_kept_; }
  const StopTotals& stops() const { return stops_; }  // the process's, on CLOCK_MONOTONIC
  // Why calls are not recorded: a sentence; empty: they are.
  const std::string& obstacle() const { return obstacle_; }
  // The same of samples.
  const std::string& samples_refusal() const { return samples_refusal_; }
  // Why some are missing.
  SampleDoubts samples_doubts() const { return samples_.doubts(); }

 private:
  // What the program's environment depends on, and is known when it begins: bits.
  enum Given : char { kSwitches = 1, kOwnSamples = 2 };

  bool records_calls() const { return !wanted_.groups.empty() || !wanted_.hooks.empty(); }
  Status find_library();
  void set_environment(char given) const;
  Status make_folder();
  // `given` tells whether the program is to take some itself.
  void open_samples(char* given);

  const RunWanted& wanted_;
  ChildProcess child_;
  SchedSession sched_;
  CpuSamples samples_;
  std::string samples_refusal_;
  StopStream stop_stream_;
  StopTotals stops_;
  ProcessEnd end_;
  pid_t pid_ = 0;
  int not_executed_ = 0;
  std::size_t processes_not_kept_ = 0;
  std::string output_;
  std::string folder_;
  std::string preload_;
  std::string obstacle_;
  std::string samples_path_;      // the file into which the program would sample itself
  std::string samples_obstacle_;  // why it cannot
};

}  // namespace evt::record
