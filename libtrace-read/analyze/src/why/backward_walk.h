// Divides an interval of a thread, from its end to its beginning, by the changes of all threads.
#pragma once

#include <vector>

#include "wait_log.h"

namespace evt {

// Times of the parts of an interval only decrease, whichever threads they are of: so each thread, and each cpu, is gone
// through once.
class BackwardWalk {
 public:
  explicit BackwardWalk(WaitLog& log);

  // `end`: a change of the thread at or after `to_ns`, or kEnd.
  void walk(std::uint32_t thread, std::int64_t from_ns, std::int64_t to_ns, const Why::Take& take, Why::Moment end);

 private:
  static constexpr std::uint32_t kNone = Actor::kNone;

  // How far a thread was gone through, in the walk of this number.
  struct Place {
    std::uint64_t walk = 0;
    bool is_on_path = false;
    std::uint64_t at = Change::kNone;  // not beyond this one
    std::int64_t uncertain_since = INT64_MAX;
    std::uint64_t wait = Change::kNone;     // the wait that it was gone through last, and the release of it by which
    std::uint64_t release = Change::kNone;  // the lock was held before
  };

  void divide(std::uint32_t thread, std::uint64_t at, std::int64_t from, std::int64_t to);
  void divide_before(const Change& begins, std::int64_t from, std::int64_t to);
  void give_with_stops(std::uint32_t thread, const Change& change, std::int64_t from, std::int64_t to);
  void give_state(std::uint32_t thread, const Change& change, std::int64_t from, std::int64_t to);
  void give_runnable(const Change& change, std::int64_t from, std::int64_t to);
  void give_collections(std::uint32_t stream, const WhyStep& step, std::int64_t from, std::int64_t to);
  void give_wait(std::uint32_t thread, const Change& change, std::int64_t from, std::int64_t to);
  void give_end_of_wait(const Change& wait, std::int64_t from, std::int64_t to);
  void follow(WhyCause cause, std::uint32_t thread, std::uint64_t at, std::int64_t from, std::int64_t to);
  void give(const WhyStep& step, std::int64_t from, std::int64_t to);
  Place& place_of(std::uint32_t thread);
  // Whose name a change has: its thread may be forgotten.
  std::uint32_t shown(std::uint32_t thread, std::uint64_t at) const;
  WhyStep step_of(WhyKind kind, const Change& change) const;

  WaitLog* log_;
  ChangeSpool* changes_;
  std::vector<Place> threads_;
  std::vector<Place> cpus_;
  std::uint64_t walks_ = 0;
  std::size_t causes_ = 0;  // on the path
  Why::Path path_;
  const Why::Take* take_ = nullptr;
};

}  // namespace evt
