// The tables of evt run: sums over one session, by the analyses that evt stats has.
#pragma once

#include <evt/analysis/call_counts.h>
#include <evt/analysis/share.h>
#include <evt/analysis/spans.h>
#include <evt/analysis/stack_paths.h>
#include <evt/analysis/thread_times.h>
#include <evt/analysis/usage.h>
#include <evt/timeline.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/table.h"

namespace evt::tools {

// Calls that did not return: the program, a process or a thread ended meanwhile, or left them by a jump.
// Takes the items of a session in order.
class UnreturnedCalls {
 public:
  void take(const TimelineItem& item);

  std::uint64_t count() const { return count_; }
  // How long those of a function took until then, one that is in another one of that name left out.
  std::uint64_t ns_of(std::uint32_t name) const;

 private:
  struct OfName {
    std::uint64_t ns = 0;
    // The latest.
    std::uint64_t latest_ns = 0;
    std::int64_t ended_ns = 0;
    std::uint32_t thread = Actor::kNone;
  };
  std::uint64_t count_ = 0;
  std::unordered_map<std::uint32_t, OfName> by_name_;
};

// Takes the items of a session in order. Refers to the timeline.
class RunTables {
 public:
  explicit RunTables(Timeline& timeline);

  void take(const TimelineItem& item);
  // REQUIRES, from here on: all items were taken.
  void finish(std::int64_t ns);

  Table threads() const;  // running, runnable, waiting
  Table code() const;     // by processor time of samples
  std::string code_note() const;
  Table long_waits() const;  // by what they were for, and who called
  Table waiting() const;     // time in calls by what they are for
  Table calls(std::uint64_t elapsed_ns) const;
  Table objects() const;    // by bytes
  Table locks() const;      // by time
  Table processes() const;  // of several
  Table counts() const;     // of programs whose calls were counted

  bool has_runs() const { return share_.has_runs(); }
  std::uint64_t idle_ns() const { return share_.idle_ns(end_ns_); }
  // By calls whose bytes the system counts, too.
  std::uint64_t bytes_read() const;
  std::uint64_t bytes_written() const;
  std::uint64_t counted_calls() const;
  std::uint64_t unreturned_calls() const { return unreturned_.count(); }

 private:
  // A long wait, as its stack has it.
  struct LongWait {
    std::string object;  // empty: unknown
    std::string function;
    std::string callers;

    auto operator<=>(const LongWait&) const = default;
  };

  std::string thread_name(std::uint32_t thread) const;
  LongWait long_wait(const CallPaths::Node& innermost) const;
  // What threads wait for each other by.
  bool is_lock(std::uint32_t resource) const;
  std::uint64_t sum_of_bytes(bool written) const;

  Timeline& timeline_;
  Usage usage_;
  Spans spans_;
  Share share_;
  ThreadTimes times_;
  CallCounts counts_;
  StackPaths stacks_;
  StackPaths waits_;
  UnreturnedCalls unreturned_;
  std::int64_t end_ns_ = 0;
  std::vector<Usage::Row> rows_;
};

}  // namespace evt::tools
