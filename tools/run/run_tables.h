// The tables of evt run: sums over one session, by the analyses that evt stats has.
#pragma once

#include <evt/analysis/call_counts.h>
#include <evt/analysis/share.h>
#include <evt/analysis/spans.h>
#include <evt/analysis/thread_times.h>
#include <evt/analysis/usage.h>

#include <string>
#include <vector>

#include "run/unreturned_calls.h"
#include "table.h"

namespace evt::tools {

inline constexpr const char* kFlusher = "evt-flusher";  // as the writer calls its thread

// Takes the items of a session in order. Refers to the timeline.
class RunTables {
 public:
  explicit RunTables(Timeline& timeline);

  void take(const TimelineItem& item);
  // REQUIRES, from here on: all items were taken.
  void finish(std::int64_t ns);

  Table threads() const;  // running, runnable, waiting
  Table waiting() const;  // time in calls by what they are for
  Table calls(std::uint64_t elapsed_ns) const;
  Table objects() const;  // by bytes
  Table counts() const;   // of programs whose calls were counted

  bool has_runs() const { return share_.has_runs(); }
  std::uint64_t idle_ns() const { return share_.idle_ns(end_ns_); }
  // By calls whose bytes the system counts, too.
  std::uint64_t bytes_read() const;
  std::uint64_t bytes_written() const;
  std::uint64_t counted_calls() const;
  std::uint64_t unreturned_calls() const { return unreturned_.count(); }

 private:
  std::string thread_name(std::uint32_t thread) const;
  std::uint64_t sum_of_bytes(bool written) const;

  Timeline& timeline_;
  Usage usage_;
  Spans spans_;
  Share share_;
  ThreadTimes times_;
  CallCounts counts_;
  UnreturnedCalls unreturned_;
  std::int64_t end_ns_ = 0;
  std::vector<Usage::Row> rows_;
};

}  // namespace evt::tools
