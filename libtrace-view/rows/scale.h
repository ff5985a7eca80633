// A stretch of time divided into the columns of a picture.
#pragma once

#include <cstdint>

namespace evt::view {

// How long it is from one time to another that is not before it, whatever times they are.
constexpr std::uint64_t ns_between(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<std::uint64_t>(to_ns) - static_cast<std::uint64_t>(from_ns);
}

// Column i is [edge(i), edge(i + 1)); together they are the whole stretch, each to within a nanosecond of its part.
class Scale {
 public:
  // Whether what happens at to_ns is in it: of a range the last event is, of one of several tiles it is in the next.
  enum class End : std::uint8_t { kIncluded, kExcluded };

  // As many columns as there are nanoseconds, at most; a stretch without length has one nanosecond.
  Scale(std::int64_t from_ns, std::int64_t to_ns, std::uint32_t columns, End end = End::kIncluded);
  // Columns of 2^level ns, the first one [first * 2^level, + 2^level); its end is excluded. REQUIRES: all of them are
  // within the range of times.
  static Scale of_level(unsigned level, std::int64_t first, std::uint32_t columns);
  // The same stretch in columns twice as wide, the last of which may end behind it. REQUIRES: has_level(), and the
  // number of the first column is even.
  Scale coarser() const { return of_level(level_ + 1u, from_ns_ >> (level_ + 1u), (columns_ + 1) / 2); }

  std::int64_t from_ns() const { return from_ns_; }
  std::int64_t to_ns() const { return to_ns_; }
  std::uint64_t length() const { return length_; }
  std::uint32_t columns() const { return columns_; }
  // Whether it is one of of_level().
  bool has_level() const { return level_ != kNoLevel; }
  unsigned level() const { return level_; }
  std::int64_t edge(std::uint32_t column) const {
    if (!has_level()) return edge_of_part(column);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(from_ns_) + (std::uint64_t{column} << level_));
  }
  std::uint64_t width(std::uint32_t column) const {
    if (has_level()) return std::uint64_t{1} << level_;
    return ns_between(edge(column), edge(column + 1));
  }
  // Of what is outside, the first or the last one.
  std::uint32_t column_of(std::int64_t ns) const {
    if (ns <= from_ns_) return 0;
    if (ns >= to_ns_) return columns_ - 1;
    if (!has_level()) return part_of(ns);
    return static_cast<std::uint32_t>(ns_between(from_ns_, ns) >> level_);
  }
  bool has(std::int64_t ns) const {
    return ns >= from_ns_ && (ns < to_ns_ || (ns == to_ns_ && end_ == End::kIncluded));
  }
  friend bool operator==(const Scale&, const Scale&) = default;

 private:
  static constexpr std::uint8_t kNoLevel = 255;

  // Without a level; from_ns() < ns < to_ns().
  std::int64_t edge_of_part(std::uint32_t column) const;
  std::uint32_t part_of(std::int64_t ns) const;

  std::int64_t from_ns_;
  std::int64_t to_ns_;
  std::uint64_t length_;
  std::uint32_t columns_;
  End end_;
  std::uint8_t level_ = kNoLevel;
};

}  // namespace evt::view
