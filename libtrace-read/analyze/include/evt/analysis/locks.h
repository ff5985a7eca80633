// Waits for locks and barriers: how long, and who held the lock meanwhile.
#pragma once

#include <evt/analysis/role_set.h>
#include <evt/analysis/usage.h>
#include <evt/opaque.h>
#include <evt/timeline.h>

#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order, and the rows of samples, whose stacks name locks that have no name. A thread
// waits for a lock in a call for the resource `lock`, or since it stopped for such an object; where events record when
// threads run, only while it does not. Who releases a lock has held it since the release before; else the thread that
// ended the wait held it, after those for whom it waited itself, or the one that the call names as the holder. A
// barrier (resource `barrier`) is held by the thread that comes last. Memory grows with threads, open spans, and the
// rows.
class Locks {
 public:
  static constexpr std::uint32_t kNone = Actor::kNone;

  struct Lock {
    std::uint32_t target = kNone;  // in targets()
    std::uint32_t code = kNone;    // in Timeline::names(): who called the function that waits
    std::uint64_t waits = 0;
    std::uint64_t ns = 0;
    std::uint64_t longest_ns = 0;
    std::uint64_t threads = 0;       // that waited
    std::uint64_t most_waiting = 0;  // at a time
    std::uint64_t held_ns = 0;       // part of `ns` in which it is known who held it
  };
  // What a thread did while others waited for a lock that it held.
  struct Holder {
    std::uint32_t lock = kNone;    // in targets()
    std::uint32_t thread = kNone;  // in Actors; kNone: not known
    std::uint32_t name = kNone;    // in Timeline::names(): its innermost span or call; kNone: none, or not known
    std::uint32_t target = kNone;  // in targets(): of that call
    std::uint64_t ns = 0;          // all waits together
  };

  // The timeline of the items must outlive it and its copies.
  explicit Locks(Timeline& timeline);

  static RoleSet rows() { return {Role::kSample}; }
  void take(const TimelineItem& item);
  // Counts only from this moment on; waits in progress continue.
  void restart(std::int64_t ns);

  // Only waits that have ended count: those in progress at the end of a range do if the items that end them were taken.
  // For each lock the times of its holders add up to its time.
  std::vector<Lock> locks() const;
  std::vector<Holder> holders() const;
  // More than 64 threads waited for a lock at one time: of those that came later it is not known who held it.
  bool has_too_many() const;
  const std::vector<Usage::Target>& targets() const;
  // As Usage::uncertain_ns().
  std::uint64_t uncertain_ns(std::int64_t ns) const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
