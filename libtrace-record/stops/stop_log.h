// When a process was stopped, in constant memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace evt::record {

// The latest stops are in memory, older ones in a file of fixed-size records, each with the sum of those before it: how
// long the process was stopped between two moments is found by bisection. Where that file cannot be had, the stops
// closest to each other become one, of which is known how long it was stopped and not when: answers are then bounds.
// Of one thread. Times are ns of any clock.
class StopLog {
 public:
  static constexpr std::size_t kInMemory = 512;

  // How long: exactly, if both are equal.
  struct Answer {
    std::uint64_t least_ns = 0;
    std::uint64_t most_ns = 0;

    bool is_exact() const { return least_ns == most_ns; }
    bool operator==(const Answer&) const = default;
  };

  // `folder`: where the file is made when there are more stops than fit, without a name.
  explicit StopLog(std::string folder) : folder_(std::move(folder)) {}
  StopLog(const StopLog&) = delete;
  StopLog& operator=(const StopLog&) = delete;
  ~StopLog();

  // REQUIRES: it did not begin before the one before, and did not end before it began. Time in several counts once.
  void add(std::int64_t began_ns, std::int64_t ended_ns);

  std::uint64_t count() const { return count_; }
  std::uint64_t total_ns() const { return total_ns_; }
  // In from <= t < to.
  Answer stopped_between(std::int64_t from_ns, std::int64_t to_ns) const;

 private:
  // One stop, or several that became one.
  struct Record {
    std::int64_t began_ns = 0;
    std::int64_t ended_ns = 0;
    std::uint64_t stopped_ns = 0;
    std::uint64_t before_ns = 0;  // the sum of all before it
  };

  bool move_to_file();
  bool open_file();
  void merge_closest();
  std::uint64_t records() const { return in_file_ + in_memory_; }
  std::optional<Record> record(std::uint64_t number) const;
  std::optional<std::uint64_t> first_ending_after(std::int64_t ns) const;
  std::optional<Answer> found_between(std::int64_t from_ns, std::int64_t to_ns) const;

  std::string folder_;
  int file_ = -1;
  bool has_failed_ = false;  // nothing can be added to the file
  std::uint64_t in_file_ = 0;
  std::size_t in_memory_ = 0;
  std::array<Record, kInMemory> memory_;
  std::uint64_t count_ = 0;
  std::uint64_t total_ns_ = 0;
};

}  // namespace evt::record
