// The streams that a row is of, by their places in the session.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace evt::view {

class StreamSet {
 public:
  StreamSet() = default;
  StreamSet(std::initializer_list<std::uint32_t> streams) {
    for (const std::uint32_t stream : streams) insert(stream);
  }

  void insert(std::uint32_t stream) {
    if (stream / 64 >= bits_.size()) bits_.resize(stream / 64 + std::size_t{1});
    bits_[stream / 64] |= bit(stream);
  }
  bool contains(std::uint32_t stream) const {
    return stream / 64 < bits_.size() && (bits_[stream / 64] & bit(stream)) != 0;
  }

 private:
  static std::uint64_t bit(std::uint32_t stream) { return std::uint64_t{1} << stream % 64; }

  std::vector<std::uint64_t> bits_;
};

}  // namespace evt::view
