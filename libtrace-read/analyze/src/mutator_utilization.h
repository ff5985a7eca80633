// How much of the time a program has at worst: minimum mutator utilization, as in Cheng and Blelloch, "A parallel,
// real-time garbage collector" (PLDI 2001). For a length of time, the least that any window of this length leaves
// beside the stops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace evt {

// Takes the stops of a range in the order of time, without overlaps. Memory: those within the longest window.
class MutatorUtilization {
 public:
  MutatorUtilization();

  // The range begins here. REQUIRES: no stop was added.
  void begin(std::int64_t ns) { from_ns_ = ns; }
  void add(std::int64_t from_ns, std::int64_t to_ns);
  // For each of Collections::windows(), the most that stops take of any in the range, which ends here: ns; nothing
  // where the range is shorter than the window, or too many stops were within it.
  std::vector<std::optional<std::uint64_t>> most_stopped(std::int64_t to_ns) const;

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 20;
  struct Stop {
    std::int64_t from_ns = 0;
    std::int64_t to_ns = 0;
    std::uint64_t before_ns = 0;  // in earlier ones
  };
  struct Window {
    std::int64_t ns = 0;
    std::uint64_t most_ns = 0;
    std::uint64_t next = 0;  // number of the first stop at whose begin a window begins that is not over
  };

  std::uint64_t stopped_until(std::int64_t ns) const;
  // Those that begin with a stop and end by then.
  void judge_begun(Window* window, std::int64_t until_ns) const;
  void forget();

  std::int64_t from_ns_ = INT64_MAX;
  std::deque<Stop> stops_;
  std::uint64_t first_ = 0;  // number of stops_.front()
  std::vector<Window> windows_;
  bool has_too_many_ = false;
};

}  // namespace evt
