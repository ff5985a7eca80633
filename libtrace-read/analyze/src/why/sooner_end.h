// How much sooner an interval would end if parts of it were shorter.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "wait_log.h"

namespace evt {

// Goes through the changes in the order of time, and finds for each how much sooner it would come: what a thread does
// by itself comes sooner by what was saved before, and what it waited for by what that was.
class SoonerEnd {
 public:
  // Nothing is shorter before `from_ns`. The log and the targets must outlive it.
  SoonerEnd(WaitLog& log, const Why::Shorter& shorter, std::int64_t from_ns);

  std::int64_t sooner(std::uint32_t thread, std::int64_t to_ns);

 private:
  struct Thread {
    bool is_known = false;
    Change last;
    std::uint32_t cpu = Actor::kNone;
    std::int64_t state_ns = 0;  // when its state began,
    std::int64_t gained = 0;    // how much sooner that would be,
    std::int64_t saved = 0;     // and what was saved since, up to `last`
    std::int64_t shorter_since = INT64_MAX;
    std::optional<double> in_progress;  // in `in_progress_`
  };
  // The latest thread of a cpu leaves it.
  struct Left {
    std::int64_t ns = INT64_MIN;
    std::int64_t gained = 0;
  };

  void take(std::uint64_t index, const Change& change);
  void enter(Thread* thread, const Change& change, std::int64_t gained);
  void note_progress(Thread* thread, std::int64_t gained);
  std::int64_t gained_by(Thread* thread, const Change& next, bool is_over);
  std::optional<std::int64_t> gained_by_cause(const Thread& thread, const Change& next);
  std::int64_t gained_at(std::uint64_t change, std::int64_t ns);
  std::int64_t saved_until(const Thread& thread, std::int64_t ns) const;
  std::int64_t most_by(std::int64_t ns) const;
  std::int64_t saved_of(std::int64_t length) const;
  std::int64_t length(std::int64_t from_ns, std::int64_t to_ns) const;
  bool is_shorter(const Change& change) const;
  bool is_its_own(const Change& change) const;

  WaitLog* log_;
  const Why::Shorter* shorter_;
  std::int64_t from_;
  double saves_;  // the part that shorter time saves, at most
  std::vector<Thread> threads_;
  std::vector<Left> cpus_;
  std::vector<std::int64_t> gained_;   // by change
  std::int64_t most_ = 0;              // the largest so far
  std::multiset<double> in_progress_;  // gained where shorter time began, less saves_ * (its begin)
};

}  // namespace evt
