// evt snapshot --when: waits for events of a program, and takes a snapshot at each.
#pragma once

#include <evt/follow.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "cmd/snapshot_taker.h"

namespace evt::tools {

// Follows the trace until its program has ended or enough snapshots were taken. Refers to its arguments while it lives.
class SnapshotWatch {
 public:
  SnapshotWatch(SnapshotArguments& options, SnapshotTaker& taker, Report& report)
      : options_(options), taker_(taker), report_(report) {}

  // Returns the exit status.
  int run();

 private:
  using Clock = std::chrono::steady_clock;
  // An event that a snapshot is wanted of.
  struct Met {
    Session::Uuid session{};
    std::string type;
    std::int64_t ns = 0;
    Clock::time_point due;  // when what was recorded after it is there
  };

  void begin(const Trace& trace);
  Status look(Follow& follow);
  void meet(const Event& event);
  Status take();
  int end();

  SnapshotArguments& options_;
  SnapshotTaker& taker_;
  Report& report_;
  std::map<Session::Uuid, std::int64_t> from_;  // what was recorded before the command began is no reason
  std::optional<Met> met_;
  std::optional<std::int64_t> armed_from_ns_;  // no event before it is one to wait for
  std::uint64_t taken_ = 0;
  std::uint64_t passed_over_ = 0;  // events after another one, within the time until the next may count
};

}  // namespace evt::tools
