// evt snapshot --when: waits for events of a program, and takes a snapshot at each.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "cmd/seen_rows.h"
#include "cmd/snapshot_taker.h"

namespace evt::tools {

// Looks at the trace ten times a second, until its program has ended or enough snapshots were taken. Refers to its
// arguments while it lives.
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
  Status look(Trace& trace);
  void meet(const Event& event);
  Status take(Trace& trace);
  int end(const Trace& trace);

  SnapshotArguments& options_;
  SnapshotTaker& taker_;
  Report& report_;
  EventOptions new_ones_;
  SeenRows seen_;
  std::optional<Met> met_;
  std::optional<std::int64_t> armed_from_ns_;  // no event before it is one to wait for
  std::uint64_t taken_ = 0;
  std::uint64_t passed_over_ = 0;  // events after another one, within the time until the next may count
};

}  // namespace evt::tools
