// What each thread did, from when to when.
#pragma once

#include <optional>
#include <vector>

#include "item_rows.h"

namespace evt {

class ThreadStateRows : public ItemRows {
 public:
  static Table table();

  void begin_session(Timeline& timeline, std::int64_t from_ns) override;
  void take(const TimelineItem& item, RowsInMaking* rows) override;
  void end_session(RowsInMaking* rows) override;

 private:
  struct Thread {
    ThreadState state = ThreadState::kUnknown;
    bool exists = false;
    std::uint32_t cpu = Actor::kNone;
    std::uint32_t reason = Actor::kNone;
    std::int64_t since_ns = 0;
    std::int64_t since_utc_ns = 0;
    std::int64_t uncertain_since_ns = INT64_MAX;
  };
  // A state that is over.
  struct Stretch {
    std::uint32_t thread = 0;
    Thread was;
    std::int64_t to_ns = 0;
    bool is_open = false;
  };

  // Number 0 may turn out to be what cpus run when they have nothing to do, as a rule soon: until then its rows are
  // held back, and of more than these it counts as a thread.
  static constexpr std::size_t kMostHeld = 65536;

  void become(const TimelineItem& item, RowsInMaking* rows);
  void end(const Stretch& stretch, RowsInMaking* rows);
  void add(const Stretch& stretch, RowsInMaking* rows) const;

  std::vector<Thread> threads_;
  std::vector<Stretch> held_;
  std::optional<std::uint32_t> holds_;  // the thread with number 0
};

}  // namespace evt
