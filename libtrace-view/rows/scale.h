// A stretch of time divided into the columns of a picture.
#pragma once

#include <cstdint>

namespace evt::view {

// Column i is [edge(i), edge(i + 1)); together they are the whole stretch, each to within a nanosecond of its part.
class Scale {
 public:
  // Whether what happens at to_ns is in it: of a range the last event is, of one of several tiles it is in the next.
  enum class End : std::uint8_t { kIncluded, kExcluded };

  // As many columns as there are nanoseconds, at most; a stretch without length has one nanosecond.
  Scale(std::int64_t from_ns, std::int64_t to_ns, std::uint32_t columns, End end = End::kIncluded);

  std::int64_t from_ns() const { return from_ns_; }
  std::int64_t to_ns() const { return to_ns_; }
  std::uint64_t length() const { return length_; }
  std::uint32_t columns() const { return columns_; }
  std::int64_t edge(std::uint32_t column) const;
  std::uint64_t width(std::uint32_t column) const;
  // Of what is outside, the first or the last one.
  std::uint32_t column_of(std::int64_t ns) const;
  bool has(std::int64_t ns) const {
    return ns >= from_ns_ && (ns < to_ns_ || (ns == to_ns_ && end_ == End::kIncluded));
  }

 private:
  std::int64_t from_ns_;
  std::int64_t to_ns_;
  std::uint64_t length_;
  std::uint32_t columns_;
  End end_;
};

}  // namespace evt::view
