// Divides an interval of a thread into its own work and the causes of its waits.
#pragma once

#include <evt/analysis/role_set.h>
#include <evt/analysis/usage.h>
#include <evt/opaque.h>
#include <evt/timeline.h>

#include <functional>
#include <optional>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

enum class WhyKind : std::uint8_t {
  kRan,        // the thread ran
  kOutside,    // it ran where no event records it
  kWaited,     // it waited; what caused that is in the steps after it, if it is known
  kCaused,     // `thread` caused the wait, or what was before the thread of the step before existed
  kOver,       // what it waited for was over, and it was not awake yet
  kRunnable,   // it was runnable, and `other` ran on the cpu on which it ran next
  kCollected,  // garbage was collected in its place, or by the cpu on which it ran next
  kStopped,    // its process was stopped
  kUncertain,  // events were lost that may have recorded what it did
  kUnknown,    // no event records what it did
  kAbsent,     // it did not exist, as far as events show
  kAndSoOn,    // the causes form a circle, or are too many
};

enum class WhyCause : std::uint8_t {
  kWoke,     // it ended the wait
  kHeld,     // it held the lock
  kSent,     // it sent what ended the wait: a flow or message
  kEnded,    // it ended, for which the other waited
  kCreated,  // it created the other
};

// The innermost span or call of a thread, and its object.
struct WhyPlace {
  static constexpr std::uint32_t kNone = Actor::kNone;

  std::uint32_t name = kNone;  // in Timeline::names(); kNone: in no span or call
  bool is_call = false;
  std::uint32_t target = kNone;  // in Why::targets(): of the call, or of the stop
  std::uint32_t reason = kNone;  // why it waits: in Timeline::reasons()

  friend auto operator<=>(const WhyPlace&, const WhyPlace&) = default;
};

struct WhyStep {
  static constexpr std::uint32_t kNone = Actor::kNone;

  WhyKind kind = WhyKind::kUnknown;
  WhyCause cause = WhyCause::kWoke;  // kCaused
  std::uint32_t thread = kNone;      // in Actors; kOthers: one that is forgotten
  std::uint32_t place = kNone;       // in Why::places(); of kRan, kOutside, kWaited and kUnknown
  std::uint32_t cpu = kNone;         // kRunnable; kNone: it did not run again
  std::uint32_t other = kNone;   // kRunnable: who ran there; kNone: no recorded thread. kCollected: who asked for it
  std::uint32_t leader = kNone;  // kCollected: the index of the stream that led it, if an event says so

  friend auto operator<=>(const WhyStep&, const WhyStep&) = default;
};

// Takes the items of one session, and then divides intervals of its threads. Time belongs to the thread while it runs.
// While it waits, time belongs to what ended the wait, if the trace shows it: to the thread that woke it; of a lock to
// those that held it, each up to its release; to the thread that sent it something, or ended. What that thread did
// meanwhile is divided in the same way. Memory grows with threads, open spans, locks, objects
// and collections; changes of threads take 16 MiB, and more of them are in a temporary file. Of flows and messages the
// last 131072 are known.
class Why {
 public:
  static constexpr std::uint32_t kNone = Actor::kNone;
  static constexpr std::size_t kMostCauses = 64;  // one inside the other

  // The path from the thread's own time to what it belongs to; at least one step.
  using Path = std::vector<WhyStep>;
  // Takes a part of the interval; the latest comes first, and each ends where the one before it begins.
  using Take = std::function<void(std::int64_t from_ns, std::int64_t to_ns, const Path& path)>;

  // For intervals within the range. The timeline of the items must outlive it. `most_bytes`: in memory, for changes.
  Why(Timeline& timeline, TimeRange range, std::size_t most_bytes = std::size_t{16} << 20);

  // Which of 16 groups a name of Timeline::names() is in, as bits: for sooner(). Before the first item.
  using GroupsOf = std::function<std::uint16_t(std::uint32_t name)>;
  void set_groups(GroupsOf groups);

  // The items that it needs, and the rows.
  static ItemKinds items();
  static RoleSet rows();
  // Items come from the session's beginning. False: it needs no more, because the range is over and so are the waits
  // that were in progress at its end.
  bool take(const TimelineItem& item);

  // The moment that the items have reached, for divide(): then it costs what happened in the interval, and not also
  // what happened after it.
  using Moment = std::uint64_t;
  static constexpr Moment kEnd = UINT64_MAX;
  Moment moment(std::uint32_t thread) const;
  // Divides the interval of a thread, an index in Actors. `end`: of this thread, not before `to_ns`. REQUIRES: all
  // items were taken.
  void divide(std::uint32_t thread, std::int64_t from_ns, std::int64_t to_ns, const Take& take, Moment end = kEnd);

  // What would be shorter from an interval's begin on: time within spans and calls of a group of names, and time that
  // is about some targets.
  struct Shorter {
    unsigned group = 0;                     // bit of GroupsOf
    std::vector<bool> targets{};            // by index in targets(), as far as it goes
    double factor = 0;                      // this part of the time remains,
    std::optional<std::int64_t> most_ns{};  // or at most so much of each such time
  };
  // How much sooner an interval would end, at most, if each thread did the same in the same order, waited for the same
  // threads, and had the same cpus and locks after the same threads. What ended a wait is not always known: such a wait
  // is then shorter by as much as any thread has gained by then. Memory grows with the changes in the range, 8 bytes
  // for each. REQUIRES: as divide().
  std::int64_t sooner(std::uint32_t thread, std::int64_t from_ns, std::int64_t to_ns, const Shorter& shorter);

  const std::vector<WhyPlace>& places() const;
  const std::vector<Usage::Target>& targets() const;
  bool has_runs() const;   // threads were seen to run or stop
  bool has_waits() const;  // a thread waited
  // kIo if there was no room for the changes.
  const Status& status() const;

 private:
  class Impl;
  Hidden<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
